package label_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/testenv"
	"bincard/tui/label"
	"bincard/tui/scan"
	"bincard/tui/scan/gs1"
)

var now = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

const gtin = "9521000000018"

func day(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

func TestEncode_Contents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		label          label.Label
		main, contents string
		link           string
	}{
		"lot": {label: label.Label{Kind: label.KindLot, SKU: "OAT-1L", GTIN: gtin, Lot: "L42-A/(b", Expires: day("2027-03-31"), Quantity: 24},
			main: `(01)09521000000018(17)270331(30)24(10)L42-A/\(b`, link: "https://id.gs1.org/01/09521000000018/10/L42-A%2F%28b?17=270331&30=24"},
		"lot without a GTIN": {label: label.Label{Kind: label.KindLot, SKU: "OAT-1L", Lot: "L42-A", Quantity: 24},
			main: "(240)OAT-1L(30)24(10)L42-A", link: "(240)OAT-1L(30)24(10)L42-A"},
		"serial": {label: label.Label{Kind: label.KindSerial, SKU: "SCA-5", GTIN: gtin, Serial: "SN-1", Lot: "L1"},
			main: "(01)09521000000018(10)L1(21)SN-1", link: "https://id.gs1.org/01/09521000000018/10/L1/21/SN-1"},
		"product":                {label: label.Label{Kind: label.KindProduct, SKU: "OAT-1L", GTIN: gtin}, main: "(01)09521000000018", link: "https://id.gs1.org/01/09521000000018"},
		"product without a GTIN": {label: label.Label{Kind: label.KindProduct, SKU: "OAT-1L"}, main: "OAT-1L", link: "OAT-1L"},
		"case":                   {label: label.Label{Kind: label.KindCase, SKU: "OAT-1L", GTIN: "19521000000015", Lot: "L42-A"}, main: "(01)19521000000015(10)L42-A", link: "https://id.gs1.org/01/19521000000015/10/L42-A"},
		"location":               {label: label.Label{Kind: label.KindLocation, Location: "WH-1"}, main: "WH-1", link: "WH-1"},
		"document":               {label: label.Label{Kind: label.KindDocument, Reference: "PO-2026-118"}, main: "PO-2026-118", link: "PO-2026-118"},
		"pallet":                 {label: label.Label{Kind: label.KindPallet, SSCC: "095210000000000018"}, main: "(00)095210000000000018", link: "https://id.gs1.org/00/095210000000000018"},
		"pallet with contents": {label: label.Label{Kind: label.KindPallet, SSCC: "095210000000000018", SKU: "OAT-1L", GTIN: gtin, Lot: "L42-A", Expires: day("2027-03-31"), Quantity: 480, Reference: "PO-1"},
			main: "(00)095210000000000018", contents: "(02)09521000000018(17)270331(37)480(10)L42-A(400)PO-1", link: "https://id.gs1.org/00/095210000000000018"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			codes, err := label.Encode(c.label, now)
			require.NoError(t, err)
			require.Equal(t, c.main, codes.Main.String())
			require.Equal(t, c.contents, codes.Contents.String())
			require.Equal(t, c.link, codes.Main.Text(label.DefaultDomain))
		})
	}
}

func TestEncode_NamesWhatIsMissingOrWrong(t *testing.T) {
	t.Parallel()
	for want, l := range map[string]label.Label{
		"a label of the kind lot needs the field lot":                                                     {Kind: label.KindLot, SKU: "OAT-1L"},
		"a label of the kind case needs the field gtin":                                                   {Kind: label.KindCase, SKU: "OAT-1L"},
		"a label of the kind serial needs the field serial":                                               {Kind: label.KindSerial, SKU: "OAT-1L"},
		"a label of the kind poster needs the field kind":                                                  {Kind: "poster"},
		`the lot "Löt" cannot be in a barcode`:                                                            {Kind: label.KindLot, SKU: "OAT-1L", Lot: "Löt"},
		`the lot "123456789012345678901" cannot be in a barcode`:                                          {Kind: label.KindLot, SKU: "OAT-1L", Lot: "123456789012345678901"},
		`the SKU "A B" cannot be in a barcode`:                                                            {Kind: label.KindLot, SKU: "A B", Lot: "L1"},
		`the GTIN "09521000000017" cannot be in a barcode`:                                                {Kind: label.KindProduct, SKU: "OAT-1L", GTIN: "9521000000017"},
		`the SSCC "095210000000000013" cannot be in a barcode`:                                            {Kind: label.KindPallet, SSCC: "095210000000000013"},
		`the quantity "123456789" cannot be in a barcode`:                                                 {Kind: label.KindLot, SKU: "X", Lot: "L", Quantity: 123456789},
		`the expiration date "2099-01-01" cannot be in a barcode: a barcode has only the last two digits`: {Kind: label.KindLot, SKU: "X", Lot: "L", Expires: day("2099-01-01")},
		`the location code "(01)09521000000018" cannot be in a barcode: scanners read it as`:              {Kind: label.KindLocation, Location: "(01)09521000000018"},
		`the location code "]C1WH" cannot be in a barcode`:                                                {Kind: label.KindLocation, Location: "]C1WH"},
		`the reference "PO\x1b1" cannot be in a barcode: it has a control character`:                      {Kind: label.KindDocument, Reference: "PO\x1b1"},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			_, err := label.Encode(l, now)
			require.ErrorContains(t, err, want)
		})
	}
}

