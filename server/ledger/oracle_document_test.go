package ledger_test

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/api"
)

func (w *trial) expect() {
	s, q := w.stockKey(), w.quantity()
	out, _ := agree(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: w.products[s.product], LocationID: w.locations[s.location]}, ExpectedQuantity: q}, func() api.Code {
		w.o.add(s, stIncoming, unlotted(q))
		w.o.inbounds = append(w.o.inbounds, &oInbound{at: s, expected: q, status: api.InboundExpected})
		return ""
	})
	w.inbounds = append(w.inbounds, out.Inbound.ID)
}

func (w *trial) inbound() {
	if len(w.inbounds) == 0 {
		w.expect()
	}
	i := w.upto("inbound", len(w.inbounds))
	d, id := w.o.inbounds[i], w.inbounds[i]
	var out api.InboundResult
	var ok bool
	end := func(status api.InboundStatus) api.Code {
		if !d.status.Open() {
			return api.InboundNotOpen
		}
		d.status = status
		return w.o.remove(d.at, stIncoming, unlotted(d.expected-d.received), false)
	}
	switch w.upto("how", 6) {
	case 0:
		out, ok = agree(w, api.CancelInbound, api.InboundInput{InboundID: id}, func() api.Code {
			if d.received > 0 {
				return api.InboundAlreadyReceived
			}
			return end(api.InboundCancelled)
		})
	case 1:
		out, ok = agree(w, api.CloseInbound, api.CloseInboundInput{InboundID: id}, func() api.Code { return end(api.InboundClosed) })
	default:
		out, ok = w.receiveInbound(d, id)
	}
	if ok {
		require.Equal(w.r, []any{d.status, d.received}, []any{out.Inbound.Status, out.Inbound.ReceivedQuantity})
	}
}

func (w *trial) receiveInbound(d *oInbound, id api.ID) (api.InboundResult, bool) {
	q := w.quantity()
	lot, code, expires := w.batch()
	in := api.ReceiveInboundInput{InboundID: id, Quantity: q, NewLot: api.NewLot{LotCode: code, ExpiresAt: expires}}
	out, ok := agree(w, api.ReceiveInbound, in, func() api.Code {
		switch {
		case !d.status.Open():
			return api.InboundNotOpen
		case d.received+q > d.expected*(100+w.o.tolerance)/100:
			return api.QuantityExceedsPending
		}
		w.o.remove(d.at, stIncoming, unlotted(min(q, d.expected-d.received)), false)
		w.o.addOnHand(d.at, stAvailable, inLot(lot, q))
		d.received += q
		d.status = api.InboundPartiallyReceived
		if d.received >= d.expected {
			d.status = api.InboundReceived
		}
		return ""
	})
	w.learn(d.at.product, out.Movements)
	return out, ok
}

// tolerate sets a random over-receipt tolerance.
func (w *trial) tolerate() {
	w.o.tolerance = rapid.SampledFrom([]int64{0, 20, 50, 100}).Draw(w.r, "tolerance")
	w.Allow(api.Rules{OverReceiptPercent: w.o.tolerance})
}

func (w *trial) transfer() {
	s, q := w.stockKey(), w.quantity()
	in := api.CreateTransferInput{ProductID: w.products[s.product], SourceLocationID: w.locations[s.location], DestinationLocationID: w.locations[1-s.location], Quantity: q}
	out, _ := agree(w, api.CreateTransfer, in, func() api.Code {
		w.o.transfers = append(w.o.transfers, &oTransfer{product: s.product, from: s.location, to: 1 - s.location, q: q, status: api.TransferInTransit})
		return ""
	})
	w.transfers = append(w.transfers, out.Transfer.ID)
}

func (d *oTransfer) source() stockAt      { return stockAt{d.product, d.from} }
func (d *oTransfer) destination() stockAt { return stockAt{d.product, d.to} }

