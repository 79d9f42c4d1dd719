package products

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Link returns the factory of the screen that links a barcode to a product. The query
// parameter code is the barcode. Without it, the first unknown code that is scanned is.
func Link(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		l := &link{site: site}
		if text := env.Route.Query.Get("code"); text != "" {
			code, err := codeFromLabel(env.T, count.ParseLabel(env.T, scan.Parse(text, env.Now())))
			if err != nil {
				return nil, err
			}
			l.code = code
		}

		return listscreen.New(site, l.kind)(env)
	}
}

// link is the state of the screen: the barcode, and the products to choose from.
type link struct {
	site       *session.Site
	screen     *listscreen.Screen
	search     *search
	code       string
	wanted     string // ID of the scanned product, which is selected
	submission *submit.Submission
}

func (l *link) kind(s *listscreen.Screen) listscreen.Kind[*api.Product] {
	t := s.T
	l.screen, l.search = s, &search{screen: s}

	return listscreen.Kind[*api.Product]{
		Texts: func() listscreen.Texts { return l.texts(t) },
		Key:   func(p *api.Product) string { return p.ID.String() },
		Load: func() listscreen.Loader[*api.Product] {
			query := l.search.query
			return listscreen.Load(func(ctx context.Context) ([]api.Product, bool, error) {
				return load(ctx, l.site, query, listscreen.ReadLimit)
			})
		},
		Columns: func(size tui.Size) []widget.Column[*api.Product] { return columns(t, s, size) },
		Open: tui.Action{
			ID:       "products.link",
			Needs:    []tui.Need{{Permission: tui.MayLinkBarcodes}},
			Label:    t.Get("link the barcode"),
			Short:    t.GetC("link", "action"),
			Help:     t.Get("Link the barcode to the selected product"),
			Disabled: l.disabled,
			Approve: func() string {
				p, _ := listscreen.Selected[api.Product](s)
				return t.Get("link the barcode %s to %s", l.code, p.SKU)
			},
		},
		OpenRow: l.chosen,

		Unsorted: true,
		Input:    l.search,
		Matches:  l.search.matches,
		Detail:   func(p *api.Product) string { return p.Name },
		Actions:  func() []tui.Action { return l.actions(t) },
		Scan: func(ctx context.Context, r count.Label) (func() tea.Cmd, error) {
			m := lookUp(ctx, l.site, r)
			return func() tea.Cmd { return l.scanned(m) }, nil
		},
		Busy:   func() bool { return l.submission.Sending() },
		Update: l.update,
		Loaded: func() {
			l.search.loaded()
			s.List.Select(l.wanted)
		},
		Speech: func(out *tui.Speech) {
			out.Search, out.Question = true, t.Get("scan, number or search")
			out.Facts = append([]string{l.texts(t).Question}, out.Facts...)
		},
	}
}

func (l *link) texts(t *i18n.Translator) listscreen.Texts {
	out := listscreen.Texts{
		Title:         t.Get("Products › link %s", l.code),
		ShortTitle:    t.Get("link %s", l.code),
		Noun:          t.Get("products"),
		Question:      t.Get("Which product is %s? Scan it or search", l.code),
		ShortQuestion: t.Get("scan or search"),
		Empty:         t.Get("No match. Shorten the search, or clear it (esc)."),
	}

	if l.code == "" {
		out.Title, out.ShortTitle = t.Get("Products › link a barcode"), t.GetC("link barcode", "short title")
		out.Question, out.ShortQuestion = t.Get("Scan the new barcode"), t.Get("scan new barcode")
	}

	return out
}

// disabled returns why no barcode can be linked now, or "".
func (l *link) disabled() string {
	t := l.site.T()
	switch {
	case l.code == "":
		return t.Get("Scan the new barcode first")
	case l.submission.Sending():
		return t.Get("Wait for the answer")
	case l.screen.Loaded() && l.screen.List.Len() == 0:
		return t.Get("Choose a product: scan it, or type part of its name or SKU")
	}

	return l.screen.EmptyReason()
}

func (l *link) actions(t *i18n.Translator) []tui.Action {
	actions := []tui.Action{
		{
			ID:       "products.reload",
			Key:      "ctrl+r",
			Label:    t.Get("refresh"),
			NoFooter: true,
			Help:     t.Get("Refresh the list"),
			Run:      l.screen.Reload,
		},
	}

	if l.search.Value() != "" {
		actions = append(actions, l.search.clearAction(t))
	}

	return actions
}

// scanned selects the scanned product. An unknown code is the barcode to link if there is
// none yet.
func (l *link) scanned(m foundMsg) tea.Cmd {
	t := l.site.T()
	switch {
	case m.err != nil:
		return tui.Fail(errors.New(submit.UserMessage(t, m.err)))
	case m.product != nil:
		l.wanted = m.product.ID.String()
		l.search.Set(m.product.SKU)
		cmd := l.search.run()
		l.screen.List.Select(l.wanted)
		return tui.Accept(cmd)

	case len(m.destinations) > 0 && l.code == "":
		return tui.Fail(t.NewError("%s is not the barcode of a product. Scan the new barcode.", m.label.Name()))
	case len(m.destinations) > 0:
		return tui.Fail(
			t.NewError("%s is not a product. Scan the product, or type part of its name.", m.label.Name()),
		)
	}

	code, err := codeFromLabel(t, m.label)
	switch {
	case err != nil:
		return tui.Fail(err)
	case l.code == "":
		l.code = code
		return tui.Accepted()
	case count.SameCode(l.code, code):
		return tui.Fail(
			t.NewError(
				"%s is the barcode to link. Scan a known barcode of the product, or type part of its name.",
				code,
			),
		)
	}

	return tui.Fail(
		t.NewError("%s is unknown too. Scan a known barcode of the product, or type part of its name.", code))
}
