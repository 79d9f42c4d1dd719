package offline

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// A views describes operations with the local data and the service's.
type views struct{ local, remote api.Service }

func (r *reader) views(caller *api.Caller) views {
	var l views
	if s := r.view.Load(); s != nil {
		l.local = api.As(s, *caller, "")
	}
	if b := r.confirmedView(); b != nil {
		l.remote = api.As(b, *caller, "")
	}
	return l
}

// inputRefs are the references in the input of any operation.
type inputRefs struct {
	ProductID             api.ID   `json:"productId"`
	LocationID            api.ID   `json:"locationId"`
	SourceLocationID      api.ID   `json:"sourceLocationId"`
	DestinationLocationID api.ID   `json:"destinationLocationId"`
	OwnerID               api.ID   `json:"ownerId"`
	ChannelID             api.ID   `json:"channelId"`
	LotID                 api.ID   `json:"lotId"`
	LotCode               string   `json:"lotCode"`
	Quantity              *int64   `json:"quantity"`
	Delta                 *int64   `json:"quantityDelta"`
	Counted               *int64   `json:"countedQuantity"`
	Expected              *int64   `json:"expectedQuantity"`
	Requested             *int64   `json:"requestedQuantity"`
	SerialIDs             []api.ID `json:"serialIds"`
	SerialNumbers         []string `json:"serialNumbers"`
	Serials               []struct {
		SerialNumber string `json:"serialNumber"`
	} `json:"serials"`
	SKU               string `json:"sku"`
	Code              string `json:"code"`
	Name              string `json:"name"`
	ReferenceID       string `json:"referenceId"`
	ExternalOrderID   string `json:"externalOrderId"`
	SupplierReference string `json:"supplierReference"`
}

// addTo sets the stock and the record of an operation.
func (l views) addTo(ctx context.Context, w *api.Work) {
	w.Stock, w.Recorded = l.describe(ctx, w), l.describeRecord(ctx, w.Recorded)
}

// describe returns the stock of an operation, as far as it is known.
func (l views) describe(ctx context.Context, w *api.Work) (g api.WorkStock) {
	var in inputRefs
	if len(w.Body) > 0 {
		_ = json.Unmarshal(w.Body, &in) // fields of another type stay empty
	}

	paths := map[string]string{}
	spec := api.FindOperation(w.Operation)
	if spec != nil {
		paths, _ = outbox.MatchPath(spec.Path, w.Target)
	}

	g = api.WorkStock{
		ProductID:  cmp.Or(in.ProductID, parseID(paths["productId"])),
		LocationID: cmp.Or(in.LocationID, in.SourceLocationID),
		OwnerID:    in.OwnerID,
		ChannelID:  in.ChannelID,
		SKU:        in.SKU,
		Lot:        in.LotCode,
		Quantity:   cmp.Or(in.Quantity, in.Delta, in.Counted, in.Expected, in.Requested),
		Serials:    in.SerialNumbers,
		Reference:  cmp.Or(in.ReferenceID, in.ExternalOrderID, in.SupplierReference),
	}

	if w.Operation == api.CreateProduct.Spec.ID {
		g.Product = in.Name
	}
	if w.Operation == api.CreateLocation.Spec.ID {
		g.Location = cmp.Or(in.Code, in.Name)
	}
	for _, s := range in.Serials {
		g.Serials = append(g.Serials, s.SerialNumber)
	}

	l.addDocument(ctx, spec, paths, &g)
	l.addLotAndSerials(ctx, cmp.Or(in.LotID, parseID(paths["lotId"])), in.SerialIDs, &g)
	l.resolveNames(ctx, &g)
	g.Here, g.There = balanceOf(ctx, l.local, &g), balanceOf(ctx, l.remote, &g)

	return g
}

// describeRecord returns a record with the names of products and locations.
func (l views) describeRecord(ctx context.Context, r *api.WorkRecord) *api.WorkRecord {
	if r == nil {
		return nil
	}

	named := *r
	named.Stock = slices.Clone(r.Stock)
	for i := range named.Stock {
		x := &named.Stock[i]
		g := api.WorkStock{ProductID: x.ProductID, SKU: x.SKU, LocationID: x.LocationID, Location: x.Location}
		l.resolveNames(ctx, &g)
		x.SKU, x.Location = g.SKU, g.Location
	}

	return &named
}

func parseID(id string) api.ID {
	found, _ := uuid.Parse(id) // zero if malformed
	return found
}

// addLotAndSerials resolves the ids of a lot and of serials to their codes.
func (l views) addLotAndSerials(ctx context.Context, lot api.ID, serials []api.ID, g *api.WorkStock) {
	if lot != api.NoID && g.Lot == "" {
		if m := l.find(ctx, api.KindLot, lot); m != nil {
			g.Lot = m.Lot.LotCode
			l.addProduct(m.Product, g)
		}
	}

	for _, id := range serials {
		if m := l.find(ctx, api.KindSerial, id); m != nil {
			g.Serials = append(g.Serials, m.Serial.SerialNumber)
		}
	}
}

func (l views) addProduct(p *api.Product, g *api.WorkStock) {
	if p != nil && (g.ProductID == api.NoID || g.ProductID == p.ID) {
		g.ProductID, g.SKU, g.Product = p.ID, p.SKU, p.Name
	}
}

// resolveNames fills in the names of product and location.
func (l views) resolveNames(ctx context.Context, g *api.WorkStock) {
	if g.ProductID != api.NoID && g.SKU == "" {
		if m := l.find(ctx, api.KindProduct, g.ProductID); m != nil {
			l.addProduct(m.Product, g)
		}
	}

	if g.LocationID != api.NoID && g.Location == "" {
		if m := l.find(ctx, api.KindLocation, g.LocationID); m != nil {
			g.Location = m.Location.Code
		}
	}
}

// find looks an id up locally, then at the service.
func (l views) find(ctx context.Context, kind api.Kind, id api.ID) *api.Match {
	for _, svc := range []api.Service{l.local, l.remote} {
		if svc == nil {
			continue
		}
		found, err := api.LookUp.Call(ctx, svc, api.LookupInput{Code: id.String(), Kind: kind})
		if err == nil && len(found.Matches) > 0 {
			return &found.Matches[0]
		}
	}

	return nil
}

// balanceOf returns the quantities that svc has for g, or nil if it has none.
func balanceOf(ctx context.Context, svc api.Service, g *api.WorkStock) *api.Quantities {
	if svc == nil || g.ProductID == api.NoID || g.LocationID == api.NoID {
		return nil
	}

	limit := int64(2)
	list, err := api.ListBalances.Call(ctx, svc, api.ListBalancesInput{
		StockFilter: api.StockFilter{
			ProductID:  g.ProductID,
			LocationID: g.LocationID,
			OwnerID:    g.OwnerID,
			ChannelID:  g.ChannelID,
		},
		Page: api.Page{Limit: &limit},
	})
	if err != nil || len(list.Items) != 1 {
		return nil
	}

	return &list.Items[0].Quantities
}
