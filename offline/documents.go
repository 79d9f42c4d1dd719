package offline

import (
	"cmp"
	"context"

	"bincard/server/api"
)

// A documentInfo is what the description of an operation takes from its
// document.
type documentInfo struct {
	kind                              api.DocumentKind
	id                                api.ID
	reference                         string
	product, location, owner, channel api.ID
	productRef                        *api.ProductRef
	locationRef                       *api.PlaceRef
	total, open                       int64 // open is set if the operation can complete the document
	completes                         bool
}

// addDocument fills in what is known of the operation's document.
func (l views) addDocument(ctx context.Context, operation string, paths map[string]string, g *api.WorkGoods) {
	local, remote := readDocument(ctx, l.local, operation, paths), readDocument(ctx, l.remote, operation, paths)
	info := local
	if info == nil {
		info = remote
	}
	if info == nil {
		g.Kind, g.Document = documentKey(paths)
		return
	}
	g.Kind, g.Document, g.Reference = info.kind, info.id, cmp.Or(info.reference, g.Reference)
	g.ProductID, g.LocationID = cmp.Or(g.ProductID, info.product), cmp.Or(info.location, g.LocationID)
	g.OwnerID, g.ChannelID = cmp.Or(g.OwnerID, info.owner), cmp.Or(g.ChannelID, info.channel)
	if info.productRef != nil && info.productRef.ID == g.ProductID {
		g.SKU, g.Product = info.productRef.SKU, info.productRef.Name
	}
	if info.locationRef != nil && info.locationRef.ID == g.LocationID {
		g.Location = info.locationRef.Code
	}
	if !info.completes {
		return
	}
	g.InAll = &info.total
	if local != nil {
		g.OpenHere = &local.open
	}
	if remote != nil {
		g.OpenThere = &remote.open
	}
}

func documentKey(paths map[string]string) (api.DocumentKind, api.ID) {
	for name, kind := range map[string]api.DocumentKind{"inboundId": api.DocInbound, "transferId": api.DocTransfer,
		"outboundId": api.DocOutbound, "reservationId": api.DocReservation} {
		if id := parseID(paths[name]); id != (api.ID{}) {
			return kind, id
		}
	}
	return "", api.ID{}
}

// readDocument reads the document from svc, nil if svc does not have it.
func readDocument(ctx context.Context, svc api.Service, operation string, paths map[string]string) *documentInfo {
	kind, id := documentKey(paths)
	if svc == nil {
		return nil
	}
	switch kind {
	case api.DocInbound:
		in, err := api.GetInbound.Call(ctx, svc, api.InboundInput{InboundID: id})
		if err == nil {
			info := &documentInfo{kind, id, cmp.Or(in.ReferenceID, in.ExternalOrderID, in.SupplierReference), in.ProductID, in.LocationID,
				in.OwnerID, in.ChannelID, in.Product, in.Location, in.ExpectedQuantity, 0, operation == api.ReceiveInbound.ID}
			if in.Status.Open() {
				info.open = in.Pending()
			}
			return info
		}
	case api.DocTransfer:
		tr, err := api.GetTransfer.Call(ctx, svc, api.TransferInput{TransferID: id})
		if err == nil {
			info := &documentInfo{kind, id, tr.ReferenceID, tr.ProductID, tr.SourceLocationID, tr.OwnerID, tr.ChannelID, tr.Product,
				tr.SourceLocation, tr.Quantity, tr.PendingShipmentQuantity, operation == api.ShipTransfer.ID}
			if operation == api.ReceiveTransfer.ID || operation == api.CloseTransfer.ID {
				info.location, info.locationRef, info.open = tr.DestinationLocationID, tr.DestinationLocation, tr.PendingReceiveQuantity
				info.completes = operation == api.ReceiveTransfer.ID
			}
			return info
		}
	case api.DocOutbound:
		out, err := api.GetOutbound.Call(ctx, svc, api.OutboundInput{OutboundID: id})
		if err == nil {
			return &documentInfo{kind, id, cmp.Or(out.ReferenceID, out.ExternalOrderID), out.ProductID, out.LocationID, out.OwnerID,
				out.ChannelID, out.Product, out.Location, out.RequestedQuantity, out.PendingFulfillmentQuantity,
				operation == api.FulfillOutbound.ID || operation == api.ShipOutbound.ID}
		}
	case api.DocReservation:
		r, err := api.GetReservation.Call(ctx, svc, api.ReservationInput{ReservationID: id})
		if err == nil {
			return &documentInfo{kind, id, r.ReferenceID, r.ProductID, r.LocationID, r.OwnerID, r.ChannelID, r.Product, r.Location,
				r.Quantity, r.Quantity - r.FulfilledQuantity, false}
		}
	}
	return nil
}
