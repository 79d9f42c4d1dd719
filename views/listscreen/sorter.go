package listscreen

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

// A Sorter holds the order that the operator chose for a list: a column that has a Sort.
// The zero Sorter keeps the order of the list.
type Sorter struct {
	site    *session.Site
	list    string                                   // name in the settings
	columns func(size tui.Size) []widget.Column[any] // nil if the list cannot be sorted
	choice  choice
}

// NewSorter returns the sorter of a list with the choice that the operator made before. The
// operator chooses among the columns of the largest screen.
func NewSorter(site *session.Site, list string, columns func(size tui.Size) []widget.Column[any]) Sorter {
	s := Sorter{site: site, list: list, columns: columns, choice: load(site, list)}
	if s.order() == nil {
		s.choice = choice{}
	}
	return s
}

// orders returns the columns by which the list can be sorted.
func (s *Sorter) orders() []widget.Column[any] {
	if s.columns == nil {
		return nil
	}
	return slices.DeleteFunc(s.columns(tui.Size{Class: tui.Wall, Width: 240, Height: 60}),
		func(c widget.Column[any]) bool { return c.Sort == "" })
}

// order returns the chosen column, or nil for the order of the list.
func (s *Sorter) order() *widget.Column[any] {
	if s.choice.name == "" {
		return nil
	}
	orders := s.orders()
	if i := slices.IndexFunc(orders, func(c widget.Column[any]) bool { return c.Sort == s.choice.name }); i >= 0 {
		return &orders[i]
	}
	return nil
}

// compare compares two rows by a column: by its numbers or times, else by its texts,
// ignoring case. Rows without a time count as the latest.
func compare(c *widget.Column[any], a, b any) int {
	switch {
	case c.Number != nil:
		return cmp.Compare(c.Number(a), c.Number(b))
	case c.Time != nil:
		last := time.Unix(1<<40, 0)
		return cmp.Or(c.Time(a), &last).Compare(*cmp.Or(c.Time(b), &last))
	}

	text := c.Cell
	if c.By != nil {
		text = c.By
	}

	return cmp.Compare(strings.ToLower(text(a)), strings.ToLower(text(b)))
}

// Active reports whether an order is chosen.
func (s *Sorter) Active() bool { return s.order() != nil }

// Sort sorts rows in place. Rows that compare equal keep their order.
func (s *Sorter) Sort(rows []any) {
	order := s.order()
	if order == nil {
		return
	}

	sign := 1
	if s.falling(order) {
		sign = -1
	}

	slices.SortStableFunc(rows, func(a, b any) int { return sign * compare(order, a, b) })
}

// falling reports whether the greatest comes first: of numbers, unless it is reversed.
func (s *Sorter) falling(order *widget.Column[any]) bool {
	return (order.Number != nil) != s.choice.reversed
}

// arrow returns the direction of an order as a glyph.
func (s *Sorter) arrow(order *widget.Column[any]) string {
	if s.falling(order) {
		return "▼"
	}
	return "▲"
}

// Mark marks the column by which the rows are sorted.
func (s *Sorter) Mark(columns []widget.Column[any]) {
	order := s.order()
	for i := range columns {
		c := &columns[i]
		if order == nil || c.Sort != order.Sort {
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
func (s *Sorter) Action(disabled func() string, changed func() tea.Cmd) []tui.Action {
	orders := s.orders()
	if len(orders) == 0 {
		return nil
	}

	t := s.site.T()

	return []tui.Action{
		{
			ID:       s.list + ".sort",
			Key:      "f9",
			Label:    t.GetC("sort", "verb"),
			Help:     t.Get("Sort the list by a column; choose the same column again to reverse it"),
			Disabled: disabled,
			Run: func() tea.Cmd {
				options := []string{t.Get("default sort")}
				for _, c := range orders {
					text := c.Title
					if c.Sort == s.choice.name {
						text += " " + s.arrow(&c)
					}
					options = append(options, text)
				}

				return tui.Choose(
					tui.Choice{Text: t.Get("Sort by which column?"), Options: options, OnChoice: func(i int) tea.Cmd {
						s.choose(append([]widget.Column[any]{{}}, orders...)[i].Sort)
						return tea.Batch(s.save(), changed())
					}},
				)
			},
		},
	}
}

// choose chooses an order, or reverses it if it is chosen already. "" stands for the order
// of the list.
func (s *Sorter) choose(name string) {
	s.choice = choice{name, name != "" && name == s.choice.name && !s.choice.reversed}
}
