package balances

import (
	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/names"
)

// measureDigits sets the width of the number columns so that no number is cut.
func (x *explain) measureDigits() {
	x.digits = 7
	for i := range x.entries {
		m := &x.entries[i].movement
		for _, n := range []int64{m.Quantity, m.BalanceBefore, m.BalanceAfter} {
			if n > 99_999 || n < -9_999 {
				x.digits = max(x.digits, widget.Width(x.T.Change(n)))
			}
		}
	}
}

// applyFilter shows the movements of the selected state and lot.
func (x *explain) applyFilter() {
	matching := x.entries
	if x.state != "" || x.lot != "" {
		matching = nil
		for _, e := range x.entries {
			if (x.state == "" || e.movement.InventoryState == x.state) && (x.lot == "" || lotOf(&e.movement) == x.lot) {
				matching = append(matching, e)
			}
		}
	}

	markEntryStarts(matching)
	x.pages.List.SetRows(widget.Boxed(matching))
}

// markEntryStarts marks the first movement of each journal entry. The movements of an
// entry are adjacent.
func markEntryStarts(entries []*entry) {
	for i, e := range entries {
		e.first, e.repeated = true, false
		if i > 0 && sameEntry(&entries[i-1].movement, &e.movement) {
			e.first, e.repeated = false, entries[i-1].movement.Operation == e.movement.Operation
		}
	}
}

func lotOf(m *api.Movement) string {
	if m.Lot != nil {
		return m.Lot.LotCode
	}
	if m.LotID != api.NoID {
		return names.ShortID(m.LotID)
	}
	return ""
}
