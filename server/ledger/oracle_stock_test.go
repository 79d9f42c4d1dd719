package ledger_test

import (
	"time"

	"pgregory.net/rapid"

	"bincard/server/api"
)

func (w *trial) adjust() {
	s, state, d := w.stockKey(), w.upto("state", 8), w.quantity()
	if rapid.IntRange(0, 2).Draw(w.r, "down") == 0 {
		d = -d
	}
	in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, InventoryState: api.States[state], QuantityDelta: d, Reason: "x"}
	agree(w, api.AdjustStock, in, func() api.Code {
		from := state
		if state == stOnHand {
			from = stAvailable
		}
		switch {
		case state == stIncoming && d > 0:
			w.o.add(s, state, unlotted(d))
			return ""
		case state == stIncoming:
			return w.o.remove(s, state, unlotted(-d), true)
		case d > 0:
			w.o.addOnHand(s, from, unlotted(d))
			return ""
		}
		parts, code := w.o.choose(s, from, -d, oPolicy{})
		if code != "" {
			return code
		}
		return w.o.removeOnHand(s, from, parts, true)
	})
}

func (w *trial) move() {
	states := []int{stAvailable, stReserved, stDamaged, stQuality, stSafety}
	s, q, i := w.stockKey(), w.quantity(), w.upto("from", 5)
	from, to := states[i], states[(i+1+w.upto("to", 4))%5]
	policy, lot, strategy := w.drawLotPolicy(s)
	in := api.MoveStockInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, Quantity: q, Reason: "x",
		SourceState: api.MovableState(api.States[from]), DestinationState: api.MovableState(api.States[to]), LotChoice: api.LotChoice{LotID: lot, LotStrategy: strategy}}
	agree(w, api.MoveStock, in, func() api.Code {
		parts, code := w.o.choose(s, from, q, policy)
		if code != "" {
			return code
		}
		return w.o.shift(s, from, to, parts, true)
	})
}

func (w *trial) receive() {
	s, q := w.stockKey(), w.quantity()
	lot, code, expires := w.batch()
	in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, Quantity: &q, NewLot: api.NewLot{LotCode: code, ExpiresAt: expires}}
	out, _ := agree(w, api.ReceiveStock, in, func() api.Code {
		w.o.addOnHand(s, stAvailable, inLot(lot, q))
		return ""
	})
	w.learn(s.product, out.Movements)
}

func (w *trial) giveBack() {
	s, q, state := w.stockKey(), w.quantity(), rapid.SampledFrom([]int{stAvailable, stQuality}).Draw(w.r, "state")
	in := api.ReturnStockInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, Quantity: &q, InventoryState: api.ReturnState(api.States[state])}
	lot := 1 + w.upto("lot", numLots-1)
	if in.LotID = w.lots[s.product][lot]; in.LotID == (api.ID{}) {
		lot = 0
	}
	agree(w, api.ReturnStock, in, func() api.Code {
		w.o.addOnHand(s, state, inLot(lot, q))
		return ""
	})
}

var outStates = []int{stAvailable, stReserved, stCommitted, stDamaged, stQuality, stSafety}

// out issues stock in the oracle.
func (w *trial) out(s stockAt, state int, q int64, policy oPolicy) api.Code {
	if state == stCommitted {
		return w.o.removeOnHand(s, state, unlotted(q), true)
	}
	parts, code := w.o.choose(s, state, q, policy)
	if code != "" {
		return code
	}
	return w.o.removeOnHand(s, state, parts, true)
}

func (w *trial) sell() {
	s, q, state := w.stockKey(), w.quantity(), rapid.SampledFrom(outStates).Draw(w.r, "state")
	policy, lot, strategy := w.drawLotPolicy(s)
	if state == stCommitted {
		policy, lot, strategy = oPolicy{}, api.ID{}, ""
	}
	policy.fresh = true
	in := api.FulfillStockInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, Quantity: &q,
		InventoryState: api.OnHandState(api.States[state]), LotChoice: api.LotChoice{LotID: lot, LotStrategy: strategy}}
	agree(w, api.FulfillStock, in, func() api.Code { return w.out(s, state, q, policy) })
}

func (w *trial) writeOff() {
	s, q, state := w.stockKey(), w.quantity(), rapid.SampledFrom(outStates).Draw(w.r, "state")
	policy, lot, strategy := w.drawLotPolicy(s)
	if state == stCommitted {
		policy, lot, strategy = oPolicy{}, api.ID{}, ""
	}
	in := api.WriteOffStockInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, Quantity: &q, Reason: "x",
		InventoryState: api.OnHandState(api.States[state]), LotChoice: api.LotChoice{LotID: lot, LotStrategy: strategy}}
	agree(w, api.WriteOffStock, in, func() api.Code { return w.out(s, state, q, policy) })
}

func (w *trial) count() {
	s, c := w.stockKey(), rapid.Int64Range(0, 20).Draw(w.r, "counted")
	in := api.ReconcileStockInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, CountedQuantity: &c}
	lot := w.upto("lot", numLots)
	if in.LotID = w.lots[s.product][lot]; in.LotID == (api.ID{}) {
		lot = 0
	}
	agree(w, api.ReconcileStock, in, func() api.Code {
		recorded := w.o.at(s)[stOnHand].sum()
		if lot > 0 {
			recorded = w.o.at(s)[stOnHand][lot]
		}
		if c >= recorded {
			w.o.addOnHand(s, stAvailable, inLot(lot, c-recorded))
			return ""
		}
		parts, code := w.o.choose(s, stAvailable, recorded-c, oPolicy{lot: lot})
		if code != "" {
			return code
		}
		return w.o.removeOnHand(s, stAvailable, parts, true)
	})
}

