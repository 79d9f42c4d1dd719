package stock

import (
	"context"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// mode is what a number does to the balance.
type mode string

const (
	less  mode = "less"
	more  mode = "more"
	exact mode = "exact" // the number is what there shall be
)

// A delta is how one state changes.
type delta struct {
	state         api.State
	before, after int64
}

func (d delta) by() int64 { return d.after - d.before }

// deltas are the states that change when a state is adjusted by d, the one that
// was meant first.
func deltas(q api.Quantities, s api.State, d int64) []delta {
	also := api.OnHand
	if s == api.OnHand {
		also = api.Available
	}
	out := []delta{{s, q.Of(s), q.Of(s) + d}}
	if s != api.Incoming {
		out = append(out, delta{also, q.Of(also), q.Of(also) + d})
	}
	return out
}

// tell notes what some movements did, on top of what the steps before them did.
func (w *work) tell(moves []api.Movement) {
	for _, m := range moves {
		i := slices.IndexFunc(w.done, func(d delta) bool { return d.state == m.InventoryState })
		if i < 0 {
			w.done = append(w.done, delta{state: m.InventoryState, before: m.BalanceBefore})
			i = len(w.done) - 1
		}
		w.done[i].after = m.BalanceAfter
	}
	w.done = slices.DeleteFunc(w.done, func(d delta) bool { return d.by() == 0 })
}

// said is what was done, in words; the next change needs a reason of its own.
func (w *work) said(int64) string {
	w.now.Reason = ""
	return w.goods.SKU + ": " + telling(w.done)
}

// telling is the deltas in one line: "available 204 → 199".
func telling(list []delta) string {
	text := ""
	for i, d := range list {
		if i > 0 {
			text += ", "
		}
		text += d.state.Title() + " " + widget.Count(d.before) + " → " + widget.Count(d.after)
	}
	return text
}

// A part is a quantity that is alike: of one lot or of none, or pieces by number.
type part struct {
	n       int64
	lot     api.ID
	code    string     // of a lot that may be new, in place of lot
	ends    *dock.Line // whose count says when a new lot ends
	serials []string
}

// A correction is a change of one state that was decided, and may be taken back.
type correction struct {
	subject
	state  api.State
	reason string
	match  int64 // the version the balance must still have; 0 is any
}

// steps are the writes that bring (up) or take the part.
func (c correction) steps(p part, up bool) ([]dock.Step, error) {
	what := fmt.Sprintf(stepAdjust, c.goods.SKU, widget.Change(signed(p.n, up)))
	switch {
	case p.lot == (api.ID{}) && p.code == "" && len(p.serials) == 0:
		owner, channel := c.whose()
		step, err := dock.NewStep(api.AdjustStock, api.AdjustStockInput{ProductID: c.goods.ID, LocationID: c.place.ID, OwnerID: owner,
			ChannelID: channel, InventoryState: c.state, QuantityDelta: signed(p.n, up), Reason: c.reason}, what)
		step.Match = c.match
		return []dock.Step{step}, err
	case up:
		return c.bring(p, what)
	}
	return c.take(p, what)
}

func signed(n int64, up bool) int64 {
	if up {
		return n
	}
	return -n
}

// on is the state in which goods on hand stand when nothing else is said.
func on(s api.State) api.State {
	if s == api.OnHand {
		return api.Available
	}
	return s
}

// bring receives goods of a lot or by number, and moves them on to their state.
func (c correction) bring(p part, what string) ([]dock.Step, error) {
	owner, channel := c.whose()
	in := api.ReceiveStockInput{ProductID: c.goods.ID, LocationID: c.place.ID, OwnerID: owner, ChannelID: channel,
		Quantity: &p.n, Reason: c.reason, LotID: p.lot, LotCode: p.code}
	if p.ends != nil && !p.ends.Count.Ends.IsZero() && p.lot == (api.ID{}) {
		in.ExpiresAt = &p.ends.Count.Ends
	}
	for _, s := range p.serials {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: s})
	}
	step, err := dock.NewStep(api.ReceiveStock, in, what)
	step.Match = c.match
	if err != nil || on(c.state) == api.Available {
		return []dock.Step{step}, err
	}
	move, err := c.move(api.Available, c.state, p)
	move.LotOf = p.code != "" && len(p.serials) == 0
	return []dock.Step{step, move}, err
}

// take writes goods of a lot or by number off.
func (c correction) take(p part, what string) ([]dock.Step, error) {
	owner, channel := c.whose()
	step, err := dock.NewStep(api.WriteOffStock, api.WriteOffStockInput{ProductID: c.goods.ID, LocationID: c.place.ID, OwnerID: owner,
		ChannelID: channel, Quantity: &p.n, InventoryState: api.GoodsState(on(c.state)), Reason: c.reason, LotID: p.lot,
		SerialNumbers: p.serials}, what)
	step.Match = c.match
	return []dock.Step{step}, err
}

// move moves a part from one state to another.
func (c correction) move(from, to api.State, p part) (dock.Step, error) {
	owner, channel := c.whose()
	in := api.MoveStockInput{ProductID: c.goods.ID, LocationID: c.place.ID, OwnerID: owner, ChannelID: channel, Quantity: p.n,
		SourceState: api.MovableState(from), DestinationState: api.MovableState(to), Reason: c.reason, SerialNumbers: p.serials}
	if len(p.serials) == 0 {
		in.LotID = p.lot
	}
	return dock.NewStep(api.MoveStock, in, fmt.Sprintf(stepMove, widget.Count(p.n), c.goods.SKU, to.Title()))
}

// counted is what the bench counted as a part; known lots are named by id.
func counted(ctx context.Context, site *dock.Site, l dock.Line, up bool) (part, error) {
	p := part{n: l.Count.Now, serials: l.Count.Serials}
	if l.Count.Lot == "" || len(p.serials) > 0 && !up {
		return p, nil
	}
	if up { // the lot may be new: the service finds it by its code
		p.code, p.ends = l.Count.Lot, &l
		return p, nil
	}
	var err error
	p.lot, err = site.LotID(ctx, l)
	return p, err
}

// parts are the lots that some movements of a state were of, one part each.
func parts(moves []api.Movement, s api.State) (out []part) {
	for _, m := range moves {
		if m.InventoryState != s || m.Quantity == 0 {
			continue
		}
		n := m.Quantity
		if n < 0 {
			n = -n
		}
		p := part{n: n, lot: m.LotID}
		for _, piece := range m.Serials {
			p.serials = append(p.serials, piece.SerialNumber)
		}
		out = append(out, p)
	}
	return out
}
