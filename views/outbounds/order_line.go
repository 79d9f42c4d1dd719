package outbounds

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
)

// lookUp finds the item that a code names and completes m with it.
func (s *newOrderForm) lookUp(r count.Label, m itemMsg) tea.Cmd {
	s.lookingUp = true

	return s.Do(func(ctx context.Context) tea.Msg {
		m.factor = 1
		if m.item, m.err = s.site.FindItem(ctx, r); m.err != nil {
			return m
		}
		if _, factor, ok := m.item.MatchCode(s.T, r.Codes...); ok {
			m.factor = factor
		}
		if r.HasQuantity && r.PerItem {
			m.factor *= r.Quantity
		} else if r.HasQuantity {
			m.factor = r.Quantity
		}

		return m
	})
}

func (s *newOrderForm) add(g *count.Item, n int64) {
	s.current = slices.IndexFunc(s.lines, func(w orderLine) bool { return w.ID == g.ID })
	if s.current < 0 {
		s.lines = append(s.lines, orderLine{ID: g.ID, SKU: g.SKU, Name: g.Name})
		s.current = len(s.lines) - 1
	}
	s.lines[s.current].Quantity += n
}

// itemFound adds the item that was found. A quantity that stands beside a typed product
// becomes that of its line.
func (s *newOrderForm) itemFound(m itemMsg) tea.Cmd {
	s.form.Fill("product", "")
	s.add(m.item, m.factor)
	if m.typed && s.form.Value("quantity") != "" {
		if err := s.setQuantity(); err != nil {
			return tui.Fail(err)
		}
	}

	if m.submit {
		return s.submit()
	}

	return tui.Accepted()
}

// setQuantity makes the typed quantity that of the current line.
func (s *newOrderForm) setQuantity() error {
	n := s.form.Number("quantity")
	s.form.Fill("quantity", "")
	if s.current >= len(s.lines) || n < 1 {
		return s.T.NewError("Scan the product first, then type the quantity: at least 1.")
	}
	s.lines[s.current].Quantity = n
	return nil
}

// addTyped adds the product that is in the form.
func (s *newOrderForm) addTyped(submit bool) tea.Cmd {
	text := s.form.Value("product")
	return s.lookUp(count.ParseLabel(s.T, scan.Parse(text, s.Now())), itemMsg{typed: true, submit: submit})
}

// table lists the lines with the current one selected.
func (s *newOrderForm) table(size tui.Size) widget.List[orderLine] {
	t := s.T

	product := widget.Column[orderLine]{
		Title: t.Get("product"),
		Width: 10,
		Cell:  func(w orderLine) string { return w.SKU },
	}
	name := widget.Column[orderLine]{Title: t.Get("name"), Rank: 1, Cell: func(w orderLine) string { return w.Name }}
	if size.Class == tui.Narrow {
		product.Width, name.Width = 0, 200 // no room for the name
	}

	list := widget.NewList(func(w orderLine) string { return w.ID.String() }, product, name, widget.Column[orderLine]{
		Title: t.Get("quantity"),
		Width: 8,
		Right: true,
		Cell:  func(w orderLine) string { return t.Count(w.Quantity) },
	})

	list.SetRows(s.lines)
	list.MoveTo(s.current)
	list.NoTitles, list.EmptyText = size.Small(), t.Get("No items yet. Scan a product.")

	return list
}