func (w *trial) reserve() {
	s, q := w.stockKey(), w.quantity()
	// All due times differ, so that the order of expiry is known.
	ends := w.o.now.Add(rapid.SampledFrom([]time.Duration{time.Second, time.Minute, time.Hour, 20 * time.Hour}).Draw(w.r, "for")).
		Add(time.Duration(len(w.reservations)) * time.Millisecond)
	in := api.CreateReservationInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, Quantity: q, ExpiresAt: &ends}
	out, ok := agree(w, api.CreateReservation, in, func() api.Code {
		parts, code := w.o.choose(s, stAvailable, q, oPolicy{fresh: true})
		if code == "" {
			code = w.o.shift(s, stAvailable, stReserved, parts, false)
		}
		if code == "" {
			w.o.reservations = append(w.o.reservations, &oReservation{at: s, q: q, holds: parts, ends: ends, status: api.ReservationPending})
		}
		return code
	})
	if ok {
		w.reservations = append(w.reservations, out.Reservation.ID)
	}
}

func (w *trial) endReservation() {
	if len(w.reservations) == 0 {
		return
	}
	i := w.upto("reservation", len(w.reservations))
	r, in := w.o.reservations[i], api.ReservationInput{ReservationID: w.reservations[i]}
	free := func(state int, status api.ReservationStatus) api.Code {
		code := w.o.shift(r.at, state, stAvailable, w.o.heldBy(r, state), false)
		r.holds, r.status = lotCell{}, status
		return code
	}
	pending := r.status == api.ReservationPending
	switch w.upto("how", 4) {
	case 0, 1:
		agree(w, api.CommitReservation, in, func() api.Code {
			if !pending {
				return api.ReservationNotPending
			}
			r.holds = w.o.heldBy(r, stReserved)
			r.status = api.ReservationCommitted
			return w.o.shift(r.at, stReserved, stCommitted, r.holds, false)
		})
	case 2:
		agree(w, api.CancelReservation, in, func() api.Code {
			if !pending {
				return api.ReservationNotPending
			}
			return free(stReserved, api.ReservationCancelled)
		})
	case 3:
		agree(w, api.ReleaseReservation, in, func() api.Code {
			switch {
			case pending:
				return free(stReserved, api.ReservationReleased)
			case r.status != api.ReservationCommitted:
				return api.ReservationNotPending
			case r.holds.sum() == 0:
				return api.NothingPending
			}
			return free(stCommitted, api.ReservationReleased)
		})
	}
}

func (w *trial) sellReserved() {
	if len(w.reservations) == 0 {
		return
	}
	i := w.upto("reservation", len(w.reservations))
	r := w.o.reservations[i]
	in := api.FulfillStockInput{StockKey: api.StockKey{ProductID: w.products[r.at.product], LocationID: w.locations[r.at.location]}, ReservationID: w.reservations[i]}
	q := r.holds.sum()
	if w.upto("all", 2) == 0 {
		q = w.quantity()
		in.Quantity = &q
	}
	agree(w, api.FulfillStock, in, func() api.Code {
		switch {
		case r.status != api.ReservationCommitted:
			return api.ReservationNotCommitted
		case r.holds.sum() == 0:
			return api.NothingPending
		case q > r.holds.sum():
			return api.QuantityExceedsPending
		}
		var parts lotCell
		rest := q
		for _, lot := range w.o.order(false) {
			parts[lot] = min(rest, r.holds[lot])
			rest -= parts[lot]
			r.holds[lot] -= parts[lot]
		}
		r.gone += q
		return w.o.removeOnHand(r.at, stCommitted, parts, false)
	})
}

func (w *trial) assemble() {
	location, q := w.upto("location", numLocations), rapid.Int64Range(1, 3).Draw(w.r, "kits")
	agree(w, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: w.products[basketID], LocationID: w.locations[location]}, Quantity: q}, func() api.Code {
		for p, n := range []int64{2 * q, q} {
			parts, code := w.o.choose(stockAt{p, location}, stAvailable, n, oPolicy{fresh: true})
			if code != "" {
				return code
			}
			w.o.removeOnHand(stockAt{p, location}, stAvailable, parts, false)
		}
		w.o.addOnHand(stockAt{basketID, location}, stAvailable, unlotted(q))
		return ""
	})
}

func (w *trial) disassemble() {
	s, q := w.stockKey(), rapid.Int64Range(1, 3).Draw(w.r, "kits")
	agree(w, api.DisassembleStock, api.DisassembleInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, Quantity: q}, func() api.Code {
		if s.product != basketID {
			return api.ProductNotComposed
		}
		parts, code := w.o.choose(s, stAvailable, q, oPolicy{})
		if code != "" {
			return code
		}
		w.o.removeOnHand(s, stAvailable, parts, false)
		w.o.addOnHand(stockAt{0, s.location}, stAvailable, unlotted(2*q))
		w.o.addOnHand(stockAt{1, s.location}, stAvailable, unlotted(q))
		return ""
	})
}
