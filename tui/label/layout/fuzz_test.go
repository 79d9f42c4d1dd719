package layout_test

import (
	"testing"

	"bincard/tui/label"
	"bincard/tui/label/labeltest"
	"bincard/tui/label/layout"
)

// A template of any text is rejected with a line, or places every label inside the page.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"50x25", "70x40", "100x150"} {
		tm, err := layout.Library{}.Find(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(tm.Text)
	}
	f.Add("size 10x10\ntext x=0 y=0 w=0.1 h=0.1 lines=50 fit=shrink align=right: {name}")
	f.Add("size 10x10\nbarcode x=0 y=0 w=10 h=10 symbol=qr,code128: {sku}x")
	f.Fuzz(func(t *testing.T, text string) {
		tm, err := layout.Parse("mine", "mine.label", text)
		if err != nil {
			return
		}
		for _, l := range labeltest.Samples() {
			codes, err := label.Encode(l, labeltest.Now)
			if err != nil {
				t.Fatal(err)
			}
			page, err := tm.Place(l, codes, layout.Options{})
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
