package offline

import (
	"context"
	"errors"
	"slices"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// physicalOps are the operations by which people tell what has happened to goods. It
// is not undone by a refusal, so none is turned away for good: whoever insists
// has it kept, and the service decides.
var physicalOps = []string{
	api.ReceiveInbound.ID, api.ShipTransfer.ID, api.ReceiveTransfer.ID, api.FulfillOutbound.ID, api.PickOutbound.ID,
	api.PackOutbound.ID, api.ShipOutbound.ID, api.AdjustStock.ID, api.MoveStock.ID, api.ReceiveStock.ID, api.ReturnStock.ID,
	api.FulfillStock.ID, api.WriteOffStock.ID, api.ReconcileStock.ID, api.DisassembleStock.ID, api.AssembleStock.ID,
}

// hardRefusals are the refusals that stay refusals whatever the service knows better:
// the request itself is to be put right.
var hardRefusals = []api.Code{
	api.ValidationError, api.InvalidJSON, api.InvalidCursor, api.IdempotencyKeyRequired, api.IdempotencyKeyReused,
	api.InsufficientScope, api.SerialCountMismatch, api.LotRequired, api.UnitConversionMismatch, api.ProductNotComposed,
}

// upstreamOnlyOps are the operations that are the service's alone: its keys, what its
// plan allows, and what replicas follow.
var upstreamOnlyOps = []string{
	api.ListKeys.ID, api.CreateKey.ID, api.RevokeKey.ID, api.GetAccess.ID,
	api.GetCapabilities.ID, api.ListChanges.ID, api.GetSnapshot.ID,
}

// Do answers a read from what is known here, and keeps a write before it
// answers. CommittedBy of a write's Response is ByNode: the service has not
// confirmed it.
//
// A write that the ledger here refuses is refused. Where the goods have moved
// already its Details have "insist", and it is kept when it is sent again with
// api.Insist: the error is then of the code AT_RISK, and the write is saved.
func (n *Node) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if err := n.refresh(ctx); err != nil {
		return nil, err
	}
	if op, ok := nodeOps[req.Spec.ID]; ok {
		return n.doNodeOp(ctx, req, op)
	}
	if n.polled.Load() && isExtension(req.Spec) {
		return nil, unsupportedError(req.Spec)
	}
	if slices.Contains(upstreamOnlyOps, req.Spec.ID) {
		res, err := n.cfg.Upstream.Do(ctx, req)
		if err == nil {
			n.updateRules(ctx, res)
		}
		return res, err
	}
	mine := *req
	if mine.Caller == nil {
		mine.Caller = &n.cfg.Caller
	}
	s := n.view.Load()
	if s == nil {
		return nil, notReadyError()
	}
	if n.polled.Load() {
		if res, ok, err := n.askUpstream(ctx, req); ok {
			return res, err
		}
		n.fetchOutbound(ctx, req)
		s = n.view.Load()
	}
	if !req.Spec.Writes() {
		if !n.polled.Load() {
			if res, answered, err := n.history(ctx, &mine); answered {
				return res, err
			}
		}
		res, err := s.ledger.Do(ctx, &mine)
		if now := n.view.Load(); errors.Is(err, store.ErrClosed) && now != s {
			return now.ledger.Do(ctx, &mine) // another base has come meanwhile
		}
		return res, err
	}
	if n.passThrough.has(req.IdempotencyKey, n.now()) {
		return n.cfg.Upstream.Do(ctx, n.sentRequest(&mine))
	}
	res, err := n.write(ctx, &mine)
	if n.polled.Load() && api.HasCode(err, api.NotFound) && !req.AcceptRisk && n.online() {
		n.passThrough.add(req.IdempotencyKey, n.now()) // no report may have told of it yet
		return n.cfg.Upstream.Do(ctx, n.sentRequest(&mine))
	}
	if errors.Is(err, replica.ErrUsedAtService) {
		if n.keyExpired(req.IdempotencyKey) {
			return nil, api.Fail(api.Unavailable, nil, "This was already done, but the service no longer has its answer.")
		}
		return n.cfg.Upstream.Do(ctx, n.sentRequest(&mine))
	}
	return res, err
}

// refresh makes anew what shows, where that is not what is known any more.
func (n *Node) refresh(ctx context.Context) error {
	if !n.stale.Load() {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || !n.stale.Load() {
		return nil
	}
	return n.rebuild(ctx)
}

func notReadyError() error {
	return api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"},
		"There is no data from the service yet. Connect once to work offline.")
}

// sentRequest is a request as it was sent, where it was.
func (n *Node) sentRequest(req *api.Request) *api.Request {
	n.mu.Lock()
	defer n.mu.Unlock()
	if it := n.queue.Operation(req.IdempotencyKey); it != nil {
		if sent, err := n.requestFor(it, false); err == nil {
			return sent
		}
	}
	there := *req
	there.Caller = nil
	return &there
}

func (n *Node) write(ctx context.Context, req *api.Request) (*api.Response, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, api.Fail(api.Unavailable, nil, "Bincard is shutting down. Nothing was saved; start it again.")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if it := n.queue.Operation(req.IdempotencyKey); it != nil {
		return n.replay(ctx, it, req)
	}
	return n.enqueue(ctx, req, "")
}

