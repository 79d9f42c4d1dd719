package syncer

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// An affectedStock is the stock and documents that an operation changes.
type affectedStock struct {
	keys      []api.StockKey
	documents documentKinds
	outbound  api.ID
}

// affected returns what an operation changes, as far as its document is known.
func (p *poll) affected(ctx context.Context, op *outbox.Operation) (t affectedStock, err error) {
	req, err := p.Queue.Request(op, false)
	if err != nil {
		return t, nil // another version saved it, so this one did not send it
	}

	t.documents = documentKindsOf(req.Spec.Document)
	if k, ok := req.StockKey(); ok {
		t.keys = append(t.keys, k)
	}

	doc := req.DocumentID()
	if doc == api.NoID {
		return t, nil
	}

	known, err := p.document(ctx, doc)
	if d, ok := known.(api.StockDocument); ok {
		t.keys = append(t.keys, d.StockKeys()...)
	} else { // the document has ended and is no longer in the replica
		for _, x := range op.Stock {
			t.keys = append(t.keys,
				api.StockKey{ProductID: x.Product, LocationID: x.Location, OwnerID: x.Owner, ChannelID: x.Channel})
		}
	}

	if out, ok := known.(*api.Outbound); ok {
		t.outbound = out.ID
	}

	return t, err
}

// confirmOperation records that the cycle contains an operation.
func (p *poll) confirmOperation(ctx context.Context, op *outbox.Operation) error {
	p.cycle.confirmed[op.Key] = true
	return p.markDirty(ctx, op)
}

// markDirty marks the documents of an operation to be read.
func (p *poll) markDirty(ctx context.Context, op *outbox.Operation) error {
	t, err := p.affected(ctx, op)
	if err != nil {
		return err
	}
	for _, at := range t.keys {
		p.cycle.dirty[at] |= t.documents
	}
	if t.outbound != api.NoID {
		p.cycle.outbounds[t.outbound] = true
	}

	return nil
}

// document returns a document from the cycle or the replica.
func (p *poll) document(ctx context.Context, id api.ID) (doc any, err error) {
	if p.cycle != nil && p.cycle.docs[id] != nil {
		return p.cycle.docs[id], nil
	}
	err = p.readReplica(ctx, func(replica *replica.Tx) error {
		doc, err = replica.Document(id)
		return err
	})
	return doc, err
}

func stockKeyOf(m *api.MovementRow) api.StockKey {
	return api.StockKey{ProductID: m.ProductID, LocationID: m.LocationID, OwnerID: m.OwnerID, ChannelID: m.ChannelID}
}

// sortedKeys returns the keys of a map in a fixed order, so that failures are
// reproducible.
func sortedKeys[V any](of map[api.StockKey]V) []api.StockKey {
	return slices.SortedFunc(maps.Keys(of), func(a, b api.StockKey) int {
		return cmp.Or(compareIDs(a.ProductID, b.ProductID), compareIDs(a.LocationID, b.LocationID),
			compareIDs(a.OwnerID, b.OwnerID), compareIDs(a.ChannelID, b.ChannelID))
	})
}

func compareIDs(a, b api.ID) int { return bytes.Compare(a[:], b[:]) }

// sameStock reports whether two stock keys may be the same: a zero owner or
// channel matches any.
func sameStock(a, b api.StockKey) bool {
	alike := func(a, b api.ID) bool { return a == b || a == api.NoID || b == api.NoID }
	return a.ProductID == b.ProductID && a.LocationID == b.LocationID && alike(a.OwnerID, b.OwnerID) &&
		alike(a.ChannelID, b.ChannelID)
}

// A documentKinds is a set of kinds of documents.
type documentKinds byte

const (
	inboundDocuments documentKinds = 1 << iota
	transferDocuments
	reservationDocuments
	outboundDocuments
)

// documentKindsOf returns the set with one kind of stock document, empty for others.
func documentKindsOf(kind api.DocumentKind) documentKinds {
	switch kind {
	case api.DocInbound:
		return inboundDocuments
	case api.DocTransfer:
		return transferDocuments
	case api.DocReservation:
		return reservationDocuments
	case api.DocOutbound:
		return outboundDocuments
	}

	return 0
}
