package stock

import (
	"context"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"
)

// A mode is what a counted quantity does to the balance.
type mode string

const (
	less  mode = "less"
	more  mode = "more"
	exact mode = "exact" // the quantity is the new total
)

// A delta is the change of one state.
type delta struct {
	state         api.State
	before, after int64
}

func (d delta) change() int64 { return d.after - d.before }

// deltas returns the states that change when s is adjusted by d, s first.
func deltas(q api.Quantities, s api.State, d int64) []delta {
	other := api.OnHand
	if s == api.OnHand {
		other = api.Available
	}

	out := []delta{{s, q.Of(s), q.Of(s) + d}}
	if s != api.Incoming {
		out = append(out, delta{other, q.Of(other), q.Of(other) + d})
	}

	return out
}

// restoredText describes the undo of the last booking.
func (w *balanceScreen) restoredText() string {
	t, list := w.T, reversed(w.lastDeltas)
	if w.size.Small() {
		return t.Get("restored: %s", shortDeltaText(t, list))
	}
	return t.Get("%s restored: %s", w.item.SKU, deltasText(t, list))
}

// shortDeltaText returns the first delta for a small screen: "avail 204 → 199".
func shortDeltaText(t *i18n.Translator, list []delta) string {
	if len(list) == 0 {
		return ""
	}
	return names.ShortState(t, list[0].state) + " " + t.Count(list[0].before) + " → " + t.Count(list[0].after)
}

// deltasText returns the deltas in one line: "available 204 → 199".
func deltasText(t *i18n.Translator, list []delta) string {
	text := ""
	for i, d := range list {
		if i > 0 {
			text += ", "
		}
		text += names.State(t, d.state) + " " + t.Count(d.before) + " → " + t.Count(d.after)
	}

	return text
}

// A lotQuantity is a quantity of one lot, of no lot, or of serials.
type lotQuantity struct {
	quantity int64
	up       bool // it is added, not removed
	lot      api.ID
	lotCode  string      // instead of lot, for a lot that may be new
	lotLine  *count.Line // its count has the expiration date of a new lot
	serials  []string
}

// A stateChange is a change of one state, or the undo of one.
type stateChange struct {
	stockItem
	state  api.State
	reason string
	ref    api.Reference // of a count
	match  int64         // version that the balance must have; 0 means any
}

// buildSteps returns the writes that add or remove p.
func (c stateChange) buildSteps(t *i18n.Translator, p lotQuantity) ([]submit.Step, error) {
	what := t.Get("adjust %s by %s", c.item.SKU, t.Change(p.signed()))
	switch {
	case p.lot == api.NoID && p.lotCode == "" && len(p.serials) == 0:
		step, err := submit.NewStep(api.AdjustStock, api.AdjustStockInput{
			StockKey:       c.stockKey(),
			InventoryState: c.state,
			QuantityDelta:  p.signed(),
			Reason:         c.reason,
		}, what)

		step.IfMatch = c.match
		return []submit.Step{step}, err

	case p.up:
		return c.receiveSteps(t, p, what)
	}

	return c.writeOffSteps(p, what)
}

func (p *lotQuantity) signed() int64 {
	if p.up {
		return p.quantity
	}
	return -p.quantity
}

// baseState returns the state in which an adjustment of s is booked: available for on
// hand.
func baseState(s api.State) api.State {
	if s == api.OnHand {
		return api.Available
	}
	return s
}

// receiveSteps returns the writes that receive a lot or serials and move them to their
// state.
func (c stateChange) receiveSteps(t *i18n.Translator, p lotQuantity, what string) ([]submit.Step, error) {
	in := api.ReceiveStockInput{
		StockKey:  c.stockKey(),
		Quantity:  &p.quantity,
		Reason:    c.reason,
		Reference: c.ref,
		NewLot:    api.NewLot{LotID: p.lot, LotCode: p.lotCode},
	}

	if p.lotLine != nil && !p.lotLine.Count.ExpiresAt.IsZero() && p.lot == api.NoID {
		in.ExpiresAt = &p.lotLine.Count.ExpiresAt
	}
	for _, s := range p.serials {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: s})
	}

	step, err := submit.NewStep(api.ReceiveStock, in, what)
	step.IfMatch = c.match
	if err != nil || baseState(c.state) == api.Available {
		return []submit.Step{step}, err
	}

	move, err := c.moveStep(t, api.Available, c.state, p)
	move.UsePreviousLot = p.lotCode != "" && len(p.serials) == 0

	return []submit.Step{step, move}, err
}

// writeOffSteps returns the write that writes off a lot or serials.
func (c stateChange) writeOffSteps(p lotQuantity, what string) ([]submit.Step, error) {
	step, err := submit.NewStep(api.WriteOffStock, api.WriteOffStockInput{
		StockKey:       c.stockKey(),
		Quantity:       &p.quantity,
		InventoryState: api.OnHandState(baseState(c.state)),
		Reason:         c.reason,
		Reference:      c.ref,
		LotChoice:      api.LotChoice{LotID: p.lot},
		SerialChoice:   api.SerialChoice{SerialNumbers: p.serials},
	}, what)

	step.IfMatch = c.match

	return []submit.Step{step}, err
}

// moveStep returns the write that moves p from one state to another.
func (c stateChange) moveStep(t *i18n.Translator, from, to api.State, p lotQuantity) (submit.Step, error) {
	in := api.MoveStockInput{
		StockKey:         c.stockKey(),
		Quantity:         p.quantity,
		SourceState:      api.MovableState(from),
		DestinationState: api.MovableState(to),
		Reason:           c.reason,
		SerialChoice:     api.SerialChoice{SerialNumbers: p.serials},
	}

	in.LotID = p.lot

	return submit.NewStep(api.MoveStock, in, t.Get("move %s %s to %s", t.Count(p.quantity), c.item.SKU,
		names.State(t, to)))
}

// countedQuantity returns the count of a line. A lot that must exist is named by ID.
func countedQuantity(ctx context.Context, site *session.Site, l count.Line, up bool) (lotQuantity, error) {
	p := lotQuantity{quantity: l.Count.Quantity, up: up, serials: l.Count.Serials}
	if l.Count.Lot == "" {
		return p, nil
	}
	if up { // the lot may be new: the service finds it by its code
		p.lotCode, p.lotLine = l.Count.Lot, &l
		return p, nil
	}

	var err error
	p.lot, err = site.LotID(ctx, l)

	return p, err
}

// lotQuantities returns the quantities of the movements that changed a state.
func lotQuantities(moves []api.Movement, s api.State) (out []lotQuantity) {
	for _, m := range moves {
		if m.InventoryState != s || m.Quantity == 0 {
			continue
		}

		p := lotQuantity{quantity: max(m.Quantity, -m.Quantity), up: m.Quantity > 0, lot: m.LotID}
		for _, piece := range m.Serials {
			p.serials = append(p.serials, piece.SerialNumber)
		}

		out = append(out, p)
	}

	return out
}
