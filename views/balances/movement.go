package balances

import (
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/stocktext"
)

// timeText formats the time of a movement relative to now.
func (x *explain) timeText(at time.Time) string { return x.T.When(at, x.Now()) }

// columns returns the columns of the movements for a size.
func (x *explain) columns(size tui.Size) []widget.Column[*entry] {
	type col = widget.Column[*entry]
	when := col{Title: x.T.Get("when"), Width: 16, Rank: 4, Cell: func(e *entry) string {
		if !e.first {
			return ""
		}
		return x.timeText(e.movement.CreatedAt)
	}}

	width := 17 // of an operation
	op := col{Title: x.T.Get("operation"), Width: width, Rank: 3, Cell: func(e *entry) string {
		if e.repeated {
			return ""
		}
		return names.OperationIn(x.T, e.movement.Operation, width)
	}}

	state := col{
		Title: x.T.Get("state"),
		Width: stocktext.StateWidth(x.T),
		Cell:  func(e *entry) string { return names.ShortState(x.T, e.movement.InventoryState) },
	}
	change := col{
		Title: x.T.Get("change"),
		Width: x.digits,
		Right: true,
		Cell:  func(e *entry) string { return x.T.Change(e.movement.Quantity) },
		Style: func(e *entry, t widget.Theme, text string) string {
			if e.movement.Quantity < 0 {
				return t.Warning.Render(text)
			}
			return t.Accent.Render(text)
		},
	}

	before := col{
		Title:  x.T.Get("before"),
		Width:  x.digits,
		Rank:   5,
		Number: func(e *entry) int64 { return e.movement.BalanceBefore },
	}

	after := col{
		Title:  x.T.Get("after"),
		Width:  x.digits,
		Rank:   2,
		Number: func(e *entry) int64 { return e.movement.BalanceAfter },
	}

	switch size.Class {
	case tui.Narrow:
		state.Width, change.Width = 0, x.digits-2
		return []col{state, change}
	case tui.Short:
		op.Width, change.Width, after.Width = 0, x.digits-2, x.digits-2
		width = max(0, size.Width-2-state.Width-change.Width-after.Width-6)
		return []col{op, state, change, after}
	case tui.Standard:
		return []col{when, op, state, change, before, after}
	}

	width, op.Width = 18, 18
	first := func(cell func(m *api.Movement) string) func(*entry) string {
		return func(e *entry) string {
			if !e.first {
				return ""
			}
			return cell(&e.movement)
		}
	}

	why := col{Title: x.T.Get("why"), Width: 0, Rank: 6,
		Cell: first(func(m *api.Movement) string { return stocktext.MovementReason(x.T, m) })}
	who := col{
		Title: x.T.Get("by"),
		Width: 8,
		Rank:  7,
		Cell:  first(func(m *api.Movement) string { return stocktext.MovementActor(x.T, m) }),
	}

	lot := col{Title: x.T.Get("lot"), Width: 8, Rank: 8, Cell: func(e *entry) string { return lotOf(&e.movement) }}
	if size.Class == tui.Wall {
		state.Cell = func(e *entry) string { return names.State(x.T, e.movement.InventoryState) }
		width, state.Width, who.Width, lot.Width = 34, 15, 20, 16
		op.Width = width
	}

	return []col{when, op, state, change, before, after, why, who, lot}
}

// detailText returns the details of a movement that the list of a size has no columns
// for.
func (x *explain) detailText(e *entry, size tui.Size) string {
	t, m := x.T, &e.movement
	lot, unit, serials := lotOf(m), "", ""
	if lot != "" {
		lot = t.Get("lot %s", lot)
	}
	if m.UnitCode != "" && m.UnitQuantity != 0 {
		unit = t.Count(m.UnitQuantity) + " " + names.Unit(t, m.UnitCode)
	}
	if n := len(m.Serials); n == 1 {
		serials = t.Get("serial %s", m.Serials[0].SerialNumber)
	} else if n > 1 {
		serials = t.Get("%d serials: %s …", n, m.Serials[0].SerialNumber)
	}

	who, happened := stocktext.MovementActor(t, m), ""
	if !m.OccurredAt.IsZero() {
		happened = t.Get("happened %s", x.timeText(m.OccurredAt))
	}
	if size.Class == tui.Narrow {
		return listscreen.JoinParts(x.timeText(m.CreatedAt), happened, who, stocktext.MovementReason(t, m), lot, unit,
			serials)
	}

	return listscreen.JoinParts(happened, stocktext.MovementReason(t, m), t.Get("by %s", who), lot, unit, serials)
}
