package reports

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/listsort"
	"bincard/views/names"
	"bincard/views/paging"
	"bincard/views/stocktext"
)

// sorts reports whether the rows have another order than that of the service.
func (s *screen[T]) sorts() bool { return s.inOrder != nil || s.sorter.Active() }

// loadRows loads the first page, or all rows if they are sorted.
func (s *screen[T]) loadRows() tea.Cmd {
	fetch := s.fetchPage()
	if s.sorts() {
		fetch = paging.ReadAhead(fetch, paging.SortLimit)
	}
	s.pages.KeepRows = s.keepRows && !s.sorts()
	return s.pages.Load(s.env, fetch)
}

// sortRows sorts the rows, if they are all loaded.
func (s *screen[T]) sortRows() {
	if !s.sorts() || !s.pages.Complete() {
		return
	}
	rows := slices.Clone(s.pages.List.Rows()) // the list finds the selected row in its own
	if s.inOrder != nil {
		slices.SortStableFunc(rows, func(a, b T) int { return s.inOrder(&a, &b) })
	}
	s.sorter.Sort(rows)
	s.pages.List.SetRows(rows)
}

// sortAction returns the action that chooses the order.
func (s *screen[T]) sortAction() []tui.Action {
	nothing := func() string {
		if s.pages.List.Len() < 2 {
			return s.env.T.Get("There is nothing to sort")
		}
		return ""
	}
	return s.sorter.Action(nothing, func() tea.Cmd {
		s.pages.Clear()
		return s.loadRows()
	})
}

// movementOrders returns the columns by which movements can be sorted.
func movementOrders(t *i18n.Translator) []listsort.Order[api.MovementRow] {
	type row = api.MovementRow
	return []listsort.Order[row]{
		listsort.Time("when", t.Get("when"), func(r *row) *time.Time { return &r.CreatedAt }),
		listsort.Text("operation", t.Get("operation"), func(r *row) string { return names.Operation(t, r.Operation) }),
		listsort.Text("product", t.Get("product"), func(r *row) string { return r.ProductSKU }),
		listsort.Number("change", t.Get("change"), func(r *row) int64 { return r.Quantity }),
		listsort.Number("after", t.Get("after"), func(r *row) int64 { return r.BalanceAfter }),
		listsort.Text("location", t.Get("location"), func(r *row) string { return r.LocationCode }),
		listsort.Text("who", t.Get("who"), func(r *row) string { return stocktext.RowActor(t, r) }),
	}
}

// balanceOrders returns the columns by which balances can be sorted.
func balanceOrders(t *i18n.Translator) []listsort.Order[api.SnapshotRow] {
	type row = api.SnapshotRow
	orders := []listsort.Order[row]{
		listsort.Text("product", t.Get("product"), func(r *row) string { return r.ProductSKU }),
		listsort.Text("location", t.Get("location"), func(r *row) string { return r.LocationCode }),
		listsort.Time("changed", t.Get("changed"), func(r *row) *time.Time { return &r.UpdatedAt }),
	}
	for _, state := range api.States {
		orders = append(orders, listsort.Number(string(state), names.ShortState(t, state), func(r *row) int64 { return r.Of(state) }))
	}
	return orders
}

// bySKU is the default order of balances.
func bySKU(a, b *api.SnapshotRow) int {
	return cmp.Or(strings.Compare(a.ProductSKU, b.ProductSKU), strings.Compare(a.LocationCode, b.LocationCode))
}
