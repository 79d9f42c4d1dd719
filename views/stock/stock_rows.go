package stock

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/session"
)

// A stockRow is the recorded stock of an item at a location: of one lot, or the part
// without a lot.
type stockRow struct {
	Product   api.ID    `json:"product"`
	SKU       string    `json:"sku"`
	Lot       string    `json:"lot,omitempty"`
	LotID     api.ID    `json:"lotId,omitzero"`
	ExpiresAt time.Time `json:"ends,omitzero"`
	Expected  int64     `json:"expected"`
	Serials   []string  `json:"pieces,omitempty"` // of a serialized item
	Shelves   []string  `json:"shelves,omitempty"`
	// Version and Changed are those of the balance, to detect changes.
	Version int64     `json:"version,omitempty"`
	Changed time.Time `json:"changed,omitzero"`

	item count.Item
}

func (r *stockRow) key() string { return r.Product.String() + "/" + r.Lot }

// isEmpty reports whether the row has no recorded stock and no lot.
func (r *stockRow) isEmpty() bool { return r.Expected == 0 && len(r.Serials) == 0 && r.Lot == "" }

// compare orders rows by shelf, SKU and lot.
func (r *stockRow) compare(other *stockRow) int {
	return cmp.Or(count.CompareShelves(r.Shelves, other.Shelves),
		cmp.Compare(strings.ToLower(r.SKU), strings.ToLower(other.SKU)), cmp.Compare(r.Lot, other.Lot))
}

// equals reports whether two rows have the same stock.
func (r *stockRow) equals(other *stockRow) bool {
	return r.Expected == other.Expected && slices.Equal(r.Serials, other.Serials)
}

// stockRows is the default stock of a location.
type stockRows struct {
	rows        []*stockRow
	items       map[api.ID]count.Item
	otherOwners int // balances of other owners or channels, which are not counted here
}

// loadStock loads the stock of a location: of listed products and those that were added to
// them, or of all. A listed product has a row even if it has no stock.
func loadStock(ctx context.Context, site *session.Site, location session.Location, skus []string,
	added ...api.ID) (*stockRows, error) {
	product := api.NoID
	if len(skus) == 1 && len(added) == 0 {
		s, err := findStock(ctx, site, skus[0]+"@"+location.Code)
		if err != nil {
			return nil, err
		}
		product = s.item.ID
	}

	list, err := site.Balances(ctx, product, location.ID)
	if err != nil {
		return nil, err
	}

	catalog, err := catalogItems(ctx, site)
	if err != nil {
		return nil, err
	}

	out := &stockRows{items: map[api.ID]count.Item{}}
	var listed map[api.ID]count.Item
	if len(skus) > 0 {
		listed, err = listedItems(ctx, site, catalog, skus, added)
		if err != nil {
			return nil, err
		}
	}

	for i := range list {
		b := &list[i]
		if _, ok := listed[b.ProductID]; listed != nil && !ok {
			continue
		}
		if !site.IsDefaultStock(b.OwnerID, b.ChannelID) {
			out.otherOwners++
			continue
		}

		item, known := catalog[b.ProductID]
		if !known {
			item, err = site.Item(ctx, b.ProductID, b.Product)
			if err != nil {
				return nil, err
			}
		}

		rows, err := balanceRows(ctx, site, b, item)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Expected != 0 || len(r.Serials) > 0 { // skip empty rows
				out.rows = append(out.rows, r)
			}
		}

		out.items[b.ProductID] = item
	}

	out.addEmptyRows(listed)
	for _, r := range out.rows {
		r.Shelves = r.item.ShelvesAt(location.ID)
	}

	slices.SortStableFunc(out.rows, (*stockRow).compare)

	return out, nil
}

// catalogItems returns the items of the catalog, none if there is no catalog.
func catalogItems(ctx context.Context, site *session.Site) (map[api.ID]count.Item, error) {
	list, _, err := site.Products(ctx)
	if err != nil && !session.IsUnsupported(err) {
		return nil, err
	}

	out := make(map[api.ID]count.Item, len(list))
	for i := range list {
		out[list[i].ID] = count.ItemOf(&list[i])
	}

	return out, nil
}

