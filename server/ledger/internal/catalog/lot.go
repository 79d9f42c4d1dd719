package catalog

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/report"
	"bincard/server/ledger/internal/stored"
)

// ArchiveLot archives a lot, which must be empty. Archiving it again has no
// effect. Stock of the lot that is in transit can still be received.
func ArchiveLot(c *posting.Tx, in *api.LotInput) error {
	l, err := stored.Find(c.Reader, stored.Lots, "lot", in.LotID)
	if err != nil {
		return err
	}

	if l.Status != api.Archived {
		if err := checkLotEmpty(c, l); err != nil {
			return err
		}
		l.Status, l.ArchivedSeq = api.Archived, c.Entry.Seq
		if err := stored.Lots.Put(c.Writer, l); err != nil {
			return err
		}
	}

	return c.SetDocument(l.Lot)
}

// checkLotEmpty checks that no balance has stock of the lot.
func checkLotEmpty(c *posting.Tx, l *stored.Lot) error {
	quantity, err := report.LotOnHand(c.Tx, l)
	if quantity == 0 || err != nil {
		return err
	}
	return api.Fail(api.LotNotEmpty, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "onHand": quantity},
		"%d of lot %s are still on hand. Fulfill, write off or adjust them first, then archive the lot.", quantity,
		l.LotCode)
}
