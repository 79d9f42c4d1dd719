package listscreen

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/panel"
)

// foundMsg is the result of looking up a scan.
type foundMsg struct {
	open func() tea.Cmd
	err  error
}

// LookUp opens the row that a scan means, or looks it up.
func (s *Screen[T]) LookUp(got scan.Scan) tea.Cmd {
	r := count.ParseLabel(s.T(), got)
	lookUp := s.kind.Scan
	if s.kind.Find != nil {
		named := matching(s.rows, func(row *T) bool {
			return s.hasName(row, r.Codes) || s.kind.Find.Means != nil && s.kind.Find.Means(row, r)
		})
		if hits := append(named, matching(s.parts(named), func(row *T) bool { return s.matchesCode(row, r.Codes) })...); len(hits) > 0 {
			return s.kind.Find.Choose(hits, s.kind.OpenRow)
		}
		lookUp = s.findProduct
	}
	s.finding = true
	return s.Env.Do(func(ctx context.Context) tea.Msg {
		open, err := lookUp(ctx, r)
		return foundMsg{open, err}
	})
}

func (s *Screen[T]) found(m foundMsg) tea.Cmd {
	s.finding = false
	if m.err != nil {
		return panel.FailScan(s.Site, m.err)
	}
	return m.open()
}

// Resolve looks up a scan and opens what it means, anywhere in the terminal.
func (s *Screen[T]) Resolve(ctx context.Context, r count.Label) (open func() tea.Cmd, err error) {
	destinations, err := s.Site.Resolve(ctx, r)
	return func() tea.Cmd { return panel.Navigate(s.Site, destinations) }, err
}

// findProduct looks up a scan and chooses among the rows of its product.
func (s *Screen[T]) findProduct(ctx context.Context, r count.Label) (open func() tea.Cmd, err error) {
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
		hits := matching(s.parts(nil), func(row *T) bool { return s.kind.Find.Product(row) == product.ID })
		if len(hits) == 0 {
			return s.kind.Find.NotFound(product)
		}
		return s.kind.Find.Choose(hits, s.kind.OpenRow)
	}, err
}

func (s *Screen[T]) matchesCode(row *T, codes []string) bool {
	item := count.Item{SKU: s.kind.Find.SKU(row)}
	for _, code := range codes {
		if _, _, ok := item.MatchCode(s.T(), code); ok || strings.EqualFold(code, s.kind.Key(*row)) {
			return true
		}
	}
	return false
}

func (s *Screen[T]) hasName(row *T, codes []string) bool {
	return slices.ContainsFunc(codes, func(code string) bool { return strings.EqualFold(code, s.kind.Find.Name(row)) })
}

// parts returns the parts of the rows, except of those that are named.
func (s *Screen[T]) parts(named []T) (parts []T) {
	for _, row := range s.rows {
		switch {
		case slices.ContainsFunc(named, func(x T) bool { return s.kind.Key(x) == s.kind.Key(row) }):
		case s.kind.Find.Parts != nil:
			parts = append(parts, s.kind.Find.Parts(row)...)
		default:
			parts = append(parts, row)
		}
	}
	return parts
}

func matching[T any](rows []T, fits func(row *T) bool) (hits []T) {
	for i := range rows {
		if fits(&rows[i]) {
			hits = append(hits, rows[i])
		}
	}
	return hits
}
