package posting

import (
	"strings"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// A LotQuantity is a quantity of one lot, or of stock without a lot, with its
// serials if known.
type LotQuantity struct {
	Lot      api.ID
	Quantity int64
	Serials  []*stored.Serial
}

// WithoutLot returns a quantity without lot and serials.
func WithoutLot(q int64) []LotQuantity { return []LotQuantity{{Quantity: q}} }

// Total sums the quantities of parts.
func Total(parts []LotQuantity) (q int64) {
	for i := range parts {
		q += parts[i].Quantity
	}
	return q
}

// ReceiveLot returns the lot of a receipt, and creates it if its code is new. It
// returns the zero id if the receipt names no lot.
func (c *Tx) ReceiveLot(p *stored.Product, in api.NewLot) (api.ID, error) {
	in.LotCode, in.BatchCode = strings.TrimSpace(in.LotCode), api.CleanCode(in.BatchCode)
	switch {
	case in.LotID == api.NoID && in.LotCode == "":
		if p.Tracking == api.TrackLot {
			return api.NoID, api.Fail(api.LotRequired, api.Details{"productId": p.ID, "sku": p.SKU},
				"%s is tracked by lot. Provide lotCode or lotId.", p.SKU)
		}
		return api.NoID, rejectLotFields(in)

	case in.LotID == api.NoID:
		l, err := c.lotByCode(p, in.LotCode)
		if err != nil {
			return api.NoID, err
		}

		in.LotCode = api.CleanCode(in.LotCode)
		if l == nil {
			in.LotID = stored.LotID(c.Partition, p.ID, in.LotCode)
			return in.LotID, stored.Lots.Insert(c.Writer, &stored.Lot{
				ProductID: p.ID,
				Metadata:  in.LotMetadata,
				CreatedAt: c.Now,
				Seq:       c.Entry.Seq,
				Lot: api.Lot{
					ID:        in.LotID,
					LotCode:   in.LotCode,
					BatchCode: in.BatchCode,
					ExpiresAt: in.ExpiresAt,
					Status:    api.Active,
				},
			})
		}
		in.LotID = l.ID
	}

	l, err := c.LotOf(p, in.LotID)
	if err != nil {
		return api.NoID, err
	}

	return l.ID, checkLotMatches(l, in)
}

// lotByCode returns a product's lot, or nil if it has none with the code.
func (c *Tx) lotByCode(p *stored.Product, code string) (l *stored.Lot, err error) {
	for _, spelling := range stored.Spellings(code) {
		id := stored.LotID(c.Partition, p.ID, spelling)
		if l, err = stored.Lots.Shared(c.Reader, id[:]); l != nil || err != nil {
			break
		}
	}
	return l, err
}

// rejectLotFields rejects lot fields without a lot, which would be lost.
func rejectLotFields(in api.NewLot) error {
	var p api.Problems
	for _, x := range []struct {
		field string
		set   bool
	}{{"batchCode", in.BatchCode != ""}, {"expiresAt", in.ExpiresAt != nil}, {"lotMetadata", in.LotMetadata != nil}} {
		if x.set {
			p.Add(x.field, "together", "requires lotCode or lotId; provide one, or omit this field")
		}
	}

	return p.Err()
}

// checkLotMatches checks the fields of a receipt against an existing lot, to catch
// a misread batch or expiration date.
func checkLotMatches(l *stored.Lot, in api.NewLot) error {
	switch {
	case in.LotCode != "" && api.CleanCode(in.LotCode) != api.CleanCode(l.LotCode):
		return api.Fail(api.LotMismatch, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "requested": in.LotCode},
			"The lot's code is %s, not %s.", l.LotCode, in.LotCode)
	case in.BatchCode != "" && in.BatchCode != api.CleanCode(l.BatchCode):
		recorded := api.Text("without a batch")
		if l.BatchCode != "" {
			recorded = api.Textf("with batch %s", l.BatchCode)
		}
		return api.Fail(api.LotMismatch,
			api.Details{"lotId": l.ID, "lotCode": l.LotCode, "batchCode": l.BatchCode, "requested": in.BatchCode},
			"Lot %s is recorded %v, not with %s. Check the label, or omit the batch to use the recorded one.",
			l.LotCode, recorded, in.BatchCode)

	case in.ExpiresAt != nil:
		return l.CheckExpiry(*in.ExpiresAt)
	}

	return nil
}

// CheckLotUsable checks that stock of a lot may leave: the lot is the product's, active and unexpired.
func (c *Tx) CheckLotUsable(p *stored.Product, at stored.StockKey, id api.ID, q int64) error {
	l, err := c.LotOf(p, id)
	if err != nil || !l.Expired(c.Now) {
		return err
	}

	return api.Fail(
		api.InsufficientStock,
		api.Details{
			"productId":      p.ID,
			"sku":            p.SKU,
			"locationId":     at.Location,
			"inventoryState": api.Available,
			"current":        int64(0),
			"requested":      q,
			"lotId":          id,
			"lotCode":        l.LotCode,
			"expiresAt":      l.ExpiresAt,
		},
		"%v: lot %s expired on %s and cannot ship. Choose another lot.",
		c.DescribeStockKey(at),
		l.LotCode,
		l.ExpiresAt.Format("2006-01-02"),
	)
}

// LotCode returns the code of a lot for messages.
func LotCode(tx *stored.Tx, id api.ID) string {
	if l, _ := stored.Lots.Shared(tx.Reader, id[:]); l != nil {
		return l.LotCode
	}
	return api.Text("stock without a lot")
}
