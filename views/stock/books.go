package stock

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/dock"
)

// A row is what the books have of some goods at a place: of one lot where the
// goods are in lots, or what of them is in none.
type row struct {
	Product  api.ID    `json:"product"`
	SKU      string    `json:"sku"`
	Lot      string    `json:"lot,omitempty"`
	LotID    api.ID    `json:"lotId,omitzero"`
	Ends     time.Time `json:"ends,omitzero"`
	Expected int64     `json:"expected"`
	Pieces   []string  `json:"pieces,omitempty"` // their numbers, of goods kept by serial
	// Version and Changed are of the balance, to tell whether it moved.
	Version int64     `json:"version,omitempty"`
	Changed time.Time `json:"changed,omitzero"`

	goods dock.Goods
}

func (r *row) key() string { return r.Product.String() + "/" + r.Lot }

// books are what a place holds of the company's own stock.
type books struct {
	rows   []*row
	goods  map[api.ID]dock.Goods
	others int // balances of other owners or channels, which are not counted here
}

// readBooks reads what a place holds, of one product where sku names it.
func readBooks(ctx context.Context, site *dock.Site, place dock.Place, sku string) (*books, error) {
	product := api.ID{}
	if sku != "" {
		s, err := named(ctx, site, sku+"@"+place.Code)
		if err != nil {
			return nil, err
		}
		product = s.goods.ID
	}
	list, err := site.Balances(ctx, product, place.ID)
	if err != nil {
		return nil, err
	}
	catalogue, err := products(ctx, site)
	if err != nil {
		return nil, err
	}
	out := &books{goods: map[api.ID]dock.Goods{}}
	for i := range list {
		b := &list[i]
		if !site.Usual(b.OwnerID, b.ChannelID) {
			out.others++
			continue
		}
		goods, known := catalogue[b.ProductID]
		if !known {
			if goods, err = site.Goods(ctx, b.ProductID, b.Product); err != nil {
				return nil, err
			}
		}
		rows, err := rowsOf(ctx, site, b, goods)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Expected != 0 || len(r.Pieces) > 0 { // what is gone is not looked for
				out.rows = append(out.rows, r)
			}
		}
		out.goods[b.ProductID] = goods
	}
	slices.SortStableFunc(out.rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.SKU), strings.ToLower(b.SKU)), cmp.Compare(a.Lot, b.Lot))
	})
	return out, nil
}

// products are the goods of the catalogue; none where there is no catalogue.
func products(ctx context.Context, site *dock.Site) (map[api.ID]dock.Goods, error) {
	list, _, err := site.Products(ctx)
	if err != nil && !dock.Missing(err) {
		return nil, err
	}
	out := make(map[api.ID]dock.Goods, len(list))
	for i := range list {
		out[list[i].ID] = dock.GoodsOf(&list[i])
	}
	return out, nil
}

// rowsOf are the rows of one balance: a row a lot, and one for what is in none.
func rowsOf(ctx context.Context, site *dock.Site, b *api.Balance, goods dock.Goods) ([]*row, error) {
	whole := row{Product: b.ProductID, SKU: goods.SKU, Expected: b.OnHand, Version: b.Version, Changed: b.UpdatedAt, goods: goods}
	switch goods.Tracking {
	case api.TrackSerial:
		var err error
		whole.Pieces, err = pieces(ctx, site, b)
		return []*row{&whole}, err
	case api.TrackLot:
	default:
		return []*row{&whole}, nil
	}
	if b.OnHand == 0 {
		return []*row{&whole}, nil
	}
	var out []*row
	in := api.ListLotsInput{ProductID: b.ProductID}
	for {
		page, err := dock.Ask(ctx, site, api.ListLots, in)
		if dock.Missing(err) {
			return []*row{&whole}, nil
		}
		if err != nil {
			return nil, err
		}
		for _, l := range page.Items {
			h, err := holding(ctx, site, l.ID, b.ID)
			if err != nil {
				return nil, err
			}
			if h.OnHand == 0 {
				continue
			}
			r := whole
			r.Lot, r.LotID, r.Expected = l.LotCode, l.ID, h.OnHand
			if l.ExpiresAt != nil {
				r.Ends = *l.ExpiresAt
			}
			whole.Expected -= h.OnHand
			out = append(out, &r)
		}
		if page.NextCursor == nil || whole.Expected == 0 {
			break
		}
		in.Cursor = *page.NextCursor
	}
	if whole.Expected > 0 || len(out) == 0 {
		out = append(out, &whole)
	}
	return out, nil
}

// pieces are the numbers of the pieces that a balance has on hand.
func pieces(ctx context.Context, site *dock.Site, b *api.Balance) (out []string, err error) {
	limit := int64(100)
	in := api.ListSerialsInput{ProductID: b.ProductID, Limit: &limit}
	for {
		page, err := dock.Ask(ctx, site, api.ListSerials, in)
		if err != nil {
			return nil, err
		}
		for _, s := range page.Items {
			here := s.LocationID == b.LocationID && s.OwnerID == b.OwnerID && s.ChannelID == b.ChannelID
			if here && (s.Status == api.InStock || s.Status == api.Picked || s.Status == api.Packed) {
				out = append(out, s.SerialNumber)
			}
		}
		if page.NextCursor == nil {
			slices.Sort(out)
			return out, nil
		}
		in.Cursor = *page.NextCursor
	}
}
