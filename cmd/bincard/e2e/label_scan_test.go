package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// Every kind of label, in every type of barcode, is read from its picture and scanned while
// receiving: the ledger records exactly what is printed on it.
func TestLabel_ReceivesWhatIsPrinted(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	h = h.withEnv("BINCARD_DATA="+c.dir, "BINCARD_LOCATION=WH-1", "BINCARD_OPERATOR=Ada")
	h.setUpLabels("company_prefix = \"0952100\"\n")
	products := map[string]api.ID{}
	var lines []string
	for _, p := range printedLabels() {
		products[p.name] = p.product(c)
		for _, s := range symbologies {
			scanned, reference := p.prepare(h, c, s)
			lines = append(lines, "receive "+reference, scanned, "book", "home")
		}
	}
	out := h.plainLines(lines...)
	c.withLedger(func(l *ledger.Ledger) {
		for _, p := range printedLabels() {
			for _, s := range symbologies {
				p.require(c, c.service(l), s, products[p.name])
			}
		}
	})
	require.NotContains(t, out, "\nno  ")
}

// The labels of locations and documents open them, in every type of barcode.
func TestLabel_OpensWhatIsPrinted(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	h = h.withEnv("BINCARD_DATA="+c.dir, "BINCARD_OPERATOR=Ada")
	for _, s := range symbologies {
		out := h.plainLines("home", h.printed(s, 0, "location", "ST-1"), h.printed(s, 0, "location", "WH-1"),
			h.printed(s, 0, "document", "PO-1"), "home", h.printed(s, 0, "document", "TR-1"), "home", h.printed(s, 0, "document", "SO-1"))
		for _, opened := range []string{"Location: ST-1 ", "Location: WH-1 ", "RECEIVE PO-1 ", "SHIP TR-1 ", "FULFILL SO-1 "} {
			require.Equal(t, 1, strings.Count(out, opened), "%s\n%s", opened, out)
		}
	}
}

// On the screen, the label of a document opens it, and the other labels count there.
func TestLabel_ScannedOnScreen(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	at := h.withEnv("BINCARD_DATA="+c.dir, "BINCARD_LOCATION=WH-1")
	h.setUpLabels("company_prefix = \"0952100\"\n")
	type scans struct {
		p               printedLabel
		s               layout.Symbology
		document, label string
		product         api.ID
		reference       string
	}
	var all []scans
	for i, p := range printedLabels() {
		s := symbologies[i%len(symbologies)]
		scanned, reference := p.prepare(at, c, s)
		all = append(all, scans{p: p, s: s, product: p.product(c), label: withoutPrefix(scanned), reference: reference,
			document: withoutPrefix(at.printed(symbologies[(i+1)%len(symbologies)], 0, "document", reference))})
	}
	location := withoutPrefix(at.printed(layout.DataMatrix, 0, "location", "ST-1"))
	back := withoutPrefix(at.printed(layout.Code128, 0, "location", "WH-1"))
	d := c.openTerminal(h, [2]int{80, 24})
	d.home()
	d.scan(location)
	d.waitFor("Location: ST-1")
	d.scan(back)
	d.waitFor("Location: WH-1")
	for _, x := range all {
		d.scan(x.document)
		d.waitFor("Receive › "+x.reference, "To go         20")
		d.scan(x.label)
		d.counted(int(x.p.want.quantity))
		d.key("Enter")
		d.waitFor(fmt.Sprintf("Received %d", x.p.want.quantity))
		d.key("Escape")
		d.home()
	}
	d.key("C-q").requireExit(0)
	c.withLedger(func(l *ledger.Ledger) {
		for _, x := range all {
			x.p.require(c, c.service(l), x.s, x.product)
		}
	})
}

// withoutPrefix returns what a scanner sends that adds no AIM prefix.
func withoutPrefix(scanned string) string {
	if strings.HasPrefix(scanned, "]") {
		return scanned[3:]
	}
	return scanned
}
