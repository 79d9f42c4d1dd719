package label_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/i18n"
	"bincard/tui/label"
	"bincard/tui/label/labeltest"
)

func TestParse_MistakesNameFileAndLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, problem string }{
		"no size":           {"text x=1 y=1 w=5 h=3: {sku}", `line 1: the first line must be the size, like "size 70x40"`},
		"wrong size":        {"# mine\nsize 70x", `line 2: the size "70x" is not a width and a height from 10 to 500 mm`},
		"large size":        {"size 70x501", `line 1: the size "70x501"`},
		"two sizes":         {"size 70x40\nsize 70x40", "line 2: the size is given twice"},
		"empty":             {"size 70x40\n", "line 1: the template is empty"},
		"element":           {"size 70x40\n\nimage x=1", `line 3: unknown element "image": use size, text, barcode, box or line`},
		"attribute":         {"size 70x40\ntext x=1 y=1 w=5 h=3 color=red: {sku}", `line 2: unknown attribute "color" of text: use x, y, w, h, lines, align, fit, bold`},
		"missing attribute": {"size 70x40\ntext x=1 y=1 w=5: {sku}", "line 2: text needs h"},
		"number":            {"size 70x40\ntext x=one y=1 w=5 h=3: {sku}", "line 2: x=one is not a number of millimeters"},
		"not a number":      {"size 70x40\ntext x=NaN y=1 w=5 h=3: {sku}", "line 2: x=NaN is not"},
		"choice":            {"size 70x40\ntext x=1 y=1 w=5 h=3 align=top: {sku}", "line 2: align=top is not one of left, center, right"},
		"symbol":            {"size 70x40\nbarcode x=1 y=1 w=5 h=3 symbol=aztec: code", "line 2: symbol=aztec is not one of code128, datamatrix, qr"},
		"lines":             {"size 70x40\ntext x=1 y=1 w=5 h=3 lines=0: {sku}", "line 2: lines=0 is not a number from 1 to 50"},
		"no content":        {"size 70x40\ntext x=1 y=1 w=5 h=3", "line 2: text needs a content after a colon"},
		"content":           {"size 70x40\nbox x=1 y=1 w=5 h=3: {sku}", "line 2: box has no content"},
		"line":              {"size 70x40\nline x=1 y=1", "line 2: line needs either w or h"},
		"field":             {"size 70x40\ntext x=1 y=1 w=5 h=3: {price}", `line 2: unknown field "price": use title, name,`},
		"brace":             {"size 70x40\ntext x=1 y=1 w=5 h=3: {sku", "line 2: the brace before \"sku\" is not closed"},
		"right":             {"size 70x40\nbarcode x=60 y=1 w=20 h=3: code", "line 2: the barcode ends at x=80, but the label is 70 mm wide"},
		"bottom":            {"size 70x40\ntext x=1 y=30 w=20 h=6 lines=2: {name}", "line 2: the text ends at y=42, but the label is 40 mm high"},
		"long":              {strings.Repeat("#", 70_000), "line 1: the file has more than 65536 bytes"},
		"elements":          {"size 70x40\n" + strings.Repeat("line x=1 y=1 w=5\n", 201), "line 202: there are more than 200 elements"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := label.Parse("mine", "mine.label", c.text)
			require.ErrorContains(t, err, "mine.label, "+c.problem)
		})
	}
}

func TestPlace_MissingFieldIsNamed(t *testing.T) {
	t.Parallel()
	l := labeltest.Samples()["product"]
	for text, field := range map[string]string{
		"text x=1 y=1 w=50 h=3: Lot {lot}":     label.FieldLot,
		"barcode x=1 y=1 w=20 h=20: contents":  label.FieldContents,
		"barcode x=1 y=1 w=20 h=20: {serial}":  label.FieldSerial,
		"text x=1 y=1 w=50 h=3: {sku} {party}": label.FieldParty,
	} {
		_, err := place(t, "size 70x40\n\n"+text, l)
		var problem *label.Error
		require.ErrorAs(t, err, &problem)
		require.Equal(t, field, problem.Field)
		require.ErrorContains(t, err, "mine.label, line 3: the label has no "+field)
		page, err := place(t, "size 70x40\n\n"+strings.NewReplacer("}", "?}", "contents", "contents?").Replace(text), l)
		require.NoError(t, err)
		require.Empty(t, page.Texts)
		require.Empty(t, page.Symbols)
	}
}

