package offline

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// permanentCodes are the errors in a request that the service would report too, whatever
// its data.
var permanentCodes = []api.Code{
	api.ValidationError, api.InvalidJSON, api.InvalidCursor, api.IdempotencyKeyRequired, api.IdempotencyKeyReused,
	api.InsufficientScope, api.SerialCountMismatch, api.LotRequired, api.UnitConversionMismatch, api.ProductNotComposed,
}

// Do reads from the local data, and saves a write before it returns. The Response to
// a write has CommittedBy ByNode, because the service has not confirmed it.
//
// A write that the local ledger rejects fails. If its stock has already moved, the
// error's details have "insist", and a retry with api.AcceptRisk saves the write and
// returns an AT_RISK error.
func (n *Node) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if err := n.refresh(ctx); err != nil {
		return nil, err
	}
	if err := req.CheckPeople(); err != nil {
		return nil, err
	}
	if op, ok := nodeOps[req.Spec.ID]; ok {
		return n.doNodeOp(ctx, req, op)
	}
	if n.replicas.Polled() && isExtension(req.Spec) {
		return nil, unsupportedError(req.Spec)
	}
	if req.Spec.ServiceOnly || req.Spec.Discovery {
		res, err := n.cfg.Upstream.Do(ctx, req)
		if err != nil {
			return nil, err
		}
		if access, ok := res.Output.(*api.Access); ok {
			n.UpdateRules(ctx, access)
		}
		return res, nil
	}
	local := *req
	if local.Caller == nil {
		local.Caller = &n.cfg.Caller
	}
	v := n.view.Load()
	if v == nil {
		return nil, notReadyError()
	}
	if n.replicas.Polled() {
		if res, ok, err := n.askUpstream(ctx, req); ok {
			return res, err
		}
		n.fetchOutbound(ctx, req)
		v = n.view.Load()
	}
	if !req.Spec.Writes() {
		if res, answered, err := n.readElsewhere(ctx, &local); answered {
			return res, err
		}
		if !n.replicas.Polled() {
			if res, answered, err := n.history(ctx, &local); answered {
				return res, err
			}
		}
		res, err := v.Do(ctx, &local)
		if current := n.view.Load(); errors.Is(err, store.ErrClosed) && current != v {
			return current.Do(ctx, &local) // the replica was replaced during the read
		}
		if err != nil {
			return n.readMissing(ctx, &local, n.explainMissing(&local, err))
		}
		return res, nil
	}
	if err := n.checkWork(ctx, &local); err != nil {
		return nil, err
	}
	if n.passThrough.has(req.IdempotencyKey, n.now()) {
		return n.cfg.Upstream.Do(ctx, n.sentRequest(&local))
	}
	res, err := n.write(ctx, &local)
	if n.replicas.Polled() && api.HasCode(err, api.NotFound) && !req.AcceptRisk && n.online() {
		n.passThrough.add(req.IdempotencyKey, n.now()) // the reports may not contain it yet
		return n.cfg.Upstream.Do(ctx, n.sentRequest(&local))
	}
	if errors.Is(err, replica.ErrUsedAtService) {
		return n.replayUpstream(ctx, &local, err)
	}
	return res, err
}

func notReadyError() error {
	return api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"},
		"No data from the service yet. Connect once to work offline.")
}

// write saves a write, or replays one with the same key.
func (n *Node) write(ctx context.Context, req *api.Request) (*api.Response, error) {
	defer n.saveNote(false) // before the answer, and when n.mu is free
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, api.Fail(api.Unavailable, nil, "Bincard is shutting down. Nothing was saved.")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if op := n.queue.Operation(req.IdempotencyKey); op != nil {
		return n.replay(ctx, op, req)
	}
	return n.enqueue(ctx, req, "")
}

// enqueue predicts a new write and saves it. replaces is the key of the operation
// that it replaces, if any. n.mu is held.
func (n *Node) enqueue(ctx context.Context, req *api.Request, replaces string) (*api.Response, error) {
	v := n.view.Load()
	c, err := outbox.NewCapture(req)
	if err != nil {
		return nil, err
	}
	if n.isInReplica(ctx, v, req) {
		return nil, replica.UsedAtService(req.IdempotencyKey)
	}
	c.At, c.Device, c.Replaces, c.After = v.EffectiveTime(n.now()), n.deviceLabel(req.Caller), replaces, req.After
	old := n.queue.Operation(replaces)
	if old != nil && c.After == "" {
		c.After = old.After
	}
	c.Target = n.queue.RemoteTarget(c.Target, true)
	position := ledger.LocalPosition{At: c.At}
	position.N, position.From = n.queue.NextSeq(c.At)
	// Apply it to the overlay first, and roll back if it cannot be saved.
	v.Savepoint()
	st, res, refused := v.Apply(ctx, n.journaledRequest(c, req), position)
	if refused == nil && res.Replayed {
		return res, nil // the service has it already
	}
	if err := ledger.CheckOccurredAt(req.OccurredAt, n.now()); err != nil {
		v.Rollback()
		return nil, err
	}
	if refused != nil {
		err = n.acceptRisk(ctx, req, refused)
	} else if full := resolveDefaults(req, res, n.replicas.Polled()); full != req {
		if c.Target, _, c.Body, err = full.Spec.Encode(full.Input); err == nil {
			st, _, err = v.Apply(ctx, n.journaledRequest(c, full), position)
		}
	}
	if err != nil {
		v.Rollback()
		return nil, err
	}
	if refused == nil && n.replicas.Polled() {
		c.Stock = movedStock(res)
	}
	c.RiskAccepted, c.Needs, c.LotsOf = refused != nil, n.queue.Needs(st.Footprint), n.queue.LotsOf(st.Footprint)
	c.Needs = n.queue.WithMakerOf(c, c.Needs)
	entries := append([]*outbox.Entry{n.epochEntry(ctx), {Capture: c}}, n.queue.HoldForReplaced(c.At, old)...)
	if err := n.queue.Commit(entries...); err != nil {
		v.Rollback()
		return nil, notSavedError(err)
	}
	v.Commit(st)
	n.queue.SetFootprint(n.queue.Operation(c.Key), st.Footprint, st.Risk)
	n.notify()
	if refused != nil {
		why := outbox.RefusalOf(refused)
		return nil, api.Fail(api.AtRisk, api.Details{"because": why.Code},
			"Saved at risk: the service may reject it. %v", why.Message)
	}
	res.CommittedBy = ByNode
	return res, nil
}

