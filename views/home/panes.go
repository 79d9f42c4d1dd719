package home

import (
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/names"
)

// paneWidth returns the width of the low products and expiring lots beside the jobs, or 0
// if the screen has no room for them.
func paneWidth(size tui.Size) int {
	if size.Class < tui.Wide {
		return 0
	}
	return max(size.Width-118, size.Width*3/10)
}

// makePanes sets the columns of the lists beside the jobs.
func (s *screen) makePanes() {
	t := s.T
	s.low = widget.NewList(func(p lowProduct) string { return p.SKU },
		widget.Column[lowProduct]{Title: t.Get("product"), Width: 10, Cell: func(p lowProduct) string { return p.SKU }},
		widget.Column[lowProduct]{Title: t.Get("name"), Rank: 2, Cell: func(p lowProduct) string { return p.Name }},
		numberColumn(names.ShortState(t, api.Available), 1, func(p lowProduct) string { return t.Count(p.Available) }),
		numberColumn(t.GetC("short", "column"), 0, func(p lowProduct) string { return t.Count(p.Missing()) }))
	s.expiring = widget.NewList(
		func(e expiringLot) string { return e.LotID.String() + e.LocationID.String() + e.Owner },
		widget.Column[expiringLot]{
			Title: t.Get("expires"),
			Width: 10,
			Cell:  func(e expiringLot) string { return t.Date(e.ExpiresAt.UTC()) },
			Warn:  func(e expiringLot) bool { return e.DaysLeft(s.Now()) < 0 },
		},
		widget.Column[expiringLot]{Title: t.Get("lot"), Cell: func(e expiringLot) string { return e.Lot }},
		widget.Column[expiringLot]{
			Title: t.Get("product"),
			Width: 10,
			Rank:  1,
			Cell:  func(e expiringLot) string { return e.SKU },
		},
		widget.Column[expiringLot]{Title: t.Get("name"), Rank: 3, Cell: func(e expiringLot) string { return e.Name }},
		numberColumn(names.ShortState(t, api.OnHand), 2, func(e expiringLot) string { return t.Count(e.OnHand) }),
	)

	s.low.NoCursor, s.expiring.NoCursor = true, true
}

// numberColumn returns a column of numbers that is as wide as its title.
func numberColumn[T any](title string, rank int, cell func(T) string) widget.Column[T] {
	return widget.Column[T]{Title: title, Width: max(7, widget.Width(title)), Right: true, Rank: rank, Cell: cell}
}

// panesView paints the low products and the expiring lots, below each other. Each gets the
// rows that it needs, or half of the room.
func (s *screen) panesView(width, room int) []string {
	t := s.T
	low, expiring := s.low.Len(), s.expiring.Len()
	lot := &s.expiring.Columns[1]
	if lot.Width = 9; width > 60 { // there is room for the name and the quantity too
		lot.Width = 16
	}

	const around = 3 // the heading, the titles and an empty line
	free := room - 2*around
	lowRows := min(low, max(free/2, free-expiring))
	lines := paneView(s.Theme, &s.low, t.Get("Low stock"), t.Get("%s all", "F3"), width, lowRows)

	return append(lines, paneView(s.Theme, &s.expiring, t.Get("Expiring lots"), t.Get("%s all", "F7"), width,
		min(expiring, free-lowRows))...)
}

// paneView paints a heading and the first rows of a list, and an empty line.
func paneView[T any](th widget.Theme, list *widget.List[T], title, key string, width, rows int) []string {
	if rows < 1 {
		return nil
	}
	lines := []string{widget.Between(th.Warning.Render(title), th.Muted.Render(key), width)}
	view := strings.Split(list.View(th, width, max(3, rows+1)), "\n") // a lower list has no titles
	return append(append(lines, view[:rows+1]...), "")
}

// beside paints lines to the right of a view, below its question.
func beside(th widget.Theme, view string, right []string, width int) string {
	lines := strings.Split(view, "\n")
	for len(lines) < len(right)+2 {
		lines = append(lines, "")
	}

	for i := range lines {
		if i < 2 {
			continue
		}
		lines[i] = widget.Left(lines[i], width) + " " + th.Muted.Render("│")
		if i-2 < len(right) {
			lines[i] += " " + right[i-2]
		}
	}

	return strings.Join(lines, "\n")
}

// paneActions returns the actions that open the lists beside the jobs.
func (s *screen) paneActions() (actions []tui.Action) {
	t := s.T
	if s.large && s.expiring.Len() > 0 {
		actions = append(actions, tui.Action{
			ID:       "home.expiring",
			Key:      "f7",
			Label:    t.Get("Expiring lots"),
			NoFooter: true,
			Run:      tui.Opens("expiring"),
		})
	}

	if s.large && s.low.Len() > 0 {
		actions = append(actions, tui.Action{
			ID:       "home.low",
			Key:      "f3",
			Label:    t.Get("Low stock"),
			NoFooter: true,
			Run:      tui.Opens("low"),
		})
	}

	return slices.DeleteFunc(actions, func(a tui.Action) bool {
		_, _, err := s.routes.Find(strings.TrimPrefix(a.ID, "home."))
		return err != nil
	})
}
