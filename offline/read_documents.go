package offline

import (
	"cmp"
	"context"
	"slices"

	"bincard/server/api"
)

// A documentInfo is the part of a document that describes its operations.
type documentInfo struct {
	reference   string
	stock       api.StockKey
	productRef  *api.ProductRef
	locationRef *api.PlaceRef
	total, open int64
}

// addDocument adds the document of an operation to its description.
func (l views) addDocument(ctx context.Context, spec *api.Spec, paths map[string]string, g *api.WorkStock) {
	g.Kind, g.Document = documentOf(spec, paths)
	if g.Kind == "" {
		return
	}

	here, there := readDocument(ctx, l.local, spec, g.Document), readDocument(ctx, l.remote, spec, g.Document)
	p := here
	if p == nil {
		p = there
	}
	if p == nil {
		return
	}

	g.Reference = cmp.Or(p.reference, g.Reference)
	g.ProductID, g.LocationID = cmp.Or(g.ProductID, p.stock.ProductID), cmp.Or(p.stock.LocationID, g.LocationID)
	g.OwnerID, g.ChannelID = cmp.Or(g.OwnerID, p.stock.OwnerID), cmp.Or(g.ChannelID, p.stock.ChannelID)
	if p.productRef != nil && p.productRef.ID == g.ProductID {
		g.SKU, g.Product = p.productRef.SKU, p.productRef.Name
	}
	if p.locationRef != nil && p.locationRef.ID == g.LocationID {
		g.Location = p.locationRef.Code
	}
	if !spec.MovesDocument() {
		return
	}

	g.InAll = &p.total
	if here != nil {
		g.OpenHere = &here.open
	}
	if there != nil {
		g.OpenThere = &there.open
	}
}

// documentOf returns the document that an operation is for, or empty if none.
func documentOf(spec *api.Spec, paths map[string]string) (api.DocumentKind, api.ID) {
	if spec == nil {
		return "", api.NoID
	}
	id := parseID(paths[string(spec.Document)+"Id"])
	if id == api.NoID {
		return "", id
	}
	return spec.Document, id
}

// readDocument reads the document from svc, or nil if svc does not have it.
func readDocument(ctx context.Context, svc api.Service, spec *api.Spec, id api.ID) *documentInfo {
	if svc == nil {
		return nil
	}

	doc, err := api.ReadDocument(ctx, svc, spec.Document, id)
	if err != nil {
		return nil
	}

	keys := doc.StockKeys()
	p := &documentInfo{reference: cmp.Or(doc.References()...), stock: keys[0]}
	if slices.ContainsFunc(keys, func(k api.StockKey) bool { return k.ProductID != p.stock.ProductID }) {
		p.stock.ProductID = api.NoID // the quantity is of several products
	}

	switch d := doc.(type) {
	case *api.Inbound:
		p.productRef, p.locationRef, p.total = d.Product, d.Location, d.ExpectedQuantity
		if d.Status.Open() {
			p.open = d.Pending()
		}
	case *api.Transfer:
		p.productRef, p.locationRef, p.total, p.open = d.Product, d.SourceLocation, d.Quantity, d.PendingShipmentQuantity
		if spec.AtDestination {
			p.stock, p.locationRef, p.open = keys[1], d.DestinationLocation, d.PendingReceiveQuantity
		}
	case *api.Outbound:
		p.productRef, p.locationRef, p.total, p.open = d.Product, d.Location, d.RequestedQuantity, d.PendingFulfillmentQuantity
	case *api.Reservation:
		p.productRef, p.locationRef, p.total, p.open = d.Product, d.Location, d.Quantity, d.Quantity-d.FulfilledQuantity
	}

	return p
}
