package balances

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/names"
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
	state := col{Title: x.env.T.Get("state"), Width: StateWidth(x.env.T), Cell: func(e entry) string { return names.ShortState(x.env.T, e.movement.InventoryState) }}
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
		op.Width = 0
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
	why := col{Title: x.env.T.Get("why"), Width: 0, Rank: 6, Cell: first(MovementReason)}
	who := col{Title: x.env.T.Get("by"), Width: 8, Rank: 7, Cell: first(MovementActor)}
	lot := col{Title: x.env.T.Get("lot"), Width: 8, Rank: 8, Cell: func(e entry) string { return lotOf(&e.movement) }}
	if size.Class == tui.Wall {
		state.Cell = func(e entry) string { return names.State(x.env.T, e.movement.InventoryState) }
		op.Width, state.Width, who.Width, lot.Width = 34, 15, 20, 16
	}
	return []col{when, op, state, change, before, after, why, who, lot}
}

// StateWidth returns the width of a column of short state names.
func StateWidth(t *i18n.Translator) int {
	width := 9
	for _, s := range api.States {
		width = max(width, widget.Width(names.ShortState(t, s)))
	}
	return width
}

// MovementReason returns the reference of the movement, and its reason if it has
// one.
func MovementReason(m *api.Movement) string {
	ref := m.ReferenceID
	if len(ref) == 36 && strings.Count(ref, "-") == 4 {
		ref = strings.ToUpper(ref[:8]) // an ID: its first digits are enough
		if m.ReferenceType != "" {
			ref = m.ReferenceType + " " + ref
		}
	}
	if m.Reason == "" || m.Reason == ref {
		return ref
	}
	if ref == "" {
		return m.Reason
	}
	return ref + ": " + m.Reason
}

// MovementActor returns the person who made the movement, or the key if no person is
// known.
func MovementActor(m *api.Movement) string {
	if m.CreatedBy != nil && m.CreatedBy.Label != "" {
		return m.CreatedBy.Label
	}
	if m.Actor.Label == "" {
		return string(m.Actor.Type)
	}
	return m.Actor.Label
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
	add(MovementReason(&e.movement))
	add(t.Get("by %s", MovementActor(&e.movement)))
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