// randomLabel returns a label of any kind with random values.
func randomLabel(t *rapid.T) label.Label {
	text := func(name string) string {
		return rapid.StringMatching(`[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}`).Draw(t, name)
	}
	plain := rapid.StringMatching(`[A-Z]{1,4}-[A-Z0-9]{1,12}`)
	kinds := []label.Kind{label.KindLot, label.KindSerial, label.KindProduct, label.KindCase, label.KindLocation, label.KindPallet, label.KindDocument}
	l := label.Label{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
		SKU: plain.Draw(t, "sku"), Location: plain.Draw(t, "location"), Reference: plain.Draw(t, "reference"), Lot: text("lot"), Serial: text("serial"),
		Quantity: rapid.Int64Range(0, 99_999_999).Draw(t, "quantity"), SSCC: withCheckDigit(rapid.StringMatching(`[0-9]952[0-9]{13}`).Draw(t, "sscc"))}
	if l.Kind == label.KindCase || rapid.Bool().Draw(t, "has a GTIN") {
		l.GTIN = withCheckDigit(rapid.SampledFrom([]string{"952", "1952", "9952"}).Draw(t, "prefix") + rapid.StringMatching(`[0-9]{9}`).Draw(t, "gtin"))
	}
	if rapid.Bool().Draw(t, "expires") {
		l.Expires = day("2026-01-01").AddDate(0, 0, rapid.IntRange(0, 10_000).Draw(t, "days"))
	}
	return l
}

func withCheckDigit(digits string) string {
	return digits + string(gs1.CheckDigit(digits))
}

// What is encoded is read as the same values, from every symbology.
func TestEncode_ScansBackAsTheSameValues(t *testing.T) {
	t.Parallel()
	testenv.Property.Check(t, func(t *rapid.T) {
		l := randomLabel(t)
		codes, err := label.Encode(l, now)
		require.NoError(t, err)
		for _, c := range []label.Content{codes.Main, codes.Contents} {
			if c.IsEmpty() {
				continue
			}
			inputs := map[string]string{"QR": "]Q1" + c.Text("https://stock.example.com/id"), "QR without a prefix": c.Text(label.DefaultDomain), "typed": c.String()}
			if c.IsGS1() {
				inputs["GS1-128"], inputs["GS1 DataMatrix"] = "]C1"+c.ElementString(), "]d2"+c.ElementString()
				inputs["no prefix"] = c.ElementString()
			} else {
				inputs["Code 128"] = "]C0" + c.Plain
			}
			for name, input := range inputs {
				s := scan.Parse(input, now)
				require.True(t, s.OK(), "%s %q: %v", name, input, s.Problems())
				requireValues(t, l, c, s)
			}
		}
	})
}

// requireValues requires that a scan has the values of a label that are in a content.
func requireValues(t require.TestingT, l label.Label, c label.Content, s scan.Scan) {
	if !c.IsGS1() {
		want := map[label.Kind]string{label.KindLocation: l.Location, label.KindDocument: l.Reference, label.KindProduct: l.SKU}[l.Kind]
		require.Equal(t, want, s.Text)
		return
	}
	m := s.GS1
	if c.Elements[0].AI == "00" {
		require.Equal(t, l.SSCC, m.SSCC)
		return
	}
	want := gs1.Message{GTIN: l.GTIN, SSCC: ""}
	if l.GTIN != "" {
		want.GTIN = strings.Repeat("0", 14-len(l.GTIN)) + l.GTIN
	} else {
		sku, _ := m.Value("240")
		require.Equal(t, l.SKU, sku)
	}
	if l.Kind != label.KindProduct {
		want.Lot, want.Expiry = l.Lot, l.Expires
	}
	if l.Kind == label.KindSerial {
		want.Serial = l.Serial
	}
	if l.Kind == label.KindLot || l.Kind == label.KindPallet {
		want.Quantity, want.HasQuantity = l.Quantity, l.Quantity > 0
	}
	want.Form, want.Elements = m.Form, m.Elements
	want.BestBefore = m.BestBefore
	require.Equal(t, want, m)
}
