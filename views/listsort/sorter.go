package listsort

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/session"
)

// An Order is a column by which a list can be sorted.
type Order[T any] struct {
	Name    string // in the settings, and the Sort of the column
	Title   string // what the operator chooses by
	Compare func(a, b *T) int
	Falling bool // the greatest comes first unless the operator reverses it
}

// Text returns an order by a text, ignoring case.
func Text[T any](name, title string, of func(*T) string) Order[T] {
	return Order[T]{Name: name, Title: title, Compare: func(a, b *T) int {
		return cmp.Compare(strings.ToLower(of(a)), strings.ToLower(of(b)))
	}}
}

// Number returns an order by a number, the greatest first.
func Number[T any](name, title string, of func(*T) int64) Order[T] {
	return Order[T]{Name: name, Title: title, Falling: true, Compare: func(a, b *T) int { return cmp.Compare(of(a), of(b)) }}
}

// Time returns an order by a time, the earliest first. Rows without one count as the
// latest.
func Time[T any](name, title string, of func(*T) *time.Time) Order[T] {
	return Order[T]{Name: name, Title: title, Compare: func(a, b *T) int {
		x, y := of(a), of(b)
		switch {
		case x != nil && y != nil:
			return x.Compare(*y)
		case x != nil:
			return -1
		case y != nil:
			return 1
		}
		return 0
	}}
}

// A Sorter holds the order that the operator chose for a list. The zero Sorter keeps the
// order of the list.
type Sorter[T any] struct {
	site   *session.Site
	list   string // name in the settings
	orders []Order[T]
	choice choice
}

// New returns the sorter of a list with the choice that the operator made before.
func New[T any](site *session.Site, list string, orders []Order[T]) Sorter[T] {
	s := Sorter[T]{site: site, list: list, orders: orders, choice: load(site, list)}
	if s.order() == nil {
		s.choice = choice{}
	}
	return s
}

// order returns the chosen order, or nil for that of the list.
func (s *Sorter[T]) order() *Order[T] {
	for i := range s.orders {
		if s.orders[i].Name == s.choice.name {
			return &s.orders[i]
		}
	}
	return nil
}

// Active reports whether an order is chosen.
func (s *Sorter[T]) Active() bool { return s.order() != nil }

// Sort sorts rows in place. Rows that compare equal keep their order.
func (s *Sorter[T]) Sort(rows []T) {
	order := s.order()
	if order == nil {
		return
	}
	sign := 1
	if s.falling(order) {
		sign = -1
	}
	slices.SortStableFunc(rows, func(a, b T) int { return sign * order.Compare(&a, &b) })
}

func (s *Sorter[T]) falling(order *Order[T]) bool { return order.Falling != s.choice.reversed }

// arrow returns the direction of an order as a glyph.
func (s *Sorter[T]) arrow(order *Order[T]) string {
	if s.falling(order) {
		return "▼"
	}
	return "▲"
}

// Mark marks the column by which the rows are sorted.
func (s *Sorter[T]) Mark(columns []widget.Column[T]) {
	order := s.order()
	for i := range columns {
		c := &columns[i]
		if order == nil || c.Sort != order.Name {
			continue
		}
		c.Title += s.arrow(order)
		if c.Width > 0 {
			c.Width = max(c.Width, widget.Width(c.Title))
		}
		return
	}
}

// Action returns the action that asks for an order, or none for a list without orders.
// It calls changed after another order was chosen.
func (s *Sorter[T]) Action(disabled func() string, changed func() tea.Cmd) []tui.Action {
	if len(s.orders) == 0 {
		return nil
	}
	t := s.site.T()
	return []tui.Action{{ID: s.list + ".sort", Keys: []string{"f9"}, Label: t.GetC("sort", "verb"), Help: t.Get("Sort the list by a column; choose the same column again to reverse it"),
		Disabled: disabled, Run: func() tea.Cmd {
			options := []string{t.Get("default order")}
			for i := range s.orders {
				text := s.orders[i].Title
				if s.orders[i].Name == s.choice.name {
					text += " " + s.arrow(&s.orders[i])
				}
				options = append(options, text)
			}
			return tui.Choose(tui.Choice{Text: t.Get("Sort by which column?"), Options: options, OnChoice: func(i int) tea.Cmd {
				s.choose(i - 1)
				return tea.Batch(s.save(), changed())
			}})
		}}}
}

// choose chooses the i-th order, or reverses it if it is chosen already. -1 stands for
// the order of the list.
func (s *Sorter[T]) choose(i int) {
	switch {
	case i < 0:
		s.choice = choice{}
	case s.orders[i].Name == s.choice.name:
		s.choice.reversed = !s.choice.reversed
	default:
		s.choice = choice{name: s.orders[i].Name}
	}
}
