package products

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Unlink returns the factory of the list of the barcodes of a product, which unlinks
// them. The query parameter sku is the product. Without it, the first one that is scanned
// is.
func Unlink(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		u := &unlink{site: site, sku: env.Route.Query.Get("sku")}
		return listscreen.New(site, u.kind)(env)
	}
}

// unlink is the state of the screen.
type unlink struct {
	site       *session.Site
	screen     *listscreen.Screen
	sku        string // "" until a product is scanned
	wanted     string // the scanned barcode, which is selected
	submission *submit.Submission
}

// A linkedBarcode is a barcode of a product, or of a package of it.
type linkedBarcode struct {
	code   string
	factor int64
	unit   string
	of     *api.Product
}

// barcodesOf lists the barcodes of a product: its own, then those of its packages.
func barcodesOf(p *api.Product) (rows []linkedBarcode) {
	for _, code := range p.Barcodes {
		rows = append(rows, linkedBarcode{code, 1, p.BaseUnitCode, p})
	}
	for _, u := range p.Units {
		for _, code := range u.Barcodes {
			rows = append(rows, linkedBarcode{code, u.Factor, u.UnitCode, p})
		}
	}

	return rows
}

func (u *unlink) kind(s *listscreen.Screen) listscreen.Kind[*linkedBarcode] {
	t := s.T
	u.screen = s

	return listscreen.Kind[*linkedBarcode]{
		Texts: func() listscreen.Texts { return u.texts(t) },
		Key:   func(b *linkedBarcode) string { return b.code },
		Load: func() listscreen.Loader[*linkedBarcode] {
			sku := u.sku
			return listscreen.Load(func(ctx context.Context) ([]linkedBarcode, bool, error) {
				if sku == "" {
					return nil, false, nil
				}
				p, err := Find(ctx, u.site, sku)
				return barcodesOf(&p), false, err
			})
		},
		Columns: func(size tui.Size) []widget.Column[*linkedBarcode] {
			code := widget.Column[*linkedBarcode]{
				Title: t.Get("barcode"),
				Cell:  func(b *linkedBarcode) string { return b.code },
			}
			if size.Class == tui.Narrow {
				return []widget.Column[*linkedBarcode]{code}
			}

			return []widget.Column[*linkedBarcode]{
				code,
				{
					Title: t.Get("unit"),
					Width: 8,
					Rank:  1,
					Cell:  func(b *linkedBarcode) string { return names.Unit(t, b.unit) },
				},
				{Title: t.Get("holds"), Width: 7, Number: func(b *linkedBarcode) int64 { return b.factor }},
			}
		},
		Detail: func(b *linkedBarcode) string { return names.Unit(t, b.unit) + " " + t.Count(b.factor) },
		Open: tui.Action{
			ID:       "products.unlink",
			Needs:    []tui.Need{{Permission: tui.MayLinkBarcodes}},
			Label:    t.Get("unlink the barcode"),
			Short:    t.GetC("unlink", "action"),
			Help:     t.Get("Unlink the selected barcode from the product"),
			Disabled: u.disabled,
			Approve: func() string {
				b, _ := listscreen.Selected[linkedBarcode](s)
				return t.Get("unlink the barcode %s from %s", b.code, u.sku)
			},
		},
		OpenRow: u.chosen,
		Actions: func() []tui.Action {
			return []tui.Action{
				{
					ID:       "products.reload",
					Key:      "ctrl+r",
					Label:    t.Get("refresh"),
					NoFooter: true,
					Help:     t.Get("Refresh the list"),
					Run:      s.Reload,
				},
			}
		},
		Scan: func(ctx context.Context, r count.Label) (func() tea.Cmd, error) {
			m := lookUp(ctx, u.site, r)
			return func() tea.Cmd { return u.scanned(m) }, nil
		},
		Busy:   func() bool { return u.submission.Sending() },
		Update: u.update,
		Loaded: func() { s.List.Select(u.wanted) },
	}
}

func (u *unlink) texts(t *i18n.Translator) listscreen.Texts {
	noun := t.Get("barcodes")
	if u.screen.Len() == 1 {
		noun = t.GetC("barcode", "noun")
	}

	if u.sku == "" {
		return listscreen.Texts{
			Title:         t.Get("Products › unlink a barcode"),
			ShortTitle:    t.GetC("unlink barcode", "short title"),
			Noun:          noun,
			Question:      t.Get("Scan the barcode to unlink"),
			ShortQuestion: t.Get("scan barcode"),
			Empty:         t.Get("Scan the barcode, or any other code of the product."),
		}
	}

	sku := widget.Clean(u.sku)

	return listscreen.Texts{
		Title:         t.Get("Products › %s › unlink a barcode", sku),
		ShortTitle:    t.Get("unlink %s", sku),
		Noun:          noun,
		Question:      t.Get("Which barcode does not belong to %s? Scan or choose it", sku),
		ShortQuestion: t.Get("scan or choose"),
		Empty:         t.Get("%s has no barcodes.", sku),
	}
}

// disabled returns why no barcode can be unlinked now, or "".
func (u *unlink) disabled() string {
	t := u.site.T()
	switch {
	case u.sku == "":
		return t.Get("Scan the barcode to unlink")
	case u.submission.Sending():
		return t.Get("Wait for the answer")
	}

	return u.screen.EmptyReason()
}

// scanned selects the scanned barcode, and its product.
func (u *unlink) scanned(m foundMsg) tea.Cmd {
	t := u.site.T()
	switch {
	case m.err != nil:
		return tui.Fail(errors.New(submit.UserMessage(t, m.err)))
	case m.product == nil:
		return tui.Fail(
			t.NewError("%s is not a barcode of a product. Nothing was unlinked: scan another barcode.", m.label.Name()))
	case u.submission.Unfinished():
		return tui.Fail(t.NewError("No answer. Unlink it again (enter); it is done only once."))
	}

	u.sku, u.wanted = m.product.SKU, ""
	for _, b := range barcodesOf(m.product) {
		for _, code := range m.label.Codes {
			if count.SameCode(b.code, code) {
				u.wanted = b.code
			}
		}
	}

	u.screen.List.Select(u.wanted)

	return tui.Accept(u.screen.Reload())
}
