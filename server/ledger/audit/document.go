package audit

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

// checkDocuments checks the documents and sums up what open ones hold of reserved,
// committed and incoming.
func (v *verification) checkDocuments() error {
	err := verifyTable(v, stored.Inbounds, func(doc *stored.Inbound) {
		checkDocumentRow(v, journal.InboundKind, doc.ID, doc)
		if doc.Status.Open() {
			v.addHeld(doc.StockKey(), stored.Incoming, doc.ExpectedQuantity-doc.ReceivedQuantity)
		}
	})
	if err != nil {
		return err
	}
	if err := verifyTable(v, stored.Outbounds, v.checkOutbound); err != nil {
		return err
	}
	if err := verifyTable(v, stored.Reservations, v.checkReservation); err != nil {
		return err
	}

	return verifyTable(v, stored.Transfers, func(doc *stored.Transfer) {
		checkDocumentRow(v, journal.TransferKind, doc.ID, doc)
		if doc.Status != api.TransferInTransit {
			return
		}

		pending := doc.ShippedQuantity - doc.ReceivedQuantity
		v.addHeld(doc.Destination(), stored.Incoming, pending)
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
func (v *verification) checkOutbound(doc *stored.Outbound) {
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
		v.addHeld(doc.StockKey(i), stored.Committed, held)
		if p := doc.Lines[i].PendingFulfillmentQuantity; p != held {
			v.reportFault(name, "line %d has %d allocated and not fulfilled, but holds %d", i+1, p, held)
		}
	}
}

// checkReservation checks a reservation and adds what it holds.
func (v *verification) checkReservation(doc *stored.Reservation) {
	checkDocumentRow(v, journal.ReservationKind, doc.ID, doc)
	state, holds := doc.State()
	if !holds {
		if q := doc.Held(); q != 0 {
			v.reportFault("reservation "+doc.ID.String(), "is %s but still holds %d", doc.Status, q)
		}
		return
	}

	v.addHeld(doc.StockKey(), state, doc.Held())
	if q := doc.Held() + doc.FulfilledQuantity; q != doc.Quantity {
		v.reportFault("reservation "+doc.ID.String(), "quantity is %d, but it holds %d and %d are fulfilled",
			doc.Quantity, doc.Held(), doc.FulfilledQuantity)
	}
}

// addHeld adds to what open documents hold of a state.
func (v *verification) addHeld(at stored.StockKey, state int, q int64) {
	if q != 0 {
		v.journalBalance(stored.BalanceID(v.Partition, at)).heldByDocuments[state] += q
	}
}
