package e2e_test

import (
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/tui/label"
	"bincard/tui/label/labeltest"
)

var symbologies = []label.Symbology{label.Code128, label.DataMatrix, label.QR}

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
func (p printedLabel) prepare(h *machine, c *company, s label.Symbology) (scanned, reference string) {
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
func (p printedLabel) require(c *company, svc api.Service, s label.Symbology, product api.ID) {
	c.t.Helper()
	want := p.want
	want.lot, want.serial = strings.ReplaceAll(want.lot, "?", suffix(s)), strings.ReplaceAll(want.serial, "?", suffix(s))
	c.requireReceipt(svc, "PO-"+p.name+"-"+suffix(s), product, want)
}

// Labels of every kind are read from their pictures and scanned, with the prefix of the type of
// barcode and without. Those of locations and documents open them. While receiving, the ledger
// records exactly what is printed. The tests of layout read every kind in every type.
func TestLabel_ReceivesWhatIsPrinted(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	h = h.withEnv("BINCARD_DATA="+c.dir, "BINCARD_OPERATOR=Ada")
	h.setUpLabels("company_prefix = \"0952100\"\n")
	lines := []string{"home",
		h.printed(label.DataMatrix, 0, "location", "ST-1"), h.printed(label.Code128, 0, "location", "WH-1")}
	for i, document := range []string{"PO-1", "TR-1", "SO-1"} {
		lines = append(lines, h.printed(symbologies[i], 0, "document", document), "home")
	}
	symbology := func(i int) label.Symbology { return symbologies[i%len(symbologies)] }
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

// A printedLabel is a label that the program prints for an inbound, and what is received
// when one of its barcodes is scanned there.
type printedLabel struct {
	name    string
	command []string // of bincard label; ? stands for the code of the symbology
	barcode int      // the index of the barcode among those of the label
	product func(c *company) api.ID
	want    receipt
}

// A receipt is what an inbound received. A lot, a serial number and a reference end with the
// code of a symbology.
type receipt struct {
	quantity    int64
	lot, serial string
	expires     string // a day
}

// suffix is the code of a symbology in lots, serial numbers and references.
func suffix(s label.Symbology) string {
	return map[label.Symbology]string{label.Code128: "1D", label.DataMatrix: "2D", label.QR: "QR"}[s]
}

// printedLabels returns the labels of all kinds with which something is received.
func printedLabels() []printedLabel {
	day := expiry("2006-01-02")
	oat, scale := func(c *company) api.ID { return c.oat }, func(c *company) api.ID { return c.scale }
	return []printedLabel{
		{name: "LOT", command: []string{"lot", "OAT-1L", "L42-A?", "--new", "--expires", day, "--quantity", "12"}, product: oat,
			want: receipt{12, "L42-A?", "", day}},
		{name: "LOTSKU", command: []string{"lot", "JAR-1", "J7/?", "--new", "--expires", day, "--quantity", "5"}, product: (*company).jar,
			want: receipt{5, "J7/?", "", day}},
		{name: "SERIAL", command: []string{"serial", "SN-7?", "--sku", "SCA-5", "--new"}, product: scale,
			want: receipt{1, "", "SN-7?", ""}},
		{name: "PRODUCT", command: []string{"product", "MUG-W"}, product: func(c *company) api.ID { return c.mug },
			want: receipt{quantity: 1}},
		{name: "PRODUCTSKU", command: []string{"product", "JAR-1"}, product: (*company).jar, want: receipt{quantity: 1}},
		{name: "CASE", command: []string{"case", "OAT-1L", "--lot", "C42?", "--new", "--expires", day}, product: oat,
			want: receipt{12, "C42?", "", day}},
		{name: "PALLET", command: []string{"pallet", "OAT-1L", "P42?", "--new", "--expires", day, "--quantity", "20"}, barcode: 0, product: oat,
			want: receipt{20, "P42?", "", day}},
		{name: "SSCC", command: []string{"pallet"}, product: oat, want: receipt{20, "S42?", "", day}},
	}
}

// jar returns the ID of JAR-1, which has no barcode; it creates it if needed.
func (c *company) jar() (id api.ID) {
	c.t.Helper()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		found := do(c.t, svc, api.LookUp, api.LookupInput{Code: "JAR-1"}).Matches
		if len(found) > 0 {
			id = found[0].ID
			return
		}
		id = do(c.t, svc, api.CreateProduct, api.CreateProductInput{SKU: "JAR-1", Name: "Jar of honey"}).ID
	})
	return id
}

