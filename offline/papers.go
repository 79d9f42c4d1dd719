package offline

import (
	"cmp"
	"context"

	"bincard/server/api"
)

// A paper is what of a document tells what an operation is about.
type paper struct {
	kind                              api.DocumentKind
	id                                api.ID
	reference                         string
	product, location, owner, channel api.ID
	ref                               *api.ProductRef
	place                             *api.PlaceRef
	inAll, open                       int64 // open where the operation ends something
	ends                              bool
}

// document fills in what is known of the document that an operation is of.
func (l looking) document(ctx context.Context, operation string, paths map[string]string, g *api.WorkGoods) {
	here, there := paperOf(ctx, l.here, operation, paths), paperOf(ctx, l.there, operation, paths)
	p := here
	if p == nil {
		p = there
	}
	if p == nil {
		g.Kind, g.Document = kindOf(paths)
		return
	}
	g.Kind, g.Document, g.Reference = p.kind, p.id, cmp.Or(p.reference, g.Reference)
	g.ProductID, g.LocationID = cmp.Or(g.ProductID, p.product), cmp.Or(p.location, g.LocationID)
	g.OwnerID, g.ChannelID = cmp.Or(g.OwnerID, p.owner), cmp.Or(g.ChannelID, p.channel)
	if p.ref != nil && p.ref.ID == g.ProductID {
		g.SKU, g.Product = p.ref.SKU, p.ref.Name
	}
	if p.place != nil && p.place.ID == g.LocationID {
		g.Location = p.place.Code
	}
	if !p.ends {
		return
	}
	g.InAll = &p.inAll
	if here != nil {
		g.OpenHere = &here.open
	}
	if there != nil {
		g.OpenThere = &there.open
	}
}

func kindOf(paths map[string]string) (api.DocumentKind, api.ID) {
	for name, kind := range map[string]api.DocumentKind{"inboundId": api.DocInbound, "transferId": api.DocTransfer,
		"outboundId": api.DocOutbound, "reservationId": api.DocReservation} {
		if id := parsed(paths[name]); id != (api.ID{}) {
			return kind, id
		}
	}
	return "", api.ID{}
}

// paperOf reads the document as svc has it, nil where it does not.
func paperOf(ctx context.Context, svc api.Service, operation string, paths map[string]string) *paper {
	kind, id := kindOf(paths)
	if svc == nil {
		return nil
	}
	switch kind {
	case api.DocInbound:
		in, err := api.GetInbound.Call(ctx, svc, api.InboundInput{InboundID: id})
		if err == nil {
			p := &paper{kind, id, cmp.Or(in.ReferenceID, in.ExternalOrderID, in.SupplierReference), in.ProductID, in.LocationID,
				in.OwnerID, in.ChannelID, in.Product, in.Location, in.ExpectedQuantity, 0, operation == api.ReceiveInbound.ID}
			if in.Status.Open() {
				p.open = in.Pending()
			}
			return p
		}
	case api.DocTransfer:
		tr, err := api.GetTransfer.Call(ctx, svc, api.TransferInput{TransferID: id})
		if err == nil {
			p := &paper{kind, id, tr.ReferenceID, tr.ProductID, tr.SourceLocationID, tr.OwnerID, tr.ChannelID, tr.Product,
				tr.SourceLocation, tr.Quantity, tr.PendingShipmentQuantity, operation == api.ShipTransfer.ID}
			if operation == api.ReceiveTransfer.ID || operation == api.CloseTransfer.ID {
				p.location, p.place, p.open = tr.DestinationLocationID, tr.DestinationLocation, tr.PendingReceiveQuantity
				p.ends = operation == api.ReceiveTransfer.ID
			}
			return p
		}
	case api.DocOutbound:
		out, err := api.GetOutbound.Call(ctx, svc, api.OutboundInput{OutboundID: id})
		if err == nil {
			return &paper{kind, id, cmp.Or(out.ReferenceID, out.ExternalOrderID), out.ProductID, out.LocationID, out.OwnerID,
				out.ChannelID, out.Product, out.Location, out.RequestedQuantity, out.PendingFulfillmentQuantity,
				operation == api.FulfillOutbound.ID || operation == api.ShipOutbound.ID}
		}
	case api.DocReservation:
		r, err := api.GetReservation.Call(ctx, svc, api.ReservationInput{ReservationID: id})
		if err == nil {
			return &paper{kind, id, r.ReferenceID, r.ProductID, r.LocationID, r.OwnerID, r.ChannelID, r.Product, r.Location,
				r.Quantity, r.Quantity - r.FulfilledQuantity, false}
		}
	}
	return nil
}