func place(t *testing.T, template string, l label.Label) (*label.Page, error) {
	t.Helper()
	tm, err := label.Parse("mine", "mine.label", template)
	require.NoError(t, err)
	codes, err := label.Encode(l, labeltest.Now)
	require.NoError(t, err)
	return tm.Place(l, codes, label.Options{})
}

func TestPlace_ShortensNamesAndShrinksCodes(t *testing.T) {
	t.Parallel()
	l := labeltest.Samples()["lot"]
	l.Name = strings.Repeat("Oat milk barista edition ", 20)
	l.Lot = "LLLLLLLLLLLLLLLLLLLL"
	page, err := place(t, "size 70x40\ntext x=2 y=2 w=30 h=4 lines=2: {name}\ntext x=2 y=20 w=30 h=4 fit=shrink: Lot {lot}", l)
	require.NoError(t, err)
	require.Len(t, page.Texts, 3)
	require.True(t, strings.HasSuffix(page.Texts[1].Text, "…"), page.Texts[1].Text)
	require.Equal(t, "Lot "+l.Lot, page.Texts[2].Text)
	require.Less(t, page.Texts[2].Height, page.Texts[0].Height)
	for _, x := range page.Texts {
		require.LessOrEqual(t, label.TextWidth(x.Text, x.Height, x.Bold), 240)
	}
	_, err = place(t, "size 70x40\ntext x=2 y=20 w=5 h=4 fit=shrink: Lot {lot}", l)
	require.ErrorContains(t, err, `line 2: the text does not fit into 5 mm: "Lot LLLL`)
}

func TestPlace_AlignsTexts(t *testing.T) {
	t.Parallel()
	page, err := place(t, "size 70x40\ntext x=0 y=2 w=70 h=4: {sku}\ntext x=0 y=2 w=70 h=4 align=center: {sku}\ntext x=0 y=2 w=70 h=4 align=right: {sku}", labeltest.Samples()["product"])
	require.NoError(t, err)
	width := label.TextWidth("OAT-1L", 32, false)
	require.Equal(t, []int{0, (560 - width) / 2, 560 - width}, []int{page.Texts[0].X, page.Texts[1].X, page.Texts[2].X})
}

func TestPlace_BarcodeThatDoesNotFit(t *testing.T) {
	t.Parallel()
	l := labeltest.Samples()["lot"]
	_, err := place(t, "size 70x40\nbarcode x=1 y=1 w=40 h=20 symbol=code128: code", l)
	require.ErrorContains(t, err, "line 2: the barcode needs a width of 77 mm, but has 40: use a larger label or a DataMatrix")
	_, err = place(t, "size 70x40\nbarcode x=1 y=1 w=4 h=20: code", l)
	require.ErrorContains(t, err, "line 2: the barcode needs 6 mm, but has 4: use a larger label")
	page, err := place(t, "size 70x40\nbarcode x=1 y=1 w=40 h=20 symbol=code128,datamatrix: code", l)
	require.NoError(t, err)
	require.Equal(t, label.DataMatrix, page.Symbols[0].Symbology)
	l = label.Label{Kind: label.KindLocation, Location: "Lager Öl"}
	_, err = place(t, "size 70x40\nbarcode x=1 y=1 w=40 h=20: code", l)
	require.ErrorContains(t, err, `"Lager Öl" is not ASCII, which a datamatrix needs: use a QR code`)
	_, err = place(t, "size 70x40\nbarcode x=1 y=1 w=40 h=20 symbol=qr: code", l)
	require.NoError(t, err)
}

// Text that would give orders to a terminal or reverse the line is not printed.
func TestPlace_CleansTexts(t *testing.T) {
	t.Parallel()
	l := labeltest.Samples()["lot"]
	l.Name = "Oat\x1b[31m\nmilk\u202e"
	page, err := place(t, "size 70x40\ntext x=2 y=2 w=60 h=4: {name}", l)
	require.NoError(t, err)
	require.NotContains(t, page.Texts[0].Text, "\x1b")
	require.NotContains(t, page.Texts[0].Text, "\u202e")
}

