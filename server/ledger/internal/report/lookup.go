package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// A lookup returns at most maxMatches of each kind, or maxOfKind if it asks for one kind,
// out of at most maxFound.
const (
	maxMatches = 20
	maxOfKind  = 100
	maxFound   = 500
)

// LookUp returns what a scanned text can mean, most likely first: a product, a
// location, a document (open ones first, then newest first), a lot, a serial.
func LookUp(tx *stored.Tx, in *api.LookupInput) (*api.Lookup, error) {
	s := search{Tx: tx, code: strings.TrimSpace(in.Code)}
	if id, err := uuid.Parse(s.code); err == nil && len(s.code) == 36 {
		s.id = id
	}

	out, limit := &api.Lookup{Code: in.Code, Matches: []api.Match{}}, maxMatches
	if in.Kind != "" {
		limit = maxOfKind
	}

	for _, step := range []struct {
		kinds []api.Kind
		find  func(api.Kind) ([]api.Match, error)
	}{
		{[]api.Kind{api.KindProduct}, s.products},
		{[]api.Kind{api.KindLocation}, s.locations},
		{[]api.Kind{api.KindInbound, api.KindOutbound, api.KindTransfer}, s.documents},
		{[]api.Kind{api.KindLot}, s.lots},
		{[]api.Kind{api.KindSerial}, s.serials},
	} {
		if in.Kind != "" && !slices.Contains(step.kinds, in.Kind) {
			continue
		}
		found, err := step.find(in.Kind)
		if err != nil {
			return nil, err
		}
		out.Matches = append(out.Matches, found[:min(len(found), limit)]...)
	}

	return out, nil
}

// A search looks up one text; id is set if the text is an id.
type search struct {
	*stored.Tx
	code string
	id   api.ID
}

// findRows returns the row with the id, or else the rows with the index key, at most maxFound.
func findRows[T any](s *search, t *store.Table[T], index string, keys [][]byte) (list []*T, err error) {
	if s.id != api.NoID {
		row, err := t.Get(s.Reader, s.id[:])
		if err != nil {
			return nil, err
		}
		if row != nil {
			return []*T{row}, nil
		}
	}

	err = stored.ScanKeys(s.Reader, t, index, keys, func(row *T) error {
		list = append(list, row)
		if len(list) == maxFound {
			return store.ErrStop
		}
		return nil
	})

	return list, err
}

func (s *search) products(api.Kind) (out []api.Match, err error) {
	bySKU, err := findRows(s, stored.Products, "sku", stored.NameKeys(s.code))
	if err != nil {
		return nil, err
	}

	byBarcode, err := findRows(s, stored.Products, "barcode", stored.BarcodeKeys(s.code))
	if err != nil {
		return nil, err
	}

	for _, p := range append(bySKU, byBarcode...) {
		if !slices.ContainsFunc(out, func(m api.Match) bool { return m.ID == p.ID }) {
			out = append(out, api.Match{
				Kind:    api.KindProduct,
				ID:      p.ID,
				Product: &p.Product,
				Unit:    stored.UnitOfBarcode(&p.Product, s.code),
			})
		}
	}

	return out, nil
}

func (s *search) locations(api.Kind) (out []api.Match, err error) {
	list, err := findRows(s, stored.Locations, "code", stored.NameKeys(s.code))
	for _, e := range list {
		out = append(out, api.Match{Kind: api.KindLocation, ID: e.ID, Location: &e.Place})
	}
	return out, err
}

// A documentMatch is a matching document with its sort criteria.
type documentMatch struct {
	match     api.Match
	open      bool
	createdAt time.Time
}

func (s *search) documents(kind api.Kind) ([]api.Match, error) {
	var docs []documentMatch
	for _, find := range []struct {
		kind api.Kind
		may  bool
		fn   func() ([]documentMatch, error)
	}{
		{api.KindInbound, true, s.inbounds},
		{api.KindOutbound, true, s.outbounds},
		{api.KindTransfer, s.Caller.May(api.TransfersRead), s.transfers},
	} {
		if !find.may || kind != "" && kind != find.kind {
			continue
		}
		found, err := find.fn()
		if err != nil {
			return nil, err
		}
		docs = append(docs, found...)
	}

	slices.SortStableFunc(docs, func(a, b documentMatch) int {
		if a.open != b.open {
			if a.open {
				return -1
			}
			return 1
		}

		return cmp.Compare(b.createdAt.UnixMilli(), a.createdAt.UnixMilli())
	})

	out := make([]api.Match, 0, len(docs))
	for _, p := range docs {
		out = append(out, p.match)
	}

	return out, nil
}

func (s *search) inbounds() (out []documentMatch, err error) {
	list, err := findRows(s, stored.Inbounds, "reference", stored.NameKeys(s.code))
	for _, d := range list {
		out = append(out, documentMatch{
			api.Match{Kind: api.KindInbound, ID: d.ID, Inbound: s.ExpandInbound(d)},
			d.Status.Open(),
			d.CreatedAt,
		})
	}

	return out, err
}

func (s *search) outbounds() (out []documentMatch, err error) {
	list, err := findRows(s, stored.Outbounds, "reference", stored.NameKeys(s.code))
	if err == nil {
		err = s.ReadOutboundSerials(list...)
	}

	for _, d := range list {
		out = append(out, documentMatch{
			api.Match{Kind: api.KindOutbound, ID: d.ID, Outbound: s.ExpandOutbound(d)},
			d.Status.Open(),
			d.CreatedAt,
		})
	}

	return out, err
}

func (s *search) transfers() (out []documentMatch, err error) {
	list, err := findRows(s, stored.Transfers, "reference", stored.NameKeys(s.code))
	for _, d := range list {
		out = append(out, documentMatch{
			api.Match{Kind: api.KindTransfer, ID: d.ID, Transfer: s.ExpandTransfer(d)},
			d.Status == api.TransferInTransit,
			d.CreatedAt,
		})
	}

	return out, err
}

func (s *search) lots(api.Kind) (out []api.Match, err error) {
	list, err := findRows(s, stored.Lots, "code", stored.NameKeys(s.code))
	if err != nil {
		return nil, err
	}

	for _, l := range list {
		p, err := s.Product("productId", l.ProductID)
		if err != nil {
			return nil, err
		}
		product := p.Product
		out = append(out, api.Match{Kind: api.KindLot, ID: l.ID, Product: &product, Lot: &l.Lot})
	}

	return out, nil
}

func (s *search) serials(api.Kind) (out []api.Match, err error) {
	list, err := findRows(s, stored.Serials, "number", stored.NameKeys(s.code))
	if err != nil {
		return nil, err
	}

	for _, x := range list {
		p, err := s.Product("productId", x.ProductID)
		if err != nil {
			return nil, err
		}
		product := p.Product
		out = append(out, api.Match{Kind: api.KindSerial, ID: x.ID, Product: &product, Serial: &x.Serial})
	}

	return out, nil
}