// barcodeElement matches the position and size of a barcode in a template.
var barcodeElement = regexp.MustCompile(`(?m)^barcode x=(\S+) y=(\S+) w=(\S+) h=(\S+) .*: (code|contents)`)

// printed makes the picture of a label with the program, and returns what a scanner sends
// for one of its barcodes: those that are empty do not count.
func (h *machine) printed(s label.Symbology, barcode int, args ...string) string {
	h.t.Helper()
	size := sizeFor(s)
	if args[0] == "pallet" {
		size = "100x150"
	}
	file := h.path("label.png")
	h.mustRun(append(append([]string{"label"}, args...), "--symbol", string(s), "--size", size, "--png", file)...)
	f, err := os.Open(file)
	require.NoError(h.t, err)
	defer f.Close()
	img, err := png.Decode(f)
	require.NoError(h.t, err)
	var areas []image.Rectangle
	for _, m := range barcodeElement.FindAllStringSubmatch(h.mustRun("label", "templates", "show", size), -1) {
		var dots [4]int
		for i := range dots {
			mm, err := strconv.ParseFloat(m[i+1], 64)
			require.NoError(h.t, err)
			dots[i] = int(mm * 8) // 203 dpi
		}
		area := image.Rect(dots[0], dots[1], dots[0]+dots[2], dots[1]+dots[3])
		if !isWhite(img, area) {
			areas = append(areas, area)
		}
	}
	require.Greater(h.t, len(areas), barcode)
	return labeltest.Read(h.t, img, areas[barcode], s)
}

// sizeFor returns a size of labels on which there is room for a barcode.
func sizeFor(s label.Symbology) string {
	if s == label.Code128 {
		return "100x150"
	}
	return "70x40"
}

// isWhite reports whether nothing is in an area of a picture.
func isWhite(img image.Image, area image.Rectangle) bool {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if r, _, _, _ := img.At(x, y).RGBA(); r < 0x8000 {
				return false
			}
		}
	}
	return true
}

// announce creates an inbound of 20 with a reference, which announces stock on a pallet if it
// has an SSCC.
func (c *company) announce(reference string, product api.ID, a api.Announced) {
	c.t.Helper()
	metadata, err := a.Metadata()
	require.NoError(c.t, err)
	c.withLedger(func(l *ledger.Ledger) {
		do(c.t, c.service(l), api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product, LocationID: c.main}, ExpectedQuantity: 20,
			Reference: api.Reference{ReferenceType: "purchase_order", ReferenceID: reference}, Metadata: metadata})
	})
}

// requireReceipt requires that the ledger recorded one receipt for the inbound with a
// reference, of exactly what was printed.
func (c *company) requireReceipt(svc api.Service, reference string, product api.ID, want receipt) {
	c.t.Helper()
	found := do(c.t, svc, api.LookUp, api.LookupInput{Code: reference, Kind: api.KindInbound}).Matches
	require.Len(c.t, found, 1, reference)
	require.Equal(c.t, want.quantity, found[0].Inbound.ReceivedQuantity, reference)
	var got []receipt
	list := do(c.t, svc, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: product},
		Operation: api.OpInboundReceive, InventoryState: api.OnHand, Limit: new(int64(500))})
	require.Nil(c.t, list.NextCursor)
	for _, m := range list.Items {
		if m.DocumentID != found[0].ID {
			continue
		}
		r := receipt{quantity: m.Quantity, lot: m.LotCode, serial: strings.Join(m.SerialNumbers, " ")}
		if m.ExpiresAt != nil {
			r.expires = m.ExpiresAt.UTC().Format(time.DateOnly)
		}
		got = append(got, r)
	}
	require.Equal(c.t, []receipt{want}, got, reference)
}
