package offline

import (
	"cmp"
	"context"
	"errors"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/replica"
)

// A capturer decides a write with the local data, saves it in the journal, and answers it.
// Nothing else journals new operations, apart from an import. Its state is the shared one:
// perform is called without mu; enqueue and replay with it, so that the prediction, the
// journal and the view agree.
type capturer struct {
	*state
	read    *reader
	service *passThrough
	note    *noteFile
}

// perform saves a write, or sends it on if the local data is not enough to decide it.
func (c *capturer) perform(ctx context.Context, req *api.Request) (*api.Response, error) {
	if err := c.checkWork(ctx, req); err != nil {
		return nil, err
	}
	if c.service.forwarded(req.IdempotencyKey) {
		return c.service.forward(ctx, req)
	}

	res, err := c.write(ctx, req)
	switch {
	case !req.AcceptRisk && c.source().mayFind(err):
		return c.service.forward(ctx, req)
	case errors.Is(err, replica.ErrUsedAtService):
		return c.service.replayUpstream(ctx, req, err)
	}

	return res, err
}

// write saves a write, or replays one with the same key.
func (c *capturer) write(ctx context.Context, req *api.Request) (*api.Response, error) {
	defer c.note.save(false) // before the answer, and when mu is free
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, api.Fail(api.Unavailable, nil, "Bincard is shutting down. Nothing was saved.")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if op := c.queue.Operation(req.IdempotencyKey); op != nil {
		return c.replay(ctx, op, req)
	}

	return c.enqueue(ctx, req, "")
}

// enqueue predicts a new write and saves it. replaces is the key of the operation
// that it replaces, if any. mu is held.
func (c *capturer) enqueue(ctx context.Context, req *api.Request, replaces string) (*api.Response, error) {
	v, service := c.view.Load(), c.source()
	op, err := outbox.NewCapture(req)
	if err != nil {
		return nil, err
	}
	if service.hasDocument(ctx, v, req) {
		return nil, replica.UsedAtService(req.IdempotencyKey)
	}

	op.At, op.Replaces, op.After = v.EffectiveTime(c.now()), replaces, req.After
	op.Device, op.DeviceID = c.deviceOf(req.Caller)
	old := c.queue.Operation(replaces)
	if old != nil && op.After == "" {
		op.After = old.After
	}

	op.Target = c.queue.RemoteTarget(op.Target, true)
	position := ledger.LocalPosition{At: op.At}
	position.N, position.From = c.queue.NextSeq(op.At)

	// Apply it to the overlay first, and roll back if it cannot be saved.
	v.Savepoint()
	st, res, refused := v.Apply(ctx, c.journaledRequest(op, req), position)
	if refused == nil && res.Replayed {
		return res, nil // the service has it already
	}
	if err := ledger.CheckOccurredAt(req.OccurredAt, c.now()); err != nil {
		v.Rollback()
		return nil, err
	}

	full := req
	if refused != nil {
		err = c.acceptRisk(ctx, req, refused)
	} else {
		full, op.Stock = service.fillDefaults(req, res)
	}

	if full != req {
		op.Target, _, op.Body, err = full.Spec.Encode(full.Input)
		if err == nil {
			st, _, err = v.Apply(ctx, c.journaledRequest(op, full), position)
		}
	}

	if err != nil {
		v.Rollback()
		return nil, err
	}

	op.RiskAccepted, op.LotsOf = refused != nil, c.queue.LotsOf(st.Footprint)
	op.Needs = c.queue.WithMakerOf(op, c.queue.Needs(st.Footprint))
	entries := append([]*outbox.Entry{service.epochEntry(ctx), {Capture: op}}, c.queue.HoldForReplaced(op.At, old)...)
	if err := c.queue.Commit(entries...); err != nil {
		v.Rollback()
		return nil, notSavedError(err)
	}

	v.Commit(st)
	c.queue.SetFootprint(c.queue.Operation(op.Key), st.Footprint, st.Risk)
	c.notify()
	if refused != nil {
		return nil, atRiskError(outbox.RefusalOf(refused))
	}

	res.CommittedBy = ByNode

	return res, nil
}

func atRiskError(why *outbox.Refusal) error {
	return api.Fail(api.AtRisk, api.Details{"because": why.Code},
		"Saved at risk: the service may reject it. %v", why.Message)
}

