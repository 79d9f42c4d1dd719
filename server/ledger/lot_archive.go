package ledger

import "bincard/server/api"

// archiveLot archives a lot, which must be empty. Archiving it again has no
// effect. Stock of the lot that is in transit can still be received.
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

// checkLotEmpty checks that no balance has stock of the lot.
func (c *writeTx) checkLotEmpty(l *lot) error {
	held, err := c.holdings(l)
	if err != nil {
		return err
	}
	var quantity int64
	for i := range held {
		quantity += held[i].OnHand
	}
	if quantity == 0 {
		return nil
	}
	return api.Fail(api.LotNotEmpty, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "onHand": quantity},
		"%d of lot %s are still on hand. Fulfill, write off or adjust them first, then archive the lot.", quantity, l.LotCode)
}

// asOf returns the lot as of a journal entry, so that a replay returns the first
// response.
func (l *lot) asOf(seq uint64) api.Lot {
	out := l.Lot
	if l.ArchivedSeq > seq {
		out.Status = api.Active
	}
	return out
}
