package stored

import (
	"bytes"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// A Lot is the stored form of api.Lot. Only its status changes.
type Lot struct {
	api.Lot
	store.Unknown
	ProductID api.ID       `json:"productId"`
	Metadata  api.Metadata `json:"metadata,omitzero"`
	CreatedAt time.Time    `json:"createdAt"`
	Seq       uint64       `json:"seq"`
	// ArchivedSeq is the journal entry that archived it, or 0.
	ArchivedSeq uint64 `json:"archivedSeq,omitzero"`
}

// Lots has all lots.
var Lots = store.NewTable(store.Table[Lot]{
	Name:  "lots",
	Key:   func(l *Lot) []byte { return l.ID[:] },
	Codec: store.JSON[Lot](),
	Indexes: []store.Index[Lot]{
		{Name: "seq", Keys: func(l *Lot) [][]byte { return [][]byte{journal.SeqKey(l.Seq)} }},
		{Name: "product", Keys: func(l *Lot) [][]byte { return [][]byte{Join(l.ProductID[:], journal.SeqKey(l.Seq))} }},
		{Name: "code", Keys: func(l *Lot) [][]byte { return [][]byte{FoldName(l.LotCode)} }},
	},
})

// LotID returns the id of a product's lot. Lot codes are case-sensitive, and spelled as
// they are recorded.
func LotID(p store.Partition, product api.ID, code string) api.ID {
	return journal.Derive(p, "lot", product[:], []byte(code))
}

// Expired reports whether the lot has expired by now.
func (l *Lot) Expired(now time.Time) bool { return l.ExpiresAt != nil && !l.ExpiresAt.After(now) }

// ByExpiry orders lots by FEFO: earliest expiration first, then those without one, then oldest first.
func ByExpiry(a, b *Lot) int {
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

// LotOf reads the lot with the id, which must be active and of the product.
func (tx *Tx) LotOf(p *Product, id api.ID) (*Lot, error) {
	l, err := Lots.Shared(tx.Reader, id[:])
	switch {
	case err != nil:
		return nil, err
	case l == nil:
		return nil, NotFound("lot", "lotId", id)
	case l.ProductID != p.ID:
		return nil, api.Fail(api.LotMismatch, api.Details{"lotId": id, "lotCode": l.LotCode, "productId": p.ID},
			"Lot %s does not belong to product %s.", l.LotCode, p.SKU)
	case l.Status == api.Archived:
		return nil, api.Fail(api.LotArchived, api.Details{"lotId": id, "lotCode": l.LotCode},
			"Lot %s of %s is archived. Choose another lot.", l.LotCode, p.SKU)
	}

	return l, nil
}

// asOf returns the lot as of a journal entry, so that a replay returns the first
// response.
func (l *Lot) asOf(seq uint64) api.Lot {
	out := l.Lot
	if l.ArchivedSeq > seq {
		out.Status = api.Active
	}
	return out
}

// ListLots lists lots, newest first. With only a code it finds the lots of all
// products with that code.
func (tx *Tx) ListLots(in *api.ListLotsInput) (*api.List[api.Lot], error) {
	text := newTextFilter(in.Query)
	l := Listing[Lot]{Table: Lots, Seq: func(x *Lot) uint64 { return x.Seq }, ID: func(x *Lot) api.ID { return x.ID },
		Keep: func(x *Lot) bool {
			return MatchesID(in.ProductID, x.ProductID) && (in.LotCode == "" || sameName(in.LotCode, x.LotCode)) &&
				text.in(x.LotCode)
		}}
	if in.LotCode != "" {
		l.useFew("code", NameKeys(in.LotCode))
	} else {
		l.useIndex("product", in.ProductID)
	}

	rows, next, err := l.Page(tx, in.Page)

	return ListOf(rows, next, err, func(x *Lot) *api.Lot { return &x.Lot })
}

// ListSerials lists serials, newest first. With only a number it finds the serials
// of all products with that number.
func (tx *Tx) ListSerials(in *api.ListSerialsInput) (*api.List[api.Serial], error) {
	text := newTextFilter(in.Query)
	l := Listing[Serial]{
		Table: Serials,
		Seq:   func(x *Serial) uint64 { return x.Seq },
		ID:    func(x *Serial) api.ID { return x.ID },
		Keep: func(x *Serial) bool {
			return MatchesID(in.ProductID, x.ProductID) &&
				(in.SerialNumber == "" || sameName(in.SerialNumber, x.SerialNumber)) &&
				text.in(x.SerialNumber)
		},
	}

	if in.SerialNumber != "" {
		l.useFew("number", NameKeys(in.SerialNumber))
	} else {
		l.useIndex("product", in.ProductID)
	}

	rows, next, err := l.Page(tx, in.Page)

	return ListOf(rows, next, err, func(x *Serial) *api.Serial { return &x.Serial })
}
