package ledger

import "bincard/server/api"

// checkDocuments adds up what open documents hold of reserved, committed and
// incoming.
func (v *verification) checkDocuments() error {
	err := verifyTable(v, inbounds, func(doc *inbound) {
		v.proof.Documents++
		if doc.Status.Open() {
			v.holdsBack(doc.place(), incoming, doc.ExpectedQuantity-doc.ReceivedQuantity)
		}
	})
	if err != nil {
		return err
	}
	return verifyTable(v, transfers, func(doc *transfer) {
		v.proof.Documents++
		if doc.Status != api.TransferInTransit {
			return
		}
		away := doc.ShippedQuantity - doc.ReceivedQuantity
		v.holdsBack(doc.destination(), incoming, away)
		var parcels int64
		for _, p := range doc.Transit {
			parcels += p.Quantity
		}
		if parcels != away {
			v.stray("transfer "+doc.ID.String(), "%d are under way, but its parcels hold %d", away, parcels)
		}
	})
}

// holdsBack notes that an open document holds q of a state.
func (v *verification) holdsBack(at place, state int, q int64) {
	if q != 0 {
		v.account(balanceID(v.p, at)).backed[state] += q
	}
}