func (w *trial) moveTransfer() {
	if len(w.transfers) == 0 {
		w.transfer()
	}
	i := w.upto("transfer", len(w.transfers))
	d, in := w.o.transfers[i], api.MoveTransferInput{TransferID: w.transfers[i]}
	ship := w.upto("ship", 2) == 0
	pending := d.transit.sum()
	if ship {
		pending = d.q - d.shipped
	}
	q := pending
	if w.upto("all", 2) == 0 {
		q = w.quantity()
		in.Quantity = &q
	}
	can := func() api.Code {
		switch {
		case d.status != api.TransferInTransit:
			return api.TransferNotOpen
		case pending == 0:
			return api.NothingPending
		case q > pending:
			return api.QuantityExceedsPending
		}
		return ""
	}
	var current api.Transfer
	var ok bool
	if ship {
		var out api.TransferSourceResult
		out, ok = agree(w, api.ShipTransfer, in, func() api.Code {
			if code := can(); code != "" {
				return code
			}
			return w.shipped(d, q)
		})
		current = out.Transfer
	} else {
		var out api.TransferDestinationResult
		out, ok = agree(w, api.ReceiveTransfer, in, func() api.Code {
			if code := can(); code != "" {
				return code
			}
			w.arrived(d, q)
			return ""
		})
		current = out.Transfer
	}
	if ok {
		require.Equal(w.r, []any{d.status, d.shipped, d.got}, []any{current.Status, current.ShippedQuantity, current.ReceivedQuantity})
	}
}

func (w *trial) shipped(d *oTransfer, q int64) api.Code {
	parts, code := w.o.choose(d.source(), stAvailable, q, oPolicy{fresh: true})
	if code == "" {
		code = w.o.removeOnHand(d.source(), stAvailable, parts, false)
	}
	if code != "" {
		return code
	}
	w.o.add(d.destination(), stIncoming, parts)
	for lot, n := range parts {
		d.transit[lot] += n
	}
	d.shipped += q
	return ""
}

func (w *trial) arrived(d *oTransfer, q int64) {
	var parts lotCell
	rest := q
	for _, lot := range w.o.order(false) {
		parts[lot] = min(rest, d.transit[lot])
		rest -= parts[lot]
		d.transit[lot] -= parts[lot]
	}
	w.o.remove(d.destination(), stIncoming, parts, false)
	w.o.addOnHand(d.destination(), stAvailable, parts)
	if d.got += q; d.got == d.q {
		d.status = api.TransferReceived
	}
}

func (w *trial) endTransfer() {
	if len(w.transfers) == 0 || w.upto("really", 2) == 0 {
		return
	}
	i := w.upto("transfer", len(w.transfers))
	d, id := w.o.transfers[i], w.transfers[i]
	end := func(status api.TransferStatus, back bool) api.Code {
		if d.status != api.TransferInTransit {
			return api.TransferNotOpen
		}
		w.o.remove(d.destination(), stIncoming, d.transit, false)
		if back {
			w.o.addOnHand(d.source(), stAvailable, d.transit)
		}
		d.transit, d.status = lotCell{}, status
		return ""
	}
	if w.upto("close", 2) == 0 {
		agree(w, api.CloseTransfer, api.CloseTransferInput{TransferID: id, Reason: "lost"}, func() api.Code { return end(api.TransferClosed, false) })
		return
	}
	agree(w, api.CancelTransfer, api.TransferInput{TransferID: id}, func() api.Code { return end(api.TransferCancelled, true) })
}

func (w *trial) order() {
	s, q := w.stockKey(), w.quantity()
	out, _ := agree(w, api.CreateOutbound, api.CreateOutboundInput{ProductID: w.products[s.product], LocationID: w.locations[s.location], RequestedQuantity: &q}, func() api.Code {
		d := &oOutbound{at: s, requested: q}
		w.o.allocate(d, q)
		w.o.outbounds = append(w.o.outbounds, d)
		return ""
	})
	w.outbounds = append(w.outbounds, out.Outbound.ID)
	w.sameOutbound(len(w.outbounds)-1, out.Outbound)
}

func (w *trial) sameOutbound(i int, got api.Outbound) {
	d := w.o.outbounds[i]
	require.Equal(w.r, d.progress(), got.Progress)
	require.Equal(w.r, d.status(), got.Status)
}

func (w *trial) cancelOutbound() {
	if len(w.outbounds) == 0 {
		return
	}
	i := w.upto("outbound", len(w.outbounds))
	d := w.o.outbounds[i]
	out, ok := agree(w, api.CancelOutbound, api.OutboundInput{OutboundID: w.outbounds[i]}, func() api.Code {
		if !d.status().Open() {
			return api.OutboundNotOpen
		}
		for k := range d.holds {
			h := &d.holds[k]
			w.o.shift(d.at, stCommitted, stAvailable, inLot(h.lot, h.allocated-h.fulfilled), false)
			h.allocated, h.picked, h.packed = h.fulfilled, h.fulfilled, h.fulfilled
		}
		d.cancelled = true
		return ""
	})
	if ok {
		w.sameOutbound(i, out.Outbound)
	}
}