// isInReplica reports whether the document that a request would create exists, because
// its key was used elsewhere. A snapshot does not contain keys.
func (n *Node) isInReplica(ctx context.Context, v *predict.LocalView, req *api.Request) bool {
	if n.replicas.Polled() || !req.Spec.Creates() || req.Spec.Document == "" {
		return false
	}
	id := ledger.DerivedID(n.partition(), string(req.Spec.Document), req.IdempotencyKey)
	_, err := api.ReadDocument(ctx, api.As(v, n.cfg.Caller, ""), req.Spec.Document, id)
	return err == nil
}

// journaledRequest returns a request as it will be read from the journal and sent. If
// it cannot be read back, it returns the request as given, which the ledger rejects.
func (n *Node) journaledRequest(c *outbox.Capture, req *api.Request) *api.Request {
	journaled, err := c.Request()
	if err != nil {
		original := *req
		journaled = &original
	}
	caller := n.cfg.Caller
	caller.Scopes = req.Caller.Scopes
	journaled.Caller = &caller
	return journaled
}

// deviceLabel returns the label of the caller's key, empty if it is the node's own.
func (n *Node) deviceLabel(c *api.Caller) string {
	if c.KeyID == n.cfg.Caller.KeyID {
		return ""
	}
	return c.KeyLabel
}

// acceptRisk returns nil if a write that the local ledger rejected is saved at risk, else
// the error to return.
func (n *Node) acceptRisk(ctx context.Context, req *api.Request, refused error) error {
	e := api.AsError(refused)
	permanent := slices.Contains(permanentCodes, e.Code) && !(n.replicas.Polled() && slices.Contains(upstreamOnlyCodes, e.Code))
	if ctx.Err() != nil || e.Code.Status() >= 500 || permanent || !req.Spec.Physical() {
		return refused
	}
	if req.AcceptRisk {
		return nil
	}
	insistable := *e
	insistable.Details = api.Details{"insist": true}
	for k, v := range e.Details {
		insistable.Details[k] = v
	}
	return &insistable
}

// replay returns the response to a write that is already in the queue. n.mu is held.
func (n *Node) replay(ctx context.Context, op *outbox.Operation, req *api.Request) (*api.Response, error) {
	print, err := outbox.Fingerprint(req)
	if err != nil {
		return nil, err
	}
	if op.Fingerprint != print || op.SpecID != req.Spec.ID {
		return nil, api.Fail(api.IdempotencyKeyReused, api.Details{"operation": op.SpecID},
			"The Idempotency-Key %q was used for another request (%s). Use a new key.", op.Key, op.SpecID)
	}
	if req.Device != "" && op.Device != "" && req.Device != op.Device {
		at := op.At.UTC().Format(time.RFC3339)
		return nil, api.Fail(api.IdempotencyKeyReused, api.Details{"operation": op.SpecID, "device": op.Device, "usedAt": at, "elsewhere": true},
			"The Idempotency-Key %q was used by %v (%s at %s). Use a new key.", op.Key, api.Textf("the device %s", op.Device), op.SpecID, at)
	}
	switch {
	case op.State == outbox.Refused || op.State == outbox.Held:
		return nil, &api.Error{Code: op.Refusal.Code, Message: op.Refusal.Message, Details: op.Refusal.Details}
	case !op.State.Open() && op.State != outbox.Done:
		return nil, api.Fail(api.NotFound, api.Details{"state": op.State}, "This operation was discarded: %s.", op.Reason)
	case op.Risk != nil:
		return nil, api.Fail(api.AtRisk, api.Details{"because": op.Risk.Code}, "Saved at risk: the service may reject it. %v", op.Risk.Message)
	}
	local, err := n.queue.Request(op, true)
	if err != nil {
		return nil, api.Internal(err)
	}
	local.Caller = req.Caller
	res, err := n.view.Load().Predict(ctx, local)
	if err == nil && op.State != outbox.Done {
		res.CommittedBy = ByNode
	}
	return res, err
}

func notSavedError(err error) error {
	if errors.Is(err, journal.ErrUncertain) {
		return &api.Error{Code: api.Unavailable, Err: err, Details: api.Details{"outcome": "unknown"},
			Message: api.Text("The disk failed, so this may not be saved. Restart Bincard and check before you repeat it.")}
	}
	return &api.Error{Code: api.Unavailable, Err: err,
		Message: api.Text("Not saved: the disk is full or failing. Free some space or check the disk, then retry.")}
}
