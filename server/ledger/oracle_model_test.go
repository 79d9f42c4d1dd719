package ledger_test

import (
	"slices"
	"time"

	"bincard/server/api"
)

// The oracle implements the ledger's rules again, as simply as possible: with arrays of
// quantities, without a journal or a store.
const (
	stOnHand = iota
	stAvailable
	stReserved
	stCommitted
	stIncoming
	stDamaged
	stQuality
	stSafety
)

const (
	numProducts  = 3 // oats, milk, and a basket of 2 oats and 1 milk
	numLocations = 2
	numLots      = 4 // 0 is no lot
	basketID     = 2
)

// A lotCell has quantities by lot.
type lotCell [numLots]int64

func (c lotCell) sum() (q int64) {
	for _, n := range c {
		q += n
	}
	return q
}

// A stockAt is a product at a location.
type stockAt struct{ product, location int }

type oracle struct {
	now     time.Time
	expires [numLots]time.Time // zero: never
	stock   [numProducts][numLocations][8]lotCell

	inbounds     []*oInbound
	tolerance    int64 // of receipts, in percent
	transfers    []*oTransfer
	outbounds    []*oOutbound
	reservations []*oReservation
}

type oInbound struct {
	at                 stockAt
	expected, received int64
	status             api.InboundStatus
}

type oTransfer struct {
	product, from, to int
	q, shipped, got   int64
	transit           lotCell
	status            api.TransferStatus
}

type oHold struct {
	lot                                        int
	allocated, picked, packed, sent, fulfilled int64
}

type oOutbound struct {
	at        stockAt
	requested int64
	holds     []oHold
	cancelled bool
}

type oReservation struct {
	at      stockAt
	q, gone int64
	holds   lotCell
	ends    time.Time
	status  api.ReservationStatus
}

func (o *oracle) at(s stockAt) *[8]lotCell { return &o.stock[s.product][s.location] }

func (o *oracle) expired(lot int) bool {
	return lot > 0 && !o.expires[lot].IsZero() && !o.expires[lot].After(o.now)
}

// order lists the lots in the order to take them: no lot first (last if fefo), then by expiry.
func (o *oracle) order(fefo bool) []int {
	lots := []int{1, 2, 3}
	slices.SortFunc(lots, func(a, b int) int {
		x, y := o.expires[a], o.expires[b]
		switch {
		case x.IsZero() && y.IsZero():
			return 0
		case x.IsZero():
			return 1
		case y.IsZero():
			return -1
		}
		return x.Compare(y)
	})
	if fefo {
		return append(lots, 0)
	}
	return append([]int{0}, lots...)
}

// An oPolicy says which lots to take.
type oPolicy struct {
	lot         int
	fefo, fresh bool
}

// choose splits q of a state by lot.
func (o *oracle) choose(s stockAt, state int, q int64, policy oPolicy) (out lotCell, code api.Code) {
	have := o.at(s)[state]
	if policy.lot > 0 {
		if policy.fresh && o.expired(policy.lot) {
			return out, api.InsufficientStock
		}
		out[policy.lot] = q
		return out, ""
	}
	for _, lot := range o.order(policy.fefo) {
		if policy.fresh && o.expired(lot) {
			continue
		}
		n := min(q, have[lot])
		out[lot] += n
		q -= n
	}
	if q > 0 {
		return out, api.InsufficientStock
	}
	return out, ""
}

// backed returns what documents hold of a state.
func (o *oracle) backed(s stockAt, state int) (q int64) {
	switch state {
	case stReserved, stCommitted:
		want := map[int]api.ReservationStatus{stReserved: api.ReservationPending, stCommitted: api.ReservationCommitted}[state]
		for _, r := range o.reservations {
			if r.at == s && r.status == want {
				q += r.holds.sum()
			}
		}
		for _, d := range o.outbounds {
			if state == stCommitted && d.at == s && !d.cancelled {
				for _, h := range d.holds {
					q += h.allocated - h.fulfilled
				}
			}
		}
	case stIncoming:
		for _, d := range o.inbounds {
			if d.at == s && d.status.Open() {
				q += d.expected - d.received
			}
		}
		for _, d := range o.transfers {
			if d.product == s.product && d.to == s.location && d.status == api.TransferInTransit {
				q += d.transit.sum()
			}
		}
	}
	return q
}

