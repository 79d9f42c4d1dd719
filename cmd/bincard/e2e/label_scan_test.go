package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/tui/label/layout"
)

var symbologies = []layout.Symbology{layout.Code128, layout.DataMatrix, layout.QR}

// setUpLabels writes labels.toml.
func (h *machine) setUpLabels(text string) {
	h.t.Helper()
	file := h.path("config_home", "bincard", "labels.toml")
	require.NoError(h.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(h.t, os.WriteFile(file, []byte(text), 0o600))
}

// plainLines runs line mode with lines of input and returns its output.
func (h *machine) plainLines(lines ...string) string {
	h.t.Helper()
	cmd := exec.Command(program(h.t), "--plain")
	cmd.Env, cmd.Stdin = h.env, strings.NewReader(strings.Join(append(lines, "quit"), "\n")+"\n")
	out, err := cmd.CombinedOutput()
	require.NoError(h.t, err, "%s", out)
	return string(out)
}

// prepare prints a label in a symbology and creates the inbound that is received with it. It
// returns what the scanner sends, and the inbound's reference.
func (p printedLabel) prepare(h *machine, c *company, s layout.Symbology) (scanned, reference string) {
	code := func(text string) string { return strings.ReplaceAll(text, "?", suffix(s)) }
	var args []string
	for _, a := range p.command {
		args = append(args, code(a))
	}
	product := p.product(c)
	reference = "PO-" + p.name + "-" + suffix(s)
	scanned = h.printed(s, p.barcode, args...)
	var announced api.Announced
	if p.name == "SSCC" {
		announced = api.Announced{SSCC: scanned[len(scanned)-18:], LotCode: code(p.want.lot), ExpiresAt: new(expires().UTC().Truncate(24 * time.Hour))}
	}
	c.announce(reference, product, announced)
	return scanned, reference
}

// require requires that the ledger recorded what is on the label in a symbology.
func (p printedLabel) require(c *company, svc api.Service, s layout.Symbology, product api.ID) {
	c.t.Helper()
	want := p.want
	want.lot, want.serial = strings.ReplaceAll(want.lot, "?", suffix(s)), strings.ReplaceAll(want.serial, "?", suffix(s))
	c.requireReceipt(svc, "PO-"+p.name+"-"+suffix(s), product, want)
}

// Labels of every kind are read from their pictures and scanned, with the prefix of the type of
// barcode and without. Those of locations and documents open them. While receiving, the ledger
// records exactly what is printed. Package raster reads every kind in every type.
func TestLabel_ReceivesWhatIsPrinted(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	h = h.withEnv("BINCARD_DATA="+c.dir, "BINCARD_OPERATOR=Ada")
	h.setUpLabels("company_prefix = \"0952100\"\n")
	lines := []string{"home",
		h.printed(layout.DataMatrix, 0, "location", "ST-1"), h.printed(layout.Code128, 0, "location", "WH-1")}
	for i, document := range []string{"PO-1", "TR-1", "SO-1"} {
		lines = append(lines, h.printed(symbologies[i], 0, "document", document), "home")
	}
	symbology := func(i int) layout.Symbology { return symbologies[i%len(symbologies)] }
	for i, p := range printedLabels() {
		scanned, reference := p.prepare(h, c, symbology(i))
		if i%2 == 0 {
			scanned = strings.TrimPrefix(scanned, aimPrefix.FindString(scanned))
		}
		lines = append(lines, "receive "+reference, scanned, "book", "home")
	}

	out := h.plainLines(lines...)
	for _, opened := range []string{"Location: ST-1 ", "Location: WH-1 ", "RECEIVE PO-1 ", "SHIP TR-1 ", "FULFILL SO-1 "} {
		require.Equal(t, 1, strings.Count(out, opened), "%s\n%s", opened, out)
	}
	require.NotContains(t, out, "\nno  ")
	products := map[string]api.ID{}
	for _, p := range printedLabels() {
		products[p.name] = p.product(c)
	}
	c.withLedger(func(l *ledger.Ledger) {
		for i, p := range printedLabels() {
			p.require(c, c.service(l), symbology(i), products[p.name])
		}
	})
}

// aimPrefix matches the prefix with which some scanners name the type of a barcode.
var aimPrefix = regexp.MustCompile(`^\]..`)
