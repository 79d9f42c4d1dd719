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

// A stockRow is what the books have of some goods at a place: of one lot where the
// goods are in lots, or what of them is in none.
type stockRow struct {
	Product   api.ID    `json:"product"`
	SKU       string    `json:"sku"`
	Lot       string    `json:"lot,omitempty"`
	LotID     api.ID    `json:"lotId,omitzero"`
	ExpiresAt time.Time `json:"ends,omitzero"`
	Expected  int64     `json:"expected"`
	Serials   []string  `json:"pieces,omitempty"` // their numbers, of goods kept by serial
	// Version and Changed are of the balance, to tell whether it moved.
	Version int64     `json:"version,omitempty"`
	Changed time.Time `json:"changed,omitzero"`

	item dock.Item
}

func (r *stockRow) key() string { return r.Product.String() + "/" + r.Lot }

// stockRows are what a place holds of the company's own stock.
type stockRows struct {
	rows        []*stockRow
	items       map[api.ID]dock.Item
	otherOwners int // balances of other owners or channels, which are not counted here
}

// loadStock reads what a place holds, of one product where sku names it.
func loadStock(ctx context.Context, site *dock.Site, place dock.Location, sku string) (*stockRows, error) {
	product := api.ID{}
	if sku != "" {
		s, err := findStock(ctx, site, sku+"@"+place.Code)
		if err != nil {
			return nil, err
		}
		product = s.item.ID
	}
	list, err := site.Balances(ctx, product, place.ID)
	if err != nil {
		return nil, err
	}
	catalogue, err := catalogItems(ctx, site)
	if err != nil {
		return nil, err
	}
	out := &stockRows{items: map[api.ID]dock.Item{}}
	for i := range list {
		b := &list[i]
		if !site.IsDefaultStock(b.OwnerID, b.ChannelID) {
			out.otherOwners++
			continue
		}
		goods, known := catalogue[b.ProductID]
		if !known {
			if goods, err = site.Item(ctx, b.ProductID, b.Product); err != nil {
				return nil, err
			}
		}
		rows, err := balanceRows(ctx, site, b, goods)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Expected != 0 || len(r.Serials) > 0 { // what is gone is not looked for
				out.rows = append(out.rows, r)
			}
		}
		out.items[b.ProductID] = goods
	}
	slices.SortStableFunc(out.rows, func(a, b *stockRow) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.SKU), strings.ToLower(b.SKU)), cmp.Compare(a.Lot, b.Lot))
	})
	return out, nil
}

// catalogItems are the goods of the catalogue; none where there is no catalogue.
func catalogItems(ctx context.Context, site *dock.Site) (map[api.ID]dock.Item, error) {
	list, _, err := site.Products(ctx)
	if err != nil && !dock.IsUnsupported(err) {
		return nil, err
	}
	out := make(map[api.ID]dock.Item, len(list))
	for i := range list {
		out[list[i].ID] = dock.ItemOf(&list[i])
	}
	return out, nil
}

// balanceRows are the rows of one balance: a row a lot, and one for what is in none.
func balanceRows(ctx context.Context, site *dock.Site, b *api.Balance, goods dock.Item) ([]*stockRow, error) {
	whole := stockRow{Product: b.ProductID, SKU: goods.SKU, Expected: b.OnHand, Version: b.Version, Changed: b.UpdatedAt, item: goods}
	switch goods.Tracking {
	case api.TrackSerial:
		var err error
		whole.Serials, err = serialNumbers(ctx, site, b)
		return []*stockRow{&whole}, err
	case api.TrackLot:
	default:
		return []*stockRow{&whole}, nil
	}
	if b.OnHand == 0 {
		return []*stockRow{&whole}, nil
	}
	var out []*stockRow
	in := api.ListLotsInput{ProductID: b.ProductID}
	for {
		page, err := dock.Call(ctx, site, api.ListLots, in)
		if dock.IsUnsupported(err) {
			return []*stockRow{&whole}, nil
		}
		if err != nil {
			return nil, err
		}
		for _, l := range page.Items {
			h, err := findHolding(ctx, site, l.ID, b.ID)
			if err != nil {
				return nil, err
			}
			if h.OnHand == 0 {
				continue
			}
			r := whole
			r.Lot, r.LotID, r.Expected = l.LotCode, l.ID, h.OnHand
			if l.ExpiresAt != nil {
				r.ExpiresAt = *l.ExpiresAt
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

// serialNumbers are the numbers of the pieces that a balance has on hand.
func serialNumbers(ctx context.Context, site *dock.Site, b *api.Balance) (out []string, err error) {
	limit := int64(100)
	in := api.ListSerialsInput{ProductID: b.ProductID, Limit: &limit}
	for {
		page, err := dock.Call(ctx, site, api.ListSerials, in)
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
