package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
)

// checkDocuments checks the documents and sums up what open ones hold of reserved,
// committed and incoming.
func (v *verification) checkDocuments() error {
	err := verifyTable(v, inbounds, func(doc *inbound) {
		checkDocumentRow(v, journal.InboundKind, doc.ID, doc)
		if doc.Status.Open() {
			v.addHeld(doc.stockKey(), Incoming, doc.ExpectedQuantity-doc.ReceivedQuantity)
		}
	})
	if err != nil {
		return err
	}
	if err := verifyTable(v, outbounds, v.checkOutbound); err != nil {
		return err
	}
	if err := verifyTable(v, reservations, v.checkReservation); err != nil {
		return err
	}
	return verifyTable(v, transfers, func(doc *transfer) {
		checkDocumentRow(v, journal.TransferKind, doc.ID, doc)
		if doc.Status != api.TransferInTransit {
			return
		}
		pending := doc.ShippedQuantity - doc.ReceivedQuantity
		v.addHeld(doc.destination(), Incoming, pending)
		var sum int64
		for _, p := range doc.Transit {
			sum += p.Quantity
		}
		if sum != pending {
			v.reportFault("transfer "+doc.ID.String(), "in transit is %d, but its parts sum to %d", pending, sum)
		}
	})
}

// checkOutbound checks an outbound and adds what its lines hold.
func (v *verification) checkOutbound(doc *outbound) {
	checkDocumentRow(v, journal.OutboundKind, doc.ID, doc)
	name := "outbound " + doc.ID.String()
	if len(doc.Holds) != len(doc.Lines) {
		v.reportFault(name, "has %d lines, but holds for %d", len(doc.Lines), len(doc.Holds))
		return
	}
	if doc.Outbound.Status == api.OutboundCancelled {
		return
	}
	for i := range doc.Lines {
		var held int64
		for _, h := range doc.Holds[i] {
			held += h.Allocated - h.Fulfilled
		}
		v.addHeld(doc.stockKey(i), Committed, held)
		if p := doc.Lines[i].PendingFulfillmentQuantity; p != held {
			v.reportFault(name, "line %d has %d allocated and not fulfilled, but holds %d", i+1, p, held)
		}
	}
}

// checkReservation checks a reservation and adds what it holds.
func (v *verification) checkReservation(doc *reservation) {
	checkDocumentRow(v, journal.ReservationKind, doc.ID, doc)
	state, holds := doc.state()
	if !holds {
		if q := doc.held(); q != 0 {
			v.reportFault("reservation "+doc.ID.String(), "is %s but still holds %d", doc.Status, q)
		}
		return
	}
	v.addHeld(doc.stockKey(), state, doc.held())
	if q := doc.held() + doc.FulfilledQuantity; q != doc.Quantity {
		v.reportFault("reservation "+doc.ID.String(), "quantity is %d, but it holds %d and %d are fulfilled", doc.Quantity, doc.held(), doc.FulfilledQuantity)
	}
}

// addHeld adds to what open documents hold of a state.
func (v *verification) addHeld(at stockKey, state int, q int64) {
	if q != 0 {
		v.journalBalance(balanceID(v.p, at)).heldByDocuments[state] += q
	}
}
