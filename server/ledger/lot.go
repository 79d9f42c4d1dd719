package ledger

import (
	"bytes"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
)

// A lotInput is the lot fields of a receipt.
type lotInput struct {
	ID        api.ID
	Code      string
	Batch     string
	ExpiresAt *time.Time
	Metadata  api.Metadata
}

// receiveLot returns the lot of a receipt, and creates it if its code is new. It
// returns the zero id if the receipt names no lot.
func (c *writeTx) receiveLot(p *stored.Product, in lotInput) (api.ID, error) {
	in.Code, in.Batch = strings.TrimSpace(in.Code), strings.TrimSpace(in.Batch)
	switch {
	case in.ID == (api.ID{}) && in.Code == "":
		if p.Tracking == api.TrackLot {
			return api.ID{}, api.Fail(api.LotRequired, api.Details{"productId": p.ID, "sku": p.SKU},
				"%s is tracked by lot. Provide lotCode or lotId.", p.SKU)
		}
		return api.ID{}, rejectLotFields(in)
	case in.ID == (api.ID{}):
		in.ID = stored.LotID(c.Partition, p.ID, in.Code)
		l, err := stored.Lots.Shared(c.Reader, in.ID[:])
		if err != nil {
			return api.ID{}, err
		}
		if l == nil {
			return in.ID, stored.Lots.Insert(c.tx, &stored.Lot{ProductID: p.ID, Metadata: in.Metadata, CreatedAt: c.Now, Seq: c.entry.Seq,
				Lot: api.Lot{ID: in.ID, LotCode: in.Code, BatchCode: in.Batch, ExpiresAt: in.ExpiresAt, Status: api.Active}})
		}
	}
	l, err := c.LotOf(p, in.ID)
	if err != nil {
		return api.ID{}, err
	}
	return l.ID, checkLotMatches(l, in)
}

// rejectLotFields rejects lot fields without a lot, which would be lost.
func rejectLotFields(in lotInput) error {
	var p api.Problems
	for _, x := range []struct {
		field string
		set   bool
	}{{"batchCode", in.Batch != ""}, {"expiresAt", in.ExpiresAt != nil}, {"lotMetadata", in.Metadata != nil}} {
		if x.set {
			p.Add(x.field, "together", "requires lotCode or lotId; provide one, or omit this field")
		}
	}
	return p.Err()
}

// checkLotMatches checks the fields of a receipt against an existing lot, to catch
// a misread batch or expiration date.
func checkLotMatches(l *stored.Lot, in lotInput) error {
	switch {
	case in.Code != "" && in.Code != l.LotCode:
		return api.Fail(api.LotMismatch, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "requested": in.Code},
			"The lot's code is %s, not %s.", l.LotCode, in.Code)
	case in.Batch != "" && in.Batch != l.BatchCode:
		recorded := api.Text("without a batch")
		if l.BatchCode != "" {
			recorded = api.Textf("with batch %s", l.BatchCode)
		}
		return api.Fail(api.LotMismatch, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "batchCode": l.BatchCode, "requested": in.Batch},
			"Lot %s is recorded %v, not with %s. Check the label, or omit the batch to use the recorded one.", l.LotCode, recorded, in.Batch)
	case in.ExpiresAt != nil && l.ExpiresAt == nil, in.ExpiresAt != nil && !in.ExpiresAt.Equal(*l.ExpiresAt):
		recorded := api.Text("without an expiration date")
		if l.ExpiresAt != nil {
			recorded = api.Textf("with expiration %s", l.ExpiresAt.Format(time.DateOnly))
		}
		return api.Fail(api.LotMismatch, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "expiresAt": l.ExpiresAt, "requested": in.ExpiresAt},
			"Lot %s is recorded %v, not with %s. Check the label, or omit the date to use the recorded one.",
			l.LotCode, recorded, in.ExpiresAt.Format(time.DateOnly))
	}
	return nil
}

// byExpiry orders lots by FEFO: earliest expiration first, then those without one, then oldest first.
func byExpiry(a, b *stored.Lot) int {
	switch {
	case a.ExpiresAt != nil && b.ExpiresAt == nil:
		return -1
	case a.ExpiresAt == nil && b.ExpiresAt != nil:
		return 1
	case a.ExpiresAt != nil && !a.ExpiresAt.Equal(*b.ExpiresAt):
		return a.ExpiresAt.Compare(*b.ExpiresAt)
	case a.Seq != b.Seq:
		if a.Seq < b.Seq {
			return -1
		}
		return 1
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}
