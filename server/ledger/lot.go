package ledger

import (
	"bytes"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A lot is the stored form of api.Lot. Only its status changes.
type lot struct {
	api.Lot
	store.Unknown
	ProductID api.ID       `json:"productId"`
	Metadata  api.Metadata `json:"metadata,omitzero"`
	CreatedAt time.Time    `json:"createdAt"`
	Seq       uint64       `json:"seq"`
	// ArchivedSeq is the journal entry that archived it, or 0.
	ArchivedSeq uint64 `json:"archivedSeq,omitzero"`
}

var lots = &store.Table[lot]{
	Name:  "lots",
	Key:   func(l *lot) []byte { return l.ID[:] },
	Codec: store.JSON[lot](),
	Indexes: []store.Index[lot]{
		{Name: "seq", Keys: func(l *lot) [][]byte { return [][]byte{journal.SeqKey(l.Seq)} }},
		{Name: "product", Keys: func(l *lot) [][]byte { return [][]byte{join(l.ProductID[:], journal.SeqKey(l.Seq))} }},
		{Name: "code", Keys: func(l *lot) [][]byte { return [][]byte{foldName(l.LotCode)} }},
	},
}

// lotID returns the id of a product's lot. Lot codes are case-sensitive.
func lotID(p store.Partition, product api.ID, code string) api.ID {
	return journal.Derive(p, "lot", product[:], []byte(strings.TrimSpace(code)))
}

// expired reports whether the lot has expired by now.
func (l *lot) expired(now time.Time) bool { return l.ExpiresAt != nil && !l.ExpiresAt.After(now) }

// A lotInput is the lot fields of a receipt.
type lotInput struct {
	ID        api.ID
	Code      string
	Batch     string
	ExpiresAt *time.Time
	Metadata  api.Metadata
}

// lotOf reads the lot with the id, which must be active and of the product.
func (tx *readTx) lotOf(p *product, id api.ID) (*lot, error) {
	l, err := lots.Shared(tx.r, id[:])
	switch {
	case err != nil:
		return nil, err
	case l == nil:
		return nil, notFound("lot", "lotId", id)
	case l.ProductID != p.ID:
		return nil, api.Fail(api.LotMismatch, api.Details{"lotId": id, "lotCode": l.LotCode, "productId": p.ID},
			"Lot %s does not belong to product %s.", l.LotCode, p.SKU)
	case l.Status == api.Archived:
		return nil, api.Fail(api.LotArchived, api.Details{"lotId": id, "lotCode": l.LotCode},
			"Lot %s of %s is archived. Choose another lot.", l.LotCode, p.SKU)
	}
	return l, nil
}

// receiveLot returns the lot of a receipt, and creates it if its code is new. It
// returns the zero id if the receipt names no lot.
func (c *writeTx) receiveLot(p *product, in lotInput) (api.ID, error) {
	in.Code, in.Batch = strings.TrimSpace(in.Code), strings.TrimSpace(in.Batch)
	switch {
	case in.ID == (api.ID{}) && in.Code == "":
		if p.Tracking == api.TrackLot {
			return api.ID{}, api.Fail(api.LotRequired, api.Details{"productId": p.ID, "sku": p.SKU},
				"%s is tracked by lot. Provide lotCode or lotId.", p.SKU)
		}
		return api.ID{}, rejectLotFields(in)
	case in.ID == (api.ID{}):
		in.ID = lotID(c.p, p.ID, in.Code)
		l, err := lots.Shared(c.r, in.ID[:])
		if err != nil {
			return api.ID{}, err
		}
		if l == nil {
			return in.ID, lots.Insert(c.tx, &lot{ProductID: p.ID, Metadata: in.Metadata, CreatedAt: c.now, Seq: c.entry.Seq,
				Lot: api.Lot{ID: in.ID, LotCode: in.Code, BatchCode: in.Batch, ExpiresAt: in.ExpiresAt, Status: api.Active}})
		}
	}
	l, err := c.lotOf(p, in.ID)
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
func checkLotMatches(l *lot, in lotInput) error {
	switch {
	case in.Code != "" && in.Code != l.LotCode:
		return api.Fail(api.LotMismatch, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "requested": in.Code},
			"The lot's code is %s, not %s.", l.LotCode, in.Code)
	case in.Batch != "" && in.Batch != l.BatchCode:
		recorded := "without a batch"
		if l.BatchCode != "" {
			recorded = "with batch " + l.BatchCode
		}
		return api.Fail(api.LotMismatch, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "batchCode": l.BatchCode, "requested": in.Batch},
			"Lot %s is recorded %s, not with %s. Check the label, or omit the batch to use the recorded one.", l.LotCode, recorded, in.Batch)
	case in.ExpiresAt != nil && l.ExpiresAt == nil, in.ExpiresAt != nil && !in.ExpiresAt.Equal(*l.ExpiresAt):
		recorded := "without an expiration date"
		if l.ExpiresAt != nil {
			recorded = "with expiration " + l.ExpiresAt.Format(time.DateOnly)
		}
		return api.Fail(api.LotMismatch, api.Details{"lotId": l.ID, "lotCode": l.LotCode, "expiresAt": l.ExpiresAt, "requested": in.ExpiresAt},
			"Lot %s is recorded %s, not with %s. Check the label, or omit the date to use the recorded one.",
			l.LotCode, recorded, in.ExpiresAt.Format(time.DateOnly))
	}
	return nil
}

// byExpiry orders lots by FEFO: earliest expiration first, then those without one, then oldest first.
func byExpiry(a, b *lot) int {
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