// enqueue predicts a new write and keeps it, in the place of the operation with
// the key replaces, if any. n.mu is held.
func (n *Node) enqueue(ctx context.Context, req *api.Request, replaces string) (*api.Response, error) {
	s := n.view.Load()
	c, err := newCapture(req)
	if err != nil {
		return nil, err
	}
	c.At, c.Device, c.Replaces, c.After = s.overlay.effectiveTime(n.now()), n.deviceLabel(req.Caller), replaces, req.After
	if old := n.queue.Operation(replaces); old != nil && c.After == "" {
		c.After = old.After
	}
	c.Target = n.queue.RemoteTarget(c.Target, true)
	as := n.journaledRequest(c, req)
	t := ledger.LocalPosition{At: c.At}
	t.N, t.From = n.queue.NextSeq(c.At)
	// The front takes it first, and gives it back where it is not kept.
	s.overlay.savepoint()
	st, res, refused := s.do(ctx, as, t)
	if refused == nil && res.Replayed {
		return res, nil // the service has it already
	}
	if refused != nil {
		err = n.acceptRisk(ctx, req, refused)
	} else if full := resolveDefaults(req, res, n.polled.Load()); full != req {
		if c.Target, c.Body, err = encodeInput(full); err == nil {
			st, _, err = s.do(ctx, n.journaledRequest(c, full), t)
		}
	}
	if err != nil {
		s.rollback()
		return nil, err
	}
	if refused == nil && n.polled.Load() {
		c.Stock = movedStock(res.Output)
	}
	c.RiskAccepted = refused != nil
	if err := n.commit(n.epochEntry(ctx), &outbox.Entry{Capture: c}); err != nil {
		s.rollback()
		return nil, notSavedError(err)
	}
	s.commit(st)
	n.queue.SetFootprint(c.Key, st.footprint, st.risk)
	n.notify()
	if refused != nil {
		why := outbox.RefusalOf(refused)
		return nil, api.Fail(api.AtRisk, api.Details{"because": why.Code},
			"Saved at risk: the service may reject it. %s", why.Message)
	}
	res.CommittedBy = ByNode
	return res, nil
}

// journaledRequest is a request as it will be read from the journal, and as the service
// will see it. What cannot be read back is as it came: the ledger refuses it.
func (n *Node) journaledRequest(c *outbox.Capture, req *api.Request) *api.Request {
	as, err := requestOf(c)
	if err != nil {
		copied := *req
		as = &copied
	}
	caller := n.cfg.Caller
	caller.Scopes = req.Caller.Scopes
	as.Caller = &caller
	return as
}

// deviceLabel is the label of a caller's key, where that is not the node's own.
func (n *Node) deviceLabel(c *api.Caller) string {
	if c.KeyID == n.cfg.Caller.KeyID {
		return ""
	}
	return c.KeyLabel
}

// acceptRisk is the refusal of a write that is not kept, nil where it is.
func (n *Node) acceptRisk(ctx context.Context, req *api.Request, refused error) error {
	e := api.AsError(refused)
	never := slices.Contains(hardRefusals, e.Code) && !(n.polled.Load() && slices.Contains(upstreamOnlyRefusals, e.Code))
	if ctx.Err() != nil || e.Code.Status() >= 500 || never || !slices.Contains(physicalOps, req.Spec.ID) {
		return refused
	}
	if req.AcceptRisk {
		return nil
	}
	told := *e
	told.Details = api.Details{"insist": true}
	for k, v := range e.Details {
		told.Details[k] = v
	}
	return &told
}

// replay answers a write that is known here. n.mu is held.
func (n *Node) replay(ctx context.Context, it *outbox.Operation, req *api.Request) (*api.Response, error) {
	print, err := fingerprint(req)
	if err != nil {
		return nil, err
	}
	if it.Fingerprint != print || it.SpecID != req.Spec.ID {
		return nil, api.Fail(api.IdempotencyKeyReused, api.Details{"operation": it.SpecID},
			"The Idempotency-Key %q was used for another request (%s). Use a new key.", it.Key, it.SpecID)
	}
	switch {
	case it.State == outbox.Refused || it.State == outbox.Held:
		return nil, &api.Error{Code: it.Refusal.Code, Message: it.Refusal.Message, Details: it.Refusal.Details}
	case !it.State.Open() && it.State != outbox.Done:
		return nil, api.Fail(api.NotFound, api.Details{"state": it.State}, "This operation was discarded: %s.", it.Reason)
	case it.Risk != nil:
		return nil, api.Fail(api.AtRisk, api.Details{"because": it.Risk.Code}, "Saved at risk: the service may reject it. %s", it.Risk.Message)
	}
	made, err := n.requestFor(it, true)
	if err != nil {
		return nil, api.Internal(err)
	}
	made.Caller = req.Caller
	res, err := n.view.Load().predict(ctx, made)
	if err == nil && it.State != outbox.Done {
		res.CommittedBy = ByNode
	}
	return res, err
}

func notSavedError(err error) error {
	if errors.Is(err, journal.ErrUncertain) {
		return &api.Error{Code: api.Unavailable, Err: err, Details: api.Details{"outcome": "unknown"},
			Message: "The disk failed, so this may not be saved. Restart Bincard and check before you repeat it."}
	}
	return &api.Error{Code: api.Unavailable, Err: err,
		Message: "Not saved: the disk is full or failing. Free some space or check the disk, then retry."}
}
