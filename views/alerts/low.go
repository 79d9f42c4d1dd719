package alerts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/views/catalog"
	"bincard/views/session"
)

// A LowProduct is a product whose available quantity is below its reorder point.
type LowProduct struct {
	SKU       string `json:"productSku"`
	Name      string `json:"productName"`
	Location  string `json:"locationCode,omitempty"` // "" for all locations together
	Shelf     string `json:"shelf,omitzero"`         // the main one at the location
	Available int64  `json:"available"`
	OnHand    int64  `json:"onHand"`
	Safety    int64  `json:"safetyStock"`
	Incoming  int64  `json:"incoming"`
	Reorder   int64  `json:"reorderPoint"`
}

// Missing returns the quantity missing to the reorder point.
func (s *LowProduct) Missing() int64 { return s.Reorder - s.Available }

// LowProducts returns the low products among those stocked at a location, the lowest
// first. For the zero location it compares the total of all locations and includes
// products without stock.
func LowProducts(ctx context.Context, site *session.Site, at session.Location) ([]LowProduct, error) {
	stocked := map[api.ID]*api.Quantities{}
	limit := int64(500)
	in := api.ReportSnapshotInput{StockFilter: api.StockFilter{LocationID: at.ID}, Limit: &limit}
	for {
		page, err := catalog.Snapshot(ctx, site, in)
		if err != nil {
			return nil, err
		}

		for i := range page.Items {
			r := &page.Items[i]
			if stocked[r.ProductID] == nil {
				stocked[r.ProductID] = &api.Quantities{}
			}
			for _, s := range api.States {
				stocked[r.ProductID].Add(s, r.Of(s))
			}
		}

		if page.NextCursor == nil {
			break
		}

		in.Cursor = *page.NextCursor
	}

	return findLow(ctx, site, at, stocked)
}

// findLow reads the catalog and returns the low products.
func findLow(
	ctx context.Context,
	site *session.Site,
	at session.Location,
	stocked map[api.ID]*api.Quantities,
) ([]LowProduct, error) {
	var out []LowProduct
	limit := int64(100)
	in := api.ListProductsInput{Page: api.Page{Limit: &limit}}
	for {
		page, err := session.Call(ctx, site, api.ListProducts, in)
		if session.IsUnsupported(err) {
			return nil, fmt.Errorf("%w%s", ErrUnsupported,
				site.T().Get("This service does not report reorder points, so low stock is unknown."))
		}
		if err != nil {
			return nil, err
		}

		for _, p := range page.Items {
			q := stocked[p.ID]
			if q == nil && !at.IsSet() {
				q = &api.Quantities{}
			}

			if q != nil && p.Status != api.Archived && p.ReorderPoint != nil && q.Available < *p.ReorderPoint {
				out = append(
					out,
					LowProduct{
						SKU:       p.SKU,
						Name:      p.Name,
						Location:  at.Code,
						Shelf:     p.MainShelf(at.ID),
						Available: q.Available,
						OnHand:    q.OnHand,
						Safety:    q.SafetyStock,
						Incoming:  q.Incoming,
						Reorder:   *p.ReorderPoint,
					},
				)
			}
		}

		if page.NextCursor == nil {
			break
		}

		in.Cursor = *page.NextCursor
	}

	slices.SortFunc(out, func(a, b LowProduct) int {
		return cmp.Or(cmp.Compare(float64(a.Available)/float64(a.Reorder), float64(b.Available)/float64(b.Reorder)),
			cmp.Compare(b.Missing(), a.Missing()), cmp.Compare(a.SKU, b.SKU))
	})

	return out, nil
}