// journaledRequest returns a request as it will be read from the journal and sent. If
// it cannot be read back, it returns the request as given, which the ledger rejects.
func (c *capturer) journaledRequest(op *outbox.Capture, req *api.Request) *api.Request {
	journaled, err := op.Request()
	if err != nil {
		original := *req
		journaled = &original
	}

	caller := c.cfg.Caller
	caller.Scopes, caller.Role = req.Caller.Scopes, cmp.Or(caller.Role, req.Caller.Role)
	journaled.Caller = &caller

	return journaled
}

// deviceOf returns the label and id of the caller's key, or nothing if it is the node's own.
func (c *capturer) deviceOf(caller *api.Caller) (label string, id api.ID) {
	if caller.KeyID == c.cfg.Caller.KeyID {
		return "", id
	}
	return caller.KeyLabel, caller.KeyID
}

// acceptRisk returns nil if a write that the local ledger rejected is saved at risk, else
// the error to return.
func (c *capturer) acceptRisk(ctx context.Context, req *api.Request, refused error) error {
	e := api.AsError(refused)
	if ctx.Err() != nil || e.Code.Status() >= 500 || c.source().rejects(e.Code) || !req.Spec.Physical() {
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

// replay returns the response to a write that is already in the queue. mu is held.
func (c *capturer) replay(ctx context.Context, op *outbox.Operation, req *api.Request) (*api.Response, error) {
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
		return nil, api.Fail(api.IdempotencyKeyReused,
			api.Details{"operation": op.SpecID, "device": op.Device, "usedAt": at, "elsewhere": true},
			"The Idempotency-Key %q was used by %v (%s at %s). Use a new key.", op.Key,
			api.Textf("the device %s", op.Device), op.SpecID, at)
	}

	switch {
	case op.NeedsDecision():
		return nil, &api.Error{Code: op.Refusal.Code, Message: op.Refusal.Message, Details: op.Refusal.Details}
	case !op.State.Open() && op.State != outbox.Done:
		return nil, api.Fail(api.NotFound, api.Details{"state": op.State}, "This operation was discarded: %s.",
			op.Reason)
	case op.Risk != nil:
		return nil, atRiskError(op.Risk)
	}

	local, err := c.queue.Request(op, true)
	if err != nil {
		return nil, api.Internal(err)
	}

	local.Caller = req.Caller
	res, err := c.view.Load().Predict(ctx, local)
	if err == nil && op.State != outbox.Done {
		res.CommittedBy = ByNode
	}

	return res, err
}

// withDefaults returns the request with its default quantity and lot filled in.
func withDefaults(req *api.Request, q int64, lot api.ID) *api.Request {
	if q == 0 {
		return req
	}

	resolved := *req
	switch in := req.Input.(type) {
	case *api.MoveTransferInput:
		full := *in
		full.Quantity = cmp.Or(full.Quantity, &q)
		if full.LotID == api.NoID && len(full.SerialIDs)+len(full.SerialNumbers) == 0 {
			full.LotID = lot
		}
		resolved.Input = &full

	case *api.FulfillOutboundInput:
		full := *in
		full.Quantity = cmp.Or(full.Quantity, &q)
		resolved.Input = &full
	default:
		return req
	}

	return &resolved
}

// movedQuantity returns the on-hand quantity that moved, and its lot if it was only one.
func movedQuantity(moves []api.Movement) (q int64, lot api.ID) {
	oneLot := true
	for i := range moves {
		m := &moves[i]
		if m.InventoryState != api.OnHand || m.Quantity == 0 {
			continue
		}
		oneLot = oneLot && (q == 0 || lot == m.LotID)
		lot = m.LotID
		q += max(m.Quantity, -m.Quantity)
	}

	if !oneLot {
		lot = api.NoID
	}

	return q, lot
}

// A document created at the node has an id at once. Bincard's own service derives the
// same id; another service returns its own in the response, and later operations on the
// document are sent with that.

// createdID returns the local id of the document that an operation creates, or empty if none.
func (cfg *Config) createdID(c *outbox.Capture) string {
	spec := api.FindOperation(c.SpecID)
	if spec == nil || spec.Document == "" || !spec.Creates() {
		return ""
	}
	return cfg.derivedID(spec, c.Key).String()
}

// derivedID returns the id of the document that an operation with a key creates.
func (cfg *Config) derivedID(spec *api.Spec, key string) api.ID {
	return ledger.DerivedID(cfg.partition(), string(spec.Document), key)
}
