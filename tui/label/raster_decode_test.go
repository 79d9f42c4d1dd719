package label_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/testenv"
	"bincard/tui/label"
	"bincard/tui/label/labeltest"
	"bincard/tui/scan"
)

// read returns what a scanner sends for a barcode in a picture of a label.
func read(t require.TestingT, img image.Image, s label.Symbol) string {
	// A person aims at one barcode with the white margin that it needs.
	margin := map[label.Symbology]int{label.Code128: 10, label.DataMatrix: 1, label.QR: 4}[s.Symbology] * s.Module
	area := image.Rect(s.X-margin, s.Y-margin, s.X+s.Columns()*s.Module+margin, s.Y+s.Height+margin)
	if s.Symbology == label.Code128 {
		area.Min.Y, area.Max.Y = s.Y, s.Y+s.Height
	}
	return labeltest.Read(t, img, area, s.Symbology)
}

// picture returns the picture that is in the PNG of a page.
func picture(t require.TestingT, p *label.Page) image.Image {
	var file bytes.Buffer
	missing, err := label.PNG(&file, p)
	require.NoError(t, err)
	require.Empty(t, missing)
	img, err := png.Decode(&file)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, p.Width, p.Height), img.Bounds())
	return img
}

// Every kind of label is read from its picture, on every size, in every symbology and
// resolution that fits.
func TestPNG_DecodesToTheSameValues(t *testing.T) {
	t.Parallel()
	for name, l := range labeltest.Samples() {
		for _, template := range []string{"50x25", "70x40", "100x150"} {
			for _, symbol := range []label.Symbology{"", label.DataMatrix, label.QR} {
				for _, dpi := range []int{203, 300} {
					t.Run(name+" "+template+" "+string(symbol), func(t *testing.T) {
						t.Parallel()
						page, codes := labeltest.Page(t, l, template, label.Options{DPI: dpi, Symbol: symbol})
						requireReads(t, l, codes, page, picture(t, page))
					})
				}
			}
		}
	}
}

// requireReads reads all barcodes of a page and requires the values of the label.
func requireReads(t require.TestingT, l label.Label, codes label.Codes, page *label.Page, img image.Image) {
	var got []string
	for _, s := range page.Symbols {
		x := scan.Parse(read(t, img, s), labeltest.Now)
		require.True(t, x.OK(), "%s: %v", x.Raw, x.Problems())
		content := codes.Main
		if len(page.Symbols) == 2 && len(got) == 0 {
			content = codes.Contents
		}
		got = append(got, x.Raw)
		requireSame(t, l, content, x)
	}
	require.NotEmpty(t, got)
}

// requireSame requires that a scan has the values of a content.
func requireSame(t require.TestingT, l label.Label, c label.Content, x scan.Scan) {
	if !c.IsGS1() {
		require.Equal(t, c.Plain, x.Text)
		return
	}
	require.Len(t, x.GS1.Elements, len(c.Elements))
	for _, e := range c.Elements {
		value, ok := x.GS1.Value(e.AI)
		require.True(t, ok, e.AI)
		require.Equal(t, e.Value, value)
		switch e.AI {
		case "01", "02":
			require.Equal(t, e.Value, x.GS1.GTIN)
		case "10":
			require.Equal(t, l.Lot, x.GS1.Lot)
		case "17":
			require.Equal(t, l.Expires, x.GS1.Expiry)
		case "21":
			require.Equal(t, l.Serial, x.GS1.Serial)
		case "30", "37":
			require.Equal(t, l.Quantity, x.GS1.Quantity)
		case "00":
			require.Equal(t, l.SSCC, x.GS1.SSCC)
		}
	}
}

// Random values are read from a GS1-128, which is wide enough for a short lot, and from a
// GS1 DataMatrix.
func TestPNG_DecodesRandomValues(t *testing.T) {
	t.Parallel()
	testenv.DecodedLabels.Check(t, func(t *rapid.T) {
		l := labeltest.Samples()["lot"]
		l.Lot = rapid.StringMatching(`[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,8}|[0-9]{1,15}`).Draw(t, "lot")
		l.Quantity = rapid.Int64Range(0, 9999).Draw(t, "quantity")
		l.Name = rapid.StringMatching(`[ -~]{0,80}`).Draw(t, "name")
		symbol := label.Symbology(rapid.SampledFrom(label.Symbology("").Values()).Draw(t, "symbol"))
		template := "70x40"
		if symbol == label.Code128 {
			template = "100x150"
		}
		page, codes := labeltest.Page(t, l, template, label.Options{Symbol: symbol})
		img, _, err := label.Image(page)
		require.NoError(t, err)
		requireReads(t, l, codes, page, img)
	})
}

func TestPNG_NamesCharactersThatTheFontLacks(t *testing.T) {
	t.Parallel()
	l := labeltest.Samples()["lot"]
	l.Name = "Haferdrink Öl 燕麦奶 حليب"
	page, _ := labeltest.Page(t, l, "70x40", label.Options{})
	var file bytes.Buffer
	missing, err := label.PNG(&file, page)
	require.NoError(t, err)
	require.Equal(t, "燕麦奶حليب", missing)
}
