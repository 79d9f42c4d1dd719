package reports

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/views/listscreen"
)

// sorts reports whether the rows have another order than that of the service.
func (s *screen) sorts() bool { return s.inOrder != nil || s.sorter.Active() }

// loadRows loads the first page, or all rows if they are sorted.
func (s *screen) loadRows() tea.Cmd {
	fetch := s.fetchPage()
	if s.sorts() {
		fetch = listscreen.ReadAhead(fetch, listscreen.SortLimit)
	}
	s.pages.KeepRows = s.keepRows && !s.sorts()
	return s.pages.Load(s.Env, fetch)
}

// sortRows sorts the rows, if they are all loaded.
func (s *screen) sortRows() {
	if !s.sorts() || !s.pages.Complete() {
		return
	}

	rows := slices.Clone(s.pages.List.Rows()) // the list finds the selected row in its own
	if s.inOrder != nil {
		slices.SortStableFunc(rows, s.inOrder)
	}

	s.sorter.Sort(rows)
	s.pages.List.SetRows(rows)
}

// sortAction returns the action that chooses the order.
func (s *screen) sortAction() []tui.Action {
	nothing := func() string {
		if s.pages.List.Len() < 2 {
			return s.T.Get("There is nothing to sort")
		}
		return ""
	}

	return s.sorter.Action(nothing, func() tea.Cmd {
		s.pages.Clear()
		return s.loadRows()
	})
}

// bySKU is the default order of balances.
func bySKU(x, y any) int {
	a, b := x.(*snapshotRow), y.(*snapshotRow)
	return cmp.Or(strings.Compare(a.ProductSKU, b.ProductSKU), strings.Compare(a.LocationCode, b.LocationCode))
}
