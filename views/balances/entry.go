package balances

import (
	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// entry is a movement in the list.
type entry struct {
	m     api.Movement
	first bool // of its record
	again bool // the operation stands on the line above
}

// measure finds how wide numbers are: a cut one would be a wrong one.
func (x *explain) measure() {
	x.digits = 7
	for i := range x.all {
		m := &x.all[i].m
		for _, n := range []int64{m.Quantity, m.BalanceBefore, m.BalanceAfter} {
			if n > 99_999 || n < -9_999 {
				x.digits = max(x.digits, widget.Width(widget.Change(n)))
			}
		}
	}
}

// narrow shows the movements of the chosen state and lot.
func (x *explain) narrow() {
	fit := x.all
	if x.state != "" || x.lot != "" {
		fit = nil
		for _, e := range x.all {
			if (x.state == "" || e.m.InventoryState == x.state) && (x.lot == "" || lotOf(&e.m) == x.lot) {
				fit = append(fit, e)
			}
		}
		group(fit)
	}
	x.pages.List.SetRows(fit)
}

// group marks where a record begins: the movements of one write stand together.
func group(entries []entry) {
	for i := range entries {
		e := &entries[i]
		e.first, e.again = true, false
		if i > 0 && sameRecord(&entries[i-1].m, &e.m) {
			e.first, e.again = false, entries[i-1].m.Operation == e.m.Operation
		}
	}
}

func sameRecord(a, b *api.Movement) bool {
	return a.CreatedAt.Equal(b.CreatedAt) && a.IdempotencyKey == b.IdempotencyKey &&
		a.ReferenceID == b.ReferenceID && a.Actor == b.Actor
}

func lotOf(m *api.Movement) string {
	if m.Lot != nil {
		return m.Lot.LotCode
	}
	if m.LotID != (api.ID{}) {
		return dock.Brief(m.LotID)
	}
	return ""
}