func TestLibrary_CompanyTemplatesReplaceBuiltInOnes(t *testing.T) {
	t.Parallel()
	lib := label.Library{Dir: filepath.Join(t.TempDir(), "labels")}
	names, err := lib.Names()
	require.NoError(t, err)
	require.Equal(t, []string{"100x150", "50x25", "70x40"}, names)
	require.NoError(t, os.Mkdir(lib.Dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(lib.Dir, "70x40.label"), []byte("size 70x41\ntext x=1 y=1 w=60 h=4: {title}"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(lib.Dir, "shelf.label"), []byte("size 60x30\nimage"), 0o600))
	names, err = lib.Names()
	require.NoError(t, err)
	require.Equal(t, []string{"100x150", "50x25", "70x40", "shelf"}, names)
	tm, err := lib.Find("70x40")
	require.NoError(t, err)
	require.Equal(t, 41.0, tm.Height)
	require.False(t, tm.IsBuiltIn())
	tm, err = lib.Find("50x25")
	require.NoError(t, err)
	require.True(t, tm.IsBuiltIn())
	_, err = lib.Find("shelf")
	require.ErrorContains(t, err, filepath.Join(lib.Dir, "shelf.label")+", line 2: unknown element")
	_, err = lib.Find(filepath.Join(lib.Dir, "none.label"))
	require.True(t, errors.Is(err, os.ErrNotExist), err)
	_, err = lib.Find("none")
	require.ErrorContains(t, err, `there is no template "none": use one of 100x150, 50x25, 70x40, shelf`)
}

// The words of built-in templates are in the reader's language, those of a company are its own.
func TestPlace_WordsInTheLanguage(t *testing.T) {
	t.Parallel()
	languages, _ := i18n.Load("")
	german, ok := languages.Find("de")
	require.True(t, ok)
	l := labeltest.Samples()["pallet"]
	texts := func(tm *label.Template) (list []string) {
		codes, err := label.Encode(l, labeltest.Now)
		require.NoError(t, err)
		page, err := tm.Place(l, codes, label.Options{Language: i18n.New(german)})
		require.NoError(t, err)
		for _, x := range page.Texts {
			list = append(list, x.Text)
		}
		return list
	}
	builtIn, err := label.Library{}.Find("100x150")
	require.NoError(t, err)
	require.Subset(t, texts(builtIn), []string{"Charge L42-A", "MHD 2027-03-31", "Menge 480", "Ref. PO-2026-118"})
	own, err := label.Parse("100x150", "labels/100x150.label", builtIn.Text)
	require.NoError(t, err)
	require.Subset(t, texts(own), []string{"Lot L42-A", "Exp 2027-03-31", "Qty 480", "Ref PO-2026-118"})
}

// A text narrower than a letter has one letter per line.
func TestPlace_NarrowText(t *testing.T) {
	t.Parallel()
	page, err := place(t, "size 70x40\ntext x=2 y=2 w=0.1 h=4 lines=6: {sku}", labeltest.Samples()["product"])
	require.NoError(t, err)
	require.Len(t, page.Texts, 6)
	require.Equal(t, "O", page.Texts[0].Text)
}

// A template of any text is rejected with a line, or places every label inside the page.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"50x25", "70x40", "100x150"} {
		tm, err := label.Library{}.Find(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(tm.Text)
	}
	f.Add("size 10x10\ntext x=0 y=0 w=0.1 h=0.1 lines=50 fit=shrink align=right: {name}")
	f.Add("size 10x10\nbarcode x=0 y=0 w=10 h=10 symbol=qr,code128: {sku}x")
	f.Fuzz(func(t *testing.T, text string) {
		tm, err := label.Parse("mine", "mine.label", text)
		if err != nil {
			return
		}
		for _, l := range labeltest.Samples() {
			codes, err := label.Encode(l, labeltest.Now)
			if err != nil {
				t.Fatal(err)
			}
			page, err := tm.Place(l, codes, label.Options{})
			if err != nil {
				continue
			}
			for _, s := range page.Symbols {
				if s.X < 0 || s.Y < 0 || s.X+s.Columns()*s.Module > page.Width || s.Y+s.Height > page.Height+1 {
					t.Fatalf("a barcode is outside: %+v", s)
				}
			}
			for _, x := range page.Texts {
				if x.X < 0 || x.Y < 0 || x.Y+x.Height > page.Height+1 || x.Text == "" {
					t.Fatalf("a text is outside: %+v", x)
				}
			}
		}
	})
}