// balanceRows returns the rows of one balance: one for each lot, and one for the stock
// without a lot.
func balanceRows(ctx context.Context, site *session.Site, b *api.Balance, item count.Item) ([]*stockRow, error) {
	rest := stockRow{
		Product:  b.ProductID,
		SKU:      item.SKU,
		Expected: b.OnHand,
		Version:  b.Version,
		Changed:  b.UpdatedAt,
		item:     item,
	}

	switch item.Tracking {
	case api.TrackSerial:
		var err error
		rest.Serials, err = serialNumbers(ctx, site, b)
		return []*stockRow{&rest}, err
	case api.TrackLot:
	default:
		return []*stockRow{&rest}, nil
	}

	if b.OnHand == 0 {
		return []*stockRow{&rest}, nil
	}

	var out []*stockRow
	in := api.ListLotsInput{ProductID: b.ProductID}
	for {
		page, err := session.Call(ctx, site, api.ListLots, in)
		if session.IsUnsupported(err) {
			return []*stockRow{&rest}, nil
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

			r := rest
			r.Lot, r.LotID, r.Expected = l.LotCode, l.ID, h.OnHand
			if l.ExpiresAt != nil {
				r.ExpiresAt = *l.ExpiresAt
			}

			rest.Expected -= h.OnHand
			out = append(out, &r)
		}

		if page.NextCursor == nil || rest.Expected == 0 {
			break
		}

		in.Cursor = *page.NextCursor
	}

	if rest.Expected > 0 || len(out) == 0 {
		out = append(out, &rest)
	}

	return out, nil
}

// serialNumbers returns the serial numbers that a balance has on hand.
func serialNumbers(ctx context.Context, site *session.Site, b *api.Balance) (out []string, err error) {
	limit := int64(100)
	var packed []api.Serial
	in := api.ListSerialsInput{ProductID: b.ProductID, Page: api.Page{Limit: &limit}}
	for {
		page, err := session.Call(ctx, site, api.ListSerials, in)
		if err != nil {
			return nil, err
		}

		for _, s := range page.Items {
			here := s.LocationID == b.LocationID && s.OwnerID == b.OwnerID && s.ChannelID == b.ChannelID
			if here && (s.Status == api.InStock || s.Status == api.Picked || s.Status == api.Packed) {
				out = append(out, s.SerialNumber)
			}
			if here && s.Status == api.Packed {
				packed = append(packed, s)
			}
		}

		if page.NextCursor == nil {
			slices.Sort(out)
			return removeInTransit(ctx, site, out, packed, b.OnHand)
		}

		in.Cursor = *page.NextCursor
	}
}

// removeInTransit removes the serials that have left on a transfer. They are packed like
// those of orders, but not on hand.
func removeInTransit(ctx context.Context, site *session.Site, numbers []string, packed []api.Serial,
	onHand int64) ([]string, error) {
	for _, s := range packed {
		if int64(len(numbers)) <= onHand {
			break
		}

		away, err := isInTransit(ctx, site, s)
		if err != nil {
			return nil, err
		}
		if away {
			numbers = slices.DeleteFunc(numbers, func(n string) bool { return n == s.SerialNumber })
		}
	}

	return numbers, nil
}

// isInTransit reports whether a serial has left on a transfer and not arrived.
func isInTransit(ctx context.Context, site *session.Site, s api.Serial) (bool, error) {
	if s.Status != api.Packed {
		return false, nil
	}

	one := int64(1)
	h, err := session.Call(ctx, site, api.GetSerialHistory, api.SerialHistoryInput{
		SerialID:    s.ID,
		HistoryPage: api.HistoryPage{Limit: &one, Order: api.NewestFirst},
	})

	return len(h.Movements) > 0 && h.Movements[0].Operation == api.OpTransferOut, err
}
