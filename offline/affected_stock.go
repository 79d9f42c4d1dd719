package offline

import (
	"context"
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// An affectedStock is what an operation of the work here changes.
type affectedStock struct {
	keys      []stockKey
	documents documentKinds
	outbound  api.ID
}

// affected tells what an operation changes, as far as its documents are known.
func (p *pollingSyncer) affected(ctx context.Context, it *outbox.Operation) (t affectedStock, err error) {
	req, err := p.requestFor(it, false)
	if err != nil {
		return t, nil // it is none of this program's, and so was not sent by it
	}
	at := func(product, location, owner, channel api.ID) {
		t.keys = append(t.keys, stockKey{product, location, owner, channel})
	}
	t.documents = documentKindsOf(req.Spec.Document)
	if k, ok := req.StockKey(); ok {
		at(k.ProductID, k.LocationID, k.OwnerID, k.ChannelID)
	}
	doc := req.DocumentID()
	if doc == (api.ID{}) {
		return t, nil
	}
	known, err := p.document(ctx, doc)
	switch d := known.(type) {
	case *api.Inbound:
		at(d.ProductID, d.LocationID, d.OwnerID, d.ChannelID)
	case *api.Transfer:
		at(d.ProductID, d.SourceLocationID, d.OwnerID, d.ChannelID)
		at(d.ProductID, d.DestinationLocationID, d.OwnerID, d.ChannelID)
	case *api.Reservation:
		at(d.ProductID, d.LocationID, d.OwnerID, d.ChannelID)
	case *api.Outbound:
		t.outbound = d.ID
		for i := range d.Lines {
			at(d.Lines[i].ProductID, d.LocationID, d.OwnerID, d.ChannelID)
		}
	default: // it has ended, and the base was read since
		for _, x := range it.Stock {
			at(x.Product, x.Location, x.Owner, x.Channel)
		}
	}
	return t, err
}

// movedStock are the balances that an operation moved.
func movedStock(res *api.Response) (list []outbox.StockKey) {
	for _, m := range res.Movements() {
		at := outbox.StockKey{Product: m.ProductID, Location: m.LocationID, Owner: m.OwnerID, Channel: m.ChannelID}
		if !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}
