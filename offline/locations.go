package offline

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A node may be limited to the locations of its site: its replica has the stock and
// documents of these alone. Work at others is rejected, and others are read at the service.

// setLocations sorts the locations, so that equal limits are the same.
func (n *Node) setLocations() {
	list := slices.Clone(n.cfg.Locations)
	slices.SortFunc(list, func(a, b api.PlaceRef) int { return slices.Compare(a.ID[:], b.ID[:]) })
	n.cfg.Locations = slices.CompactFunc(list, func(a, b api.PlaceRef) bool { return a.ID == b.ID })
	for _, l := range n.cfg.Locations {
		n.pull.local.Locations = append(n.pull.local.Locations, l.ID)
	}
}

// isLimited reports whether the node has the data of some locations only.
func (n *Node) isLimited() bool { return len(n.cfg.Locations) > 0 }

// isHere reports whether the node has the data of a location.
func (n *Node) isHere(location api.ID) bool {
	return !n.isLimited() || slices.Contains(n.pull.local.Locations, location)
}

// locationCodes returns the codes of the node's locations, nil for all.
func (n *Node) locationCodes() (codes []string) {
	for _, l := range n.cfg.Locations {
		codes = append(codes, l.Code)
	}
	slices.Sort(codes)
	return codes
}

// checkDropped returns an error if the data of a location is no longer wanted while work
// is open: the work may be at that location.
func (n *Node) checkDropped(ctx context.Context) error {
	if !n.isLimited() || n.replicas.Current() == nil {
		return nil
	}
	at, err := n.Position(ctx)
	if err != nil || !at.Known || at.Polled {
		return nil // it is downloaded again, or has all locations
	}
	c := n.queue.Counts()
	if c.Waiting+c.Refused+c.Held == 0 || len(at.Locations) > 0 && !slices.ContainsFunc(at.Locations, func(id api.ID) bool { return !n.isHere(id) }) {
		return nil
	}
	return errors.New(api.Textf("%d operations are not synced yet, and the data of their locations would be removed: start with the same locations as before, let the operations sync or resolve them, and then change the locations",
		c.Waiting+c.Refused+c.Held))
}

// checkWork returns an error if a write is to be done at a location whose data the node
// does not have. n.mu is not held.
func (n *Node) checkWork(ctx context.Context, req *api.Request) error {
	if !n.isLimited() || n.Operation(req.IdempotencyKey) != nil {
		return nil
	}
	at := req.Locations()
	if id := req.DocumentID(); id != (api.ID{}) && req.Spec.Document.HasStock() {
		doc, err := n.findDocument(ctx, req, id)
		if err != nil || doc == nil {
			return err
		}
		at = req.Spec.DoneAt(api.LocationsOf(doc))
	}
	if len(at) == 0 || slices.ContainsFunc(at, n.isHere) {
		return nil
	}
	return api.Fail(api.LocationNotAllowed, api.Details{"locations": n.locationCodes()},
		"This must be done at %s. Only the work of %s is done here.", n.codeOf(ctx, at[0]), n.placesHere())
}

// findDocument returns the document that a write is for: the one here, or the service's.
// It is nil if its creation is saved here, or if the service has none either.
func (n *Node) findDocument(ctx context.Context, req *api.Request, id api.ID) (api.StockDocument, error) {
	v := n.view.Load()
	doc, err := api.ReadDocument(ctx, api.As(v, n.cfg.Caller, ""), req.Spec.Document, id)
	if !api.HasCode(err, api.NotFound) {
		return doc, err
	}
	if !api.HasCode(n.explainMissing(req, err), api.NotFound) {
		return nil, nil
	}
	doc, err = api.ReadDocument(ctx, remoteService{n}, req.Spec.Document, id)
	switch {
	case err == nil:
		return doc, nil
	case api.HasCode(err, api.NotFound):
		return nil, nil
	}
	return nil, api.Fail(api.LocationNotAllowed, api.Details{"locations": n.locationCodes()},
		"This document is not among those of %s, and the service cannot be reached. Retry when connected.", n.placesHere())
}

// readElsewhere reads at the service if a request is for a location whose data the node
// does not have. answered is false if the local ledger should answer.
func (n *Node) readElsewhere(ctx context.Context, req *api.Request) (res *api.Response, answered bool, err error) {
	at := req.FilterLocation()
	if at == (api.ID{}) || n.isHere(at) || n.replicas.Polled() || !req.Caller.May(req.Spec.Scope) {
		return nil, false, nil
	}
	if res, err = n.ReadRemote(ctx, req); api.HasCode(err, api.Unavailable) {
		err = api.Fail(api.Unavailable, api.AsError(err).Details,
			"Only the data of %s is here, and the service cannot be reached. Retry when connected.", n.placesHere())
	}
	return res, true, err
}

// readMissing reads a document that is not here at the service, which has those of all
// locations. It returns missing if the service does not answer.
func (n *Node) readMissing(ctx context.Context, req *api.Request, missing error) (*api.Response, error) {
	if !n.isLimited() || !api.HasCode(missing, api.NotFound) || !req.Spec.Document.HasStock() || req.DocumentID() == (api.ID{}) || !n.online() {
		return nil, missing
	}
	if res, err := n.ReadRemote(ctx, req); err == nil {
		return res, nil
	}
	return nil, missing
}

// placesHere names the node's locations in a sentence.
func (n *Node) placesHere() string { return strings.Join(n.locationCodes(), ", ") }

// codeOf returns the code of a location, or its id if it is unknown.
func (n *Node) codeOf(ctx context.Context, id api.ID) (code string) {
	code = id.String()
	if current := n.replicas.Current(); current != nil {
		_ = n.replicas.View(ctx, current, func(r *replica.Tx) error {
			known, err := r.LocationCode(id)
			code = cmp.Or(known, code)
			return err
		})
	}
	return code
}

// A remoteService reads at the service behind a node.
type remoteService struct{ *Node }

// Do performs a read.
func (s remoteService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	return s.ReadRemote(ctx, req)
}
