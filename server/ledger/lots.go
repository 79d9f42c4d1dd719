package ledger

import "bincard/server/api"

func bindPieces(b map[string]binding) {
	reads(b, api.ListLots, (*reading).listLots)
	reads(b, api.ListSerials, (*reading).listSerials)
}

// listLots lists the lots, newest first. A code alone finds the lots of all
// products that have it.
func (rd *reading) listLots(in *api.ListLotsInput) (*api.List[api.Lot], error) {
	l := listing[lot]{table: lots, seq: func(x *lot) uint64 { return x.Seq }, id: func(x *lot) api.ID { return x.ID },
		keep: func(x *lot) bool {
			return same(in.ProductID, x.ProductID) && (in.LotCode == "" || alike(in.LotCode, x.LotCode))
		}}
	var rows []*lot
	var next *string
	var err error
	if in.LotCode != "" {
		rows, next, err = l.few(rd, in.Limit, in.Cursor, "code", folded(in.LotCode))
	} else {
		l.narrow("product", in.ProductID)
		rows, next, err = l.page(rd, in.Limit, 25, in.Cursor)
	}
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Lot]{Items: make([]api.Lot, len(rows)), NextCursor: next}
	for i, x := range rows {
		out.Items[i] = x.Lot
	}
	return out, nil
}

// listSerials lists the pieces, newest first. A number alone finds the pieces
// of all products that have it.
func (rd *reading) listSerials(in *api.ListSerialsInput) (*api.List[api.Serial], error) {
	l := listing[piece]{table: pieces, seq: func(x *piece) uint64 { return x.Seq }, id: func(x *piece) api.ID { return x.ID },
		keep: func(x *piece) bool {
			return same(in.ProductID, x.ProductID) && (in.SerialNumber == "" || alike(in.SerialNumber, x.SerialNumber))
		}}
	var rows []*piece
	var next *string
	var err error
	if in.SerialNumber != "" {
		rows, next, err = l.few(rd, in.Limit, in.Cursor, "number", folded(in.SerialNumber))
	} else {
		l.narrow("product", in.ProductID)
		rows, next, err = l.page(rd, in.Limit, 25, in.Cursor)
	}
	if err != nil {
		return nil, err
	}
	out := &api.List[api.Serial]{Items: make([]api.Serial, len(rows)), NextCursor: next}
	for i, x := range rows {
		out.Items[i] = x.Serial
	}
	return out, nil
}
