package offline

import (
	"cmp"
	"context"

	"bincard/server/api"
)

// A documentInfo is what a document tells about an operation for it.
type documentInfo struct {
	reference                         string
	product, location, owner, channel api.ID
	productRef                        *api.ProductRef
	locationRef                       *api.PlaceRef
	total, open                       int64
}

// addDocument fills in what is known of the document that an operation is of.
func (l views) addDocument(ctx context.Context, spec *api.Spec, paths map[string]string, g *api.WorkGoods) {
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
	g.ProductID, g.LocationID = cmp.Or(g.ProductID, p.product), cmp.Or(p.location, g.LocationID)
	g.OwnerID, g.ChannelID = cmp.Or(g.OwnerID, p.owner), cmp.Or(g.ChannelID, p.channel)
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

// documentOf is the document that an operation is for, by its path; empty if it has none.
func documentOf(spec *api.Spec, paths map[string]string) (api.DocumentKind, api.ID) {
	if spec == nil {
		return "", api.ID{}
	}
	id := parseID(paths[string(spec.Document)+"Id"])
	if id == (api.ID{}) {
		return "", id
	}
	return spec.Document, id
}

// readDocument reads the document of an operation from svc; nil if svc does not have it.
func readDocument(ctx context.Context, svc api.Service, spec *api.Spec, id api.ID) *documentInfo {
	if svc == nil {
		return nil
	}
	switch spec.Document {
	case api.DocInbound:
		d, err := api.GetInbound.Call(ctx, svc, api.InboundInput{InboundID: id})
		if err != nil {
			return nil
		}
		p := &documentInfo{reference: cmp.Or(d.ReferenceID, d.ExternalOrderID, d.SupplierReference),
			product: d.ProductID, location: d.LocationID, owner: d.OwnerID, channel: d.ChannelID,
			productRef: d.Product, locationRef: d.Location, total: d.ExpectedQuantity}
		if d.Status.Open() {
			p.open = d.Pending()
		}
		return p
	case api.DocTransfer:
		d, err := api.GetTransfer.Call(ctx, svc, api.TransferInput{TransferID: id})
		if err != nil {
			return nil
		}
		p := &documentInfo{reference: d.ReferenceID,
			product: d.ProductID, location: d.SourceLocationID, owner: d.OwnerID, channel: d.ChannelID,
			productRef: d.Product, locationRef: d.SourceLocation, total: d.Quantity, open: d.PendingShipmentQuantity}
		if spec.AtDestination {
			p.location, p.locationRef, p.open = d.DestinationLocationID, d.DestinationLocation, d.PendingReceiveQuantity
		}
		return p
	case api.DocOutbound:
		d, err := api.GetOutbound.Call(ctx, svc, api.OutboundInput{OutboundID: id})
		if err != nil {
			return nil
		}
		return &documentInfo{reference: cmp.Or(d.ReferenceID, d.ExternalOrderID),
			product: d.ProductID, location: d.LocationID, owner: d.OwnerID, channel: d.ChannelID,
			productRef: d.Product, locationRef: d.Location, total: d.RequestedQuantity, open: d.PendingFulfillmentQuantity}
	case api.DocReservation:
		d, err := api.GetReservation.Call(ctx, svc, api.ReservationInput{ReservationID: id})
		if err != nil {
			return nil
		}
		return &documentInfo{reference: d.ReferenceID,
			product: d.ProductID, location: d.LocationID, owner: d.OwnerID, channel: d.ChannelID,
			productRef: d.Product, locationRef: d.Location, total: d.Quantity, open: d.Quantity - d.FulfilledQuantity}
	}
	return nil
}
