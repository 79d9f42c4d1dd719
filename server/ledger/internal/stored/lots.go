package stored

import "bincard/server/api"

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
		l.useFew("code", FoldName(in.LotCode))
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
		l.useFew("number", FoldName(in.SerialNumber))
	} else {
		l.useIndex("product", in.ProductID)
	}

	rows, next, err := l.Page(tx, in.Page)

	return ListOf(rows, next, err, func(x *Serial) *api.Serial { return &x.Serial })
}
