package poll

import (
	"context"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// An affectedStock is the stock and documents that an operation changes.
type affectedStock struct {
	keys      []stockKey
	documents documentKinds
	outbound  api.ID
}

// affected returns what an operation changes, as far as its document is known.
func (p *Syncer) affected(ctx context.Context, op *outbox.Operation) (t affectedStock, err error) {
	req, err := p.Queue.Request(op, false)
	if err != nil {
		return t, nil // another version saved it, so this one did not send it
	}
	add := func(k api.StockKey) {
		t.keys = append(t.keys, stockKey{k.ProductID, k.LocationID, k.OwnerID, k.ChannelID})
	}
	t.documents = documentKindsOf(req.Spec.Document)
	if k, ok := req.StockKey(); ok {
		add(k)
	}
	doc := req.DocumentID()
	if doc == (api.ID{}) {
		return t, nil
	}
	known, err := p.document(ctx, doc)
	if d, ok := known.(api.StockDocument); ok {
		for _, k := range d.StockKeys() {
			add(k)
		}
	} else { // the document has ended and is no longer in the replica
		for _, x := range op.Stock {
			add(api.StockKey{ProductID: x.Product, LocationID: x.Location, OwnerID: x.Owner, ChannelID: x.Channel})
		}
	}
	if out, ok := known.(*api.Outbound); ok {
		t.outbound = out.ID
	}
	return t, err
}
