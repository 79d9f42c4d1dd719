package dock

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// A Seeker is the part of a list that finds the row a scan means: by the
// document's name or its goods among the rows, else by asking the service.
type Seeker[T any] struct {
	Site *Site
	Rows func() []T
	// Name, ID, SKU and Product are what a row is found by.
	Name, SKU   func(row *T) string
	ID, Product func(row *T) api.ID
	// Choose opens the one row there is, or asks which.
	Choose func(rows []T) tea.Cmd
	// None says that no row is of a product.
	None func(p *api.Product) tea.Cmd

	finding bool
}

type soughtMsg[T any] struct {
	targets []Target
	product *api.Product
	err     error
}

// Busy tells whether a scan is being looked up: the next one waits.
func (s *Seeker[T]) Busy() bool { return s.finding }

// Find opens what a reading means.
func (s *Seeker[T]) Find(env tui.Env, r Reading) tea.Cmd {
	if hits := s.keep(func(row *T) bool { return s.named(row, r.Codes) }); len(hits) > 0 {
		return s.Choose(hits)
	}
	s.finding = true
	return env.Do(func(ctx context.Context) tea.Msg {
		m := soughtMsg[T]{}
		matches, err := s.Site.LookUp(ctx, r.Codes...)
		for _, match := range matches {
			if match.Product != nil {
				m.product = match.Product
			}
		}
		if m.err = err; m.product == nil {
			m.targets, m.err = s.Site.Resolve(ctx, r)
		}
		return m
	})
}

func (s *Seeker[T]) named(row *T, codes []string) bool {
	goods := Goods{SKU: s.SKU(row)}
	for _, code := range codes {
		if _, _, ok := goods.Match(code); ok || code == s.Name(row) || code == s.ID(row).String() {
			return true
		}
	}
	return false
}

func (s *Seeker[T]) keep(fits func(row *T) bool) (hits []T) {
	rows := s.Rows()
	for i := range rows {
		if fits(&rows[i]) {
			hits = append(hits, rows[i])
		}
	}
	return hits
}

// Update handles the seeker's own answer; mine tells whether msg was it.
func (s *Seeker[T]) Update(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	m, mine := msg.(soughtMsg[T])
	if !mine {
		return nil, false
	}
	s.finding = false
	switch {
	case m.err != nil:
		return tui.Fail(errors.New(Words(m.err))), true
	case m.product == nil:
		return Follow(s.Site, m.targets), true
	}
	hits := s.keep(func(row *T) bool { return s.Product(row) == m.product.ID })
	if len(hits) == 0 {
		return s.None(m.product), true
	}
	return s.Choose(hits), true
}
