package offline

import (
	"cmp"
	"context"
	"slices"

	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// checkWork returns an error if a write is to be done at a location whose data the node
// does not have. mu is not held.
func (c *capturer) checkWork(ctx context.Context, req *api.Request) error {
	if len(c.here) == 0 || c.Operation(req.IdempotencyKey) != nil {
		return nil
	}

	at := req.Locations()
	if id := req.DocumentID(); id != api.NoID && req.Spec.Document.HasStock() {
		doc, err := c.findDocument(ctx, req, id)
		if err != nil || doc == nil {
			return err
		}
		at = req.Spec.DoneAt(api.LocationsOf(doc))
	}

	if len(at) == 0 || slices.ContainsFunc(at, c.here.has) {
		return nil
	}

	return api.Fail(api.LocationNotAllowed, api.Details{"locations": c.here.codes()},
		"This must be done at %s. Only the work of %s is done here.", c.codeOf(ctx, at[0]), c.here)
}

// findDocument returns the document that a write is for: the one here, or the service's.
// It is nil if its creation is saved here, or if the service has none either.
func (c *capturer) findDocument(ctx context.Context, req *api.Request, id api.ID) (api.StockDocument, error) {
	v := c.view.Load()
	doc, err := api.ReadDocument(ctx, api.As(v, c.cfg.Caller, ""), req.Spec.Document, id)
	if !api.HasCode(err, api.NotFound) {
		return doc, err
	}
	if !api.HasCode(c.read.explainMissing(req, err), api.NotFound) {
		return nil, nil
	}

	doc, err = api.ReadDocument(ctx, c.Remote(), req.Spec.Document, id)
	switch {
	case err == nil:
		return doc, nil
	case api.HasCode(err, api.NotFound):
		return nil, nil
	}

	return nil, api.Fail(api.LocationNotAllowed, api.Details{"locations": c.here.codes()},
		"This document is not in the data of %s stored here. Connect, then retry.", c.here)
}

// codeOf returns the code of a location, or its id if it is unknown.
func (c *capturer) codeOf(ctx context.Context, id api.ID) (code string) {
	code = id.String()
	if current := c.replicas.Current(); current != nil {
		_ = c.replicas.View(ctx, current, func(r *replica.Tx) error {
			known, err := r.LocationCode(id)
			code = cmp.Or(known, code)
			return err
		})
	}

	return code
}
