package ledger_test

import "bincard/server/api"

// The stages of a hold.
func allocatedOf(h *oHold) *int64 { return &h.allocated }
func pickedOf(h *oHold) *int64    { return &h.picked }
func packedOf(h *oHold) *int64    { return &h.packed }
func sentOf(h *oHold) *int64      { return &h.sent }
func fulfilledOf(h *oHold) *int64 { return &h.fulfilled }

// due draws a quantity for an operation and returns the expected error code.
func (w *trial) due(d *oOutbound, pending int64) (q int64, input *int64, code api.Code) {
	q = pending
	if w.upto("all", 2) == 0 {
		q = w.quantity()
		input = &q
	}
	switch {
	case !d.status().Open():
		code = api.OutboundNotOpen
	case pending == 0:
		code = api.NothingPending
	case q > pending:
		code = api.QuantityExceedsPending
	}
	return q, input, code
}

func (w *trial) handle() {
	if len(w.outbounds) == 0 {
		w.order()
	}
	i := w.upto("outbound", len(w.outbounds))
	d, in, p := w.o.outbounds[i], api.HandleOutboundInput{OutboundID: w.outbounds[i]}, w.o.outbounds[i].progress()
	var op api.Operation[api.HandleOutboundInput, api.OutboundResult]
	var q int64
	var code api.Code
	var do func() api.Code
	switch w.upto("how", 5) {
	case 0:
		op = api.AllocateOutbound
		q, in.Quantity, code = w.due(d, p.PendingAllocationQuantity)
		do = func() api.Code { return w.allocated(d, q, in.Quantity != nil) }
	case 1:
		op = api.PickOutbound
		q, in.Quantity, code = w.due(d, p.PendingPickQuantity)
		do = func() api.Code { d.step(q, pickedOf, allocatedOf); return "" }
	case 2:
		op = api.PackOutbound
		q, in.Quantity, code = w.due(d, p.PendingPackQuantity)
		do = func() api.Code { d.step(q, packedOf, pickedOf); return "" }
	case 3:
		op = api.ShipOutbound
		ready := int64(0)
		for _, h := range d.holds {
			ready += h.packed - max(h.sent, h.fulfilled)
		}
		q, in.Quantity, code = w.due(d, ready)
		do = func() api.Code { d.catchUp(); d.step(q, sentOf, packedOf); return "" }
	case 4:
		op = api.UnpickOutbound
		ready := int64(0)
		for _, h := range d.holds {
			ready += h.picked - max(h.sent, h.fulfilled)
		}
		q, in.Quantity, code = w.due(d, ready)
		do = func() api.Code {
			d.catchUp()
			d.takeBack(q-(p.PickedQuantity-p.PackedQuantity), packedOf, sentOf)
			d.takeBack(q, pickedOf, packedOf)
			return ""
		}
	}
	out, ok := agree(w, op, in, func() api.Code {
		if code != "" {
			return code
		}
		return do()
	})
	if ok {
		w.sameOutbound(i, out.Outbound)
	}
}

// catchUp counts what was fulfilled as sent.
func (d *oOutbound) catchUp() {
	for k := range d.holds {
		d.holds[k].sent = max(d.holds[k].sent, d.holds[k].fulfilled)
	}
}

// takeBack takes q back from a stage, down to the next one.
func (d *oOutbound) takeBack(q int64, done, least func(*oHold) *int64) {
	for k := range d.holds {
		n := max(0, min(q, *done(&d.holds[k])-*least(&d.holds[k])))
		*done(&d.holds[k]) -= n
		q -= n
	}
}

// allocated allocates q, or if whole is false as much as is available.
func (w *trial) allocated(d *oOutbound, q int64, whole bool) api.Code {
	free := int64(0)
	for lot, n := range w.o.at(d.at)[stAvailable] {
		if !w.o.expired(lot) {
			free += n
		}
	}
	if free == 0 || whole && free < q {
		return api.InsufficientStock
	}
	w.o.allocate(d, q)
	return ""
}

func (w *trial) fulfill() {
	if len(w.outbounds) == 0 {
		return
	}
	i := w.upto("outbound", len(w.outbounds))
	d := w.o.outbounds[i]
	in := api.FulfillOutboundInput{OutboundID: w.outbounds[i]}
	var q int64
	var code api.Code
	q, in.Quantity, code = w.due(d, d.progress().PendingFulfillmentQuantity)
	out, ok := agree(w, api.FulfillOutbound, in, func() api.Code {
		if code != "" {
			return code
		}
		rest := q
		for _, limit := range []func(*oHold) *int64{packedOf, pickedOf, allocatedOf} {
			parts := d.step(rest, fulfilledOf, limit)
			rest -= parts.sum()
			w.o.removeOnHand(d.at, stCommitted, parts, false)
		}
		for k := range d.holds {
			h := &d.holds[k]
			h.picked, h.packed = max(h.picked, h.fulfilled), max(h.packed, h.fulfilled)
		}
		return ""
	})
	if ok {
		w.sameOutbound(i, out.Outbound)
	}
}
