package ledger

import "bincard/server/api"

// archiveLot takes a lot out of use, of which nothing may be left; one that is
// archived stays so. What is of it on the way still arrives.
func (c *writeTx) archiveLot(in *api.LotInput) error {
	shared, err := lots.Shared(c.r, in.LotID[:])
	if err != nil {
		return err
	}
	if shared == nil {
		return notFound("lot", "lotId", in.LotID)
	}
	l := *shared
	if l.Status != api.Archived {
		if err := c.checkLotEmpty(&l); err != nil {
			return err
		}
		l.Status, l.ArchivedSeq = api.Archived, c.entry.Seq
		if err := lots.Put(c.tx, &l); err != nil {
			return err
		}
	}
	return c.setDocument(l.Lot)
}

// checkLotEmpty holds that no balance has any of the lot.
func (c *writeTx) checkLotEmpty(l *lot) error {
	held, err := c.holdings(l)
	if err != nil {
		return err
	}
	var left int64
	for i := range held {
		left += held[i].OnHand
	}
	if left == 0 {
		return nil
	}
	return api.Fail(api.LotNotEmpty, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "onHand": left},
		"%d of lot %s are still on hand. Fulfill, write off or adjust them first, then archive the lot.", left, l.LotCode)
}

// asOf is the lot as it was when a record was written: an answer that is given
// again is the first one.
func (l *lot) asOf(seq uint64) api.Lot {
	out := l.Lot
	if l.ArchivedSeq > seq {
		out.Status = api.Active
	}
	return out
}
