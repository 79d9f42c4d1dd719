package balances

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/stocktext"
)

// timeText formats the time of a movement relative to now.
func (x *explain) timeText(at time.Time) string { return x.env.T.When(at, x.env.Now()) }

// columns returns the columns of the movements for a size.
func (x *explain) columns(size tui.Size) []widget.Column[entry] {
	type col = widget.Column[entry]
	when := col{Title: x.env.T.Get("when"), Width: 16, Rank: 4, Cell: func(e entry) string {
		if !e.first {
			return ""
		}
		return x.timeText(e.movement.CreatedAt)
	}}
	op := col{Title: x.env.T.Get("operation"), Width: 17, Rank: 3, Cell: func(e entry) string {
		if e.repeated {
			return ""
		}
		return names.Operation(x.env.T, e.movement.Operation)
	}}
	state := col{Title: x.env.T.Get("state"), Width: stocktext.StateWidth(x.env.T), Cell: func(e entry) string { return names.ShortState(x.env.T, e.movement.InventoryState) }}
	change := col{Title: x.env.T.Get("change"), Width: x.digits, Right: true, Cell: func(e entry) string { return x.env.T.Change(e.movement.Quantity) },
		Style: func(e entry, t theme.Theme, text string) string {
			if e.movement.Quantity < 0 {
				return t.Warning.Render(text)
			}
			return t.Accent.Render(text)
		}}
	before := col{Title: x.env.T.Get("before"), Width: x.digits, Right: true, Rank: 5, Cell: func(e entry) string { return x.env.T.Count(e.movement.BalanceBefore) }}
	after := col{Title: x.env.T.Get("after"), Width: x.digits, Right: true, Rank: 2, Cell: func(e entry) string { return x.env.T.Count(e.movement.BalanceAfter) }}
	switch size.Class {
	case tui.Narrow:
		state.Width, state.Cell = 0, func(e entry) string { return names.State(x.env.T, e.movement.InventoryState) }
		return []col{state, change}
	case tui.Short:
		op.Width, change.Width, after.Width = 0, x.digits-2, x.digits-2
		return []col{op, state, change, after}
	case tui.Standard:
		return []col{when, op, state, change, before, after}
	}
	op.Width = 18
	first := func(cell func(m *api.Movement) string) func(entry) string {
		return func(e entry) string {
			if !e.first {
				return ""
			}
			return cell(&e.movement)
		}
	}
	why := col{Title: x.env.T.Get("why"), Width: 0, Rank: 6, Cell: first(stocktext.MovementReason)}
	who := col{Title: x.env.T.Get("by"), Width: 8, Rank: 7, Cell: first(func(m *api.Movement) string { return stocktext.MovementActor(x.env.T, m) })}
	lot := col{Title: x.env.T.Get("lot"), Width: 8, Rank: 8, Cell: func(e entry) string { return lotOf(&e.movement) }}
	if size.Class == tui.Wall {
		state.Cell = func(e entry) string { return names.State(x.env.T, e.movement.InventoryState) }
		op.Width, state.Width, who.Width, lot.Width = 34, 15, 20, 16
	}
	return []col{when, op, state, change, before, after, why, who, lot}
}

// detailText returns the details of a movement that a narrow list has no columns
// for.
func (x *explain) detailText(e entry) string {
	t := x.env.T

	words := []string{}
	add := func(s string) {
		if s != "" {
			words = append(words, s)
		}
	}
	add(stocktext.MovementReason(&e.movement))
	add(t.Get("by %s", stocktext.MovementActor(t, &e.movement)))
	if lot := lotOf(&e.movement); lot != "" {
		add(t.Get("lot %s", lot))
	}
	if e.movement.UnitCode != "" && e.movement.UnitQuantity != 0 {
		add(fmt.Sprintf("%s %s", t.Count(e.movement.UnitQuantity), e.movement.UnitCode))
	}
	if n := len(e.movement.Serials); n == 1 {
		add(t.Get("serial %s", e.movement.Serials[0].SerialNumber))
	} else if n > 1 {
		add(t.Get("%d serials: %s …", n, e.movement.Serials[0].SerialNumber))
	}
	return strings.Join(words, " · ")
}
