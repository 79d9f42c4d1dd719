package offline

import (
	"context"
	"errors"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// retryWork has an operation sent again, as it is.
func (n *Node) retryWork(ctx context.Context, req *api.Request, in *api.WorkKeyInput) (*api.Work, error) {
	if err := n.Retry(ctx, in.Key, decidedBy(req)); err != nil {
		return nil, n.decisionError(in.Key, err)
	}
	return n.getWork(ctx, req.Caller, in.Key)
}

// discardWork gives an operation up. Who says so twice is told the same.
func (n *Node) discardWork(ctx context.Context, req *api.Request, in *api.DropWorkInput) (*api.Work, error) {
	by := decidedBy(req)
	if it := n.Operation(in.Key); it == nil || it.State != outbox.Discarded || it.By != by || it.Reason != in.Reason {
		if err := n.Discard(ctx, in.Key, by, in.Reason); err != nil {
			return nil, n.decisionError(in.Key, err)
		}
	}
	return n.getWork(ctx, req.Caller, in.Key)
}

// replaceWork does another operation in the place of one: it is predicted and
// kept like any write, without the one that it replaces.
func (n *Node) replaceWork(ctx context.Context, req *api.Request, in *api.ReplaceWorkInput) (*api.Work, error) {
	other, err := requestOf(&outbox.Capture{Key: req.IdempotencyKey, SpecID: in.Operation, Target: in.Target, Body: in.Body,
		Operator: req.Operator})
	if err != nil {
		var known *api.Error
		if errors.As(err, &known) {
			return nil, err
		}
		return nil, api.Fail(api.ValidationError, nil, "This cannot replace it: %s.", messageOf(err))
	}
	other.Caller, other.AcceptRisk, other.RequestID = req.Caller, req.AcceptRisk || in.Insist, req.RequestID
	if !req.Caller.May(other.Spec.Scope) {
		return nil, api.Fail(api.InsufficientScope, api.Details{"requiredScope": other.Spec.Scope},
			"This needs the %s scope, which the key does not have.", other.Spec.Scope)
	}
	if err := n.replace(ctx, other, in.Key); err != nil {
		return nil, n.decisionError(in.Key, err)
	}
	return n.getWork(ctx, req.Caller, req.IdempotencyKey)
}

func (n *Node) replace(ctx context.Context, other *api.Request, key string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if it := n.queue.Operation(other.IdempotencyKey); it != nil {
		_, err := n.replay(ctx, it, other)
		return err
	}
	if err := n.queue.Replace(&outbox.Capture{Key: other.IdempotencyKey, Replaces: key}); err != nil {
		return err
	}
	if n.view.Load() == nil {
		return notReadyError()
	}
	// What it replaces is taken away first, so that the ledger here judges the
	// new one without it; it comes back where the new one is not kept.
	shows := n.queue.Operation(key).Applies()
	var err error
	if shows {
		n.queue.Exclude(key)
		defer n.queue.Exclude("")
		err = n.rebuild(ctx)
	}
	if err == nil {
		_, err = n.enqueue(ctx, other, key)
	}
	switch {
	case err == nil || api.HasCode(err, api.AtRisk):
		return nil // kept, at risk or not
	case shows:
		n.queue.Exclude("")
		return errors.Join(err, n.rebuild(context.WithoutCancel(ctx)))
	}
	return err
}

// decisionError is why a decision is not taken, in the words of the interface.
func (n *Node) decisionError(key string, err error) error {
	var why *outbox.DecisionError
	switch {
	case errors.As(err, &why):
		return api.Fail(api.Undecided, api.Details{"key": key, "state": workState(&why.Operation)}, "%s", why.Message)
	case n.Operation(key) == nil && !errors.As(err, new(*api.Error)):
		return workNotFound(key)
	}
	return err
}
