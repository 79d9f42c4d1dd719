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
	at := func(k api.StockKey) {
		t.keys = append(t.keys, stockKey{k.ProductID, k.LocationID, k.OwnerID, k.ChannelID})
	}
	t.documents = documentKindsOf(req.Spec.Document)
	if k, ok := req.StockKey(); ok {
		at(k)
	}
	doc := req.DocumentID()
	if doc == (api.ID{}) {
		return t, nil
	}
	known, err := p.document(ctx, doc)
	if d, ok := known.(api.StockDocument); ok {
		for _, k := range d.StockKeys() {
			at(k)
		}
	} else { // it has ended, and the base was read since
		for _, x := range it.Stock {
			at(api.StockKey{ProductID: x.Product, LocationID: x.Location, OwnerID: x.Owner, ChannelID: x.Channel})
		}
	}
	if out, ok := known.(*api.Outbound); ok {
		t.outbound = out.ID
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
