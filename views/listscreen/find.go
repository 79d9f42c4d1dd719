package listscreen

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/panel"
)

// LookUp opens the row that a scan means, or looks it up.
func (s *Screen) LookUp(got scan.Scan) tea.Cmd {
	r := count.ParseLabel(s.T, got)
	lookUp := s.kind.Scan
	if s.kind.Find != nil {
		if hits := (finder{s.kind, s.rows}).meant(s.T, r); len(hits) > 0 {
			return s.choose(hits)
		}
		lookUp = s.findProduct
	}

	return s.scans.LookUp(s.Env, func(ctx context.Context) (func() tea.Cmd, error) { return lookUp(ctx, r) })
}

// choose opens the only row, or asks which.
func (s *Screen) choose(rows []any) tea.Cmd {
	return tui.Accept(panel.Choose(s.kind.Find.Question, rows,
		func(row *any) string { return s.kind.Find.Line(*row) },
		func(row *any) tea.Cmd { return s.kind.OpenRow(*row) }))
}

// Resolve looks up a scan and opens what it means, anywhere in the terminal.
func (s *Screen) Resolve(ctx context.Context, r count.Label) (open func() tea.Cmd, err error) {
	destinations, err := s.Site.Resolve(ctx, r)
	return func() tea.Cmd { return panel.Navigate(s.Site, destinations) }, err
}

// findProduct looks up a scan and chooses among the rows of its product.
func (s *Screen) findProduct(ctx context.Context, r count.Label) (open func() tea.Cmd, err error) {
	var product *api.Product
	matches, err := s.Site.Lookup(ctx, r.Codes...)
	for _, match := range matches {
		if match.Product != nil {
			product = match.Product
		}
	}

	if product == nil {
		return s.Resolve(ctx, r)
	}

	return func() tea.Cmd {
		hits := matching(finder{s.kind, s.rows}.parts(nil),
			func(row any) bool { return s.kind.Find.Product(row) == product.ID })
		if len(hits) == 0 {
			return s.kind.Find.NotFound(product)
		}
		return s.choose(hits)
	}, err
}

// A finder finds the rows that a scan means.
type finder struct {
	*Kind[any]
	rows []any
}

// meant returns the rows with a name, and the parts of others with a SKU or key, that a
// label has.
func (f finder) meant(t *i18n.Translator, r count.Label) []any {
	is := func(text string) bool {
		return slices.ContainsFunc(r.Codes, func(code string) bool { return strings.EqualFold(code, text) })
	}
	named := matching(f.rows,
		func(row any) bool { return is(f.Find.Name(row)) || f.Find.Means != nil && f.Find.Means(row, r) })

	return append(named, matching(f.parts(named), func(row any) bool {
		item := count.Item{SKU: f.Find.SKU(row)}
		return is(f.Key(row)) || slices.ContainsFunc(r.Codes, func(code string) bool {
			_, _, ok := item.MatchCode(t, code)
			return ok
		})
	})...)
}

// parts returns the parts of the rows, except of those that are named.
func (f finder) parts(named []any) (parts []any) {
	for _, row := range f.rows {
		switch {
		case slices.ContainsFunc(named, func(x any) bool { return f.Key(x) == f.Key(row) }):
		case f.Find.Parts != nil:
			parts = append(parts, f.Find.Parts(row)...)
		default:
			parts = append(parts, row)
		}
	}

	return parts
}

func matching(rows []any, fits func(row any) bool) (hits []any) {
	for _, row := range rows {
		if fits(row) {
			hits = append(hits, row)
		}
	}

	return hits
}
