package panel

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// A ScanFinder finds the row of a list that a scan means: by its name, ID or SKU, else
// by looking up the scan.
type ScanFinder[T any] struct {
	Site *session.Site
	Rows func() []T
	// Name, SKU, ID and Product return what a row is matched by.
	Name, SKU   func(row *T) string
	ID, Product func(row *T) api.ID
	// Choose opens the only row, or asks which one.
	Choose func(rows []T) tea.Cmd
	// NotFoundText shows that no row has the product.
	NotFoundText func(p *api.Product) tea.Cmd

	finding bool
}

type scanFoundMsg[T any] struct {
	destinations []session.Destination
	product      *api.Product
	err          error
}

// Busy reports whether a scan is being looked up.
func (f *ScanFinder[T]) Busy() bool { return f.finding }

// Find opens what a label means.
func (f *ScanFinder[T]) Find(env tui.Env, r count.Label) tea.Cmd {
	if hits := f.matching(func(row *T) bool { return f.matchesName(row, r.Codes) }); len(hits) > 0 {
		return f.Choose(hits)
	}
	f.finding = true
	return env.Do(func(ctx context.Context) tea.Msg {
		m := scanFoundMsg[T]{}
		matches, err := f.Site.Lookup(ctx, r.Codes...)
		for _, match := range matches {
			if match.Product != nil {
				m.product = match.Product
			}
		}
		if m.err = err; m.product == nil {
			m.destinations, m.err = f.Site.Resolve(ctx, r)
		}
		return m
	})
}

func (f *ScanFinder[T]) matchesName(row *T, codes []string) bool {
	item := count.Item{SKU: f.SKU(row)}
	for _, code := range codes {
		if _, _, ok := item.MatchCode(f.Site.T(), code); ok || code == f.Name(row) || code == f.ID(row).String() {
			return true
		}
	}
	return false
}

func (f *ScanFinder[T]) matching(fits func(row *T) bool) (hits []T) {
	rows := f.Rows()
	for i := range rows {
		if fits(&rows[i]) {
			hits = append(hits, rows[i])
		}
	}
	return hits
}

// Update handles the result of a lookup; handled reports whether msg was one.
func (f *ScanFinder[T]) Update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	m, handled := msg.(scanFoundMsg[T])
	if !handled {
		return nil, false
	}
	f.finding = false
	switch {
	case m.err != nil:
		return tui.Fail(errors.New(submit.UserMessage(f.Site.T(), m.err))), true
	case m.product == nil:
		return Navigate(f.Site, m.destinations), true
	}
	hits := f.matching(func(row *T) bool { return f.Product(row) == m.product.ID })
	if len(hits) == 0 {
		return f.NotFoundText(m.product), true
	}
	return f.Choose(hits), true
}
