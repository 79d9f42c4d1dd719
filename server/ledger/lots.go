package ledger

import "bincard/server/api"

func bindLots(b map[string]binding) {
	reads(b, api.ListLots, (*readTx).listLots)
	reads(b, api.ListSerials, (*readTx).listSerials)
}

// listLots lists lots, newest first. With only a code it finds the lots of all
// products with that code.
func (tx *readTx) listLots(in *api.ListLotsInput) (*api.List[api.Lot], error) {
	l := listing[lot]{table: lots, seq: func(x *lot) uint64 { return x.Seq }, id: func(x *lot) api.ID { return x.ID },
		keep: func(x *lot) bool {
			return matchesID(in.ProductID, x.ProductID) && (in.LotCode == "" || sameName(in.LotCode, x.LotCode))
		}}
	var rows []*lot
	var next *string
	var err error
	if in.LotCode != "" {
		rows, next, err = l.pageFew(tx, in.Limit, in.Cursor, "code", foldName(in.LotCode))
	} else {
		l.useIndex("product", in.ProductID)
		rows, next, err = l.page(tx, in.Limit, 25, in.Cursor)
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

// listSerials lists serials, newest first. With only a number it finds the serials
// of all products with that number.
func (tx *readTx) listSerials(in *api.ListSerialsInput) (*api.List[api.Serial], error) {
	l := listing[serial]{table: serials, seq: func(x *serial) uint64 { return x.Seq }, id: func(x *serial) api.ID { return x.ID },
		keep: func(x *serial) bool {
			return matchesID(in.ProductID, x.ProductID) && (in.SerialNumber == "" || sameName(in.SerialNumber, x.SerialNumber))
		}}
	var rows []*serial
	var next *string
	var err error
	if in.SerialNumber != "" {
		rows, next, err = l.pageFew(tx, in.Limit, in.Cursor, "number", foldName(in.SerialNumber))
	} else {
		l.useIndex("product", in.ProductID)
		rows, next, err = l.page(tx, in.Limit, 25, in.Cursor)
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