// remove takes parts out of a state; manually, it must leave what documents hold.
func (o *oracle) remove(s stockAt, state int, parts lotCell, manual bool) api.Code {
	have := &o.at(s)[state]
	switch q := parts.sum(); {
	case q > have.sum():
		return api.InsufficientStock
	case manual && q > 0 && have.sum()-q < o.backed(s, state):
		return api.StateBackedByDocuments
	}
	for lot, n := range parts {
		if have[lot] < n {
			return api.InsufficientStock
		}
		have[lot] -= n
	}
	return ""
}

func (o *oracle) add(s stockAt, state int, parts lotCell) {
	for lot, n := range parts {
		o.at(s)[state][lot] += n
	}
}

// shift moves parts between states.
func (o *oracle) shift(s stockAt, from, to int, parts lotCell, manual bool) api.Code {
	code := o.remove(s, from, parts, manual)
	if code == "" {
		o.add(s, to, parts)
	}
	return code
}

// removeOnHand takes parts out of a state and out of on hand.
func (o *oracle) removeOnHand(s stockAt, state int, parts lotCell, manual bool) api.Code {
	code := o.remove(s, state, parts, manual)
	if code == "" {
		code = o.remove(s, stOnHand, parts, false)
	}
	return code
}

// addOnHand adds parts to a state and to on hand.
func (o *oracle) addOnHand(s stockAt, state int, parts lotCell) {
	o.add(s, state, parts)
	o.add(s, stOnHand, parts)
}

func unlotted(q int64) (c lotCell) {
	c[0] = q
	return c
}

func inLot(lot int, q int64) (c lotCell) {
	c[lot] = q
	return c
}

// heldBy returns the stock that a reservation holds in a state: its own lots, or others instead.
func (o *oracle) heldBy(r *oReservation, state int) (out lotCell) {
	have := o.at(r.at)[state]
	missing := int64(0)
	for lot, q := range r.holds {
		n := min(q, have[lot])
		out[lot], have[lot] = n, have[lot]-n
		missing += q - n
	}
	for _, lot := range o.order(false) {
		n := min(missing, have[lot])
		out[lot] += n
		missing -= n
	}
	return out
}

// pass advances the clock and expires reservations in the order they fall due.
func (o *oracle) pass(d time.Duration) {
	o.now = o.now.Add(d)
	var due []*oReservation
	for _, r := range o.reservations {
		if r.status == api.ReservationPending && !r.ends.After(o.now) {
			due = append(due, r)
		}
	}
	slices.SortStableFunc(due, func(a, b *oReservation) int { return a.ends.Compare(b.ends) })
	for _, r := range due {
		o.shift(r.at, stReserved, stAvailable, o.heldBy(r, stReserved), false)
		r.holds, r.status = lotCell{}, api.ReservationExpired
	}
}

func (d *oOutbound) progress() (p api.Progress) {
	p.RequestedQuantity = d.requested
	for _, h := range d.holds {
		p.AllocatedQuantity += h.allocated
		p.PickedQuantity += h.picked
		p.PackedQuantity += h.packed
		p.FulfilledQuantity += h.fulfilled
	}
	p.UpdatePending()
	return p
}

func (d *oOutbound) status() api.OutboundStatus {
	if d.cancelled {
		return api.OutboundCancelled
	}
	return d.progress().Status()
}

// allocate allocates up to q of unexpired stock to the outbound.
func (o *oracle) allocate(d *oOutbound, q int64) int64 {
	free := int64(0)
	for lot, n := range o.at(d.at)[stAvailable] {
		if !o.expired(lot) {
			free += n
		}
	}
	q = min(q, free)
	parts, _ := o.choose(d.at, stAvailable, q, oPolicy{fresh: true})
	o.shift(d.at, stAvailable, stCommitted, parts, false)
	for _, lot := range o.order(false) {
		if parts[lot] == 0 {
			continue
		}
		i := slices.IndexFunc(d.holds, func(h oHold) bool { return h.lot == lot })
		if i < 0 {
			d.holds = append(d.holds, oHold{lot: lot})
			i = len(d.holds) - 1
		}
		d.holds[i].allocated += parts[lot]
	}
	return q
}

// step takes q through one stage of the holds, in their order.
func (d *oOutbound) step(q int64, done, limit func(*oHold) *int64) (parts lotCell) {
	for i := range d.holds {
		h := &d.holds[i]
		n := min(q, *limit(h)-*done(h))
		if n > 0 {
			*done(h) += n
			parts[h.lot] += n
			q -= n
		}
	}
	return parts
}
