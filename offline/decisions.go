package offline

import (
	"context"
	"errors"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// retryWork sends an operation again.
func (n *Node) retryWork(ctx context.Context, req *api.Request, in *api.WorkKeyInput) (*api.Work, error) {
	if err := n.Retry(ctx, in.Key, decidedBy(req)); err != nil {
		return nil, n.decisionError(in.Key, err)
	}
	return n.getWork(ctx, req.Caller, in.Key)
}

// discardWork discards an operation. Repeating the same decision has no
// effect.
func (n *Node) discardWork(ctx context.Context, req *api.Request, in *api.DiscardWorkInput) (*api.Work, error) {
	by := decidedBy(req)
	if op := n.Operation(in.Key); op == nil || op.State != outbox.Discarded || op.By != by || op.Reason != in.Reason {
		if err := n.Discard(ctx, in.Key, by, in.Reason, in.MayBeDone); err != nil {
			return nil, n.decisionError(in.Key, err)
		}
	}
	return n.getWork(ctx, req.Caller, in.Key)
}

// replaceWork replaces an operation with another one, which is predicted and
// saved like any write, but without the one that it replaces.
func (n *Node) replaceWork(ctx context.Context, req *api.Request, in *api.ReplaceWorkInput) (*api.Work, error) {
	c := outbox.Capture{Key: req.IdempotencyKey, SpecID: in.Operation, Target: in.Target, Body: in.Body, Operator: req.Operator, ApprovedBy: req.ApprovedBy}
	other, err := c.Request()
	if err != nil {
		var invalid *api.Error
		if errors.As(err, &invalid) {
			return nil, err
		}
		return nil, api.Fail(api.ValidationError, nil, "This cannot replace it: %v.", messageOf(err))
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
	if op := n.queue.Operation(other.IdempotencyKey); op != nil {
		// The service may have the new operation already, and the replica its key:
		// then it is done, and a decision needs no more.
		if _, err := n.replay(ctx, op, other); !errors.Is(err, replica.ErrUsedAtService) {
			return err
		}
		return nil
	}
	c, err := outbox.NewCapture(other)
	if err != nil {
		return err
	}
	c.Replaces = key
	if err := n.queue.Replace(c); err != nil {
		return err
	}
	if n.view.Load() == nil {
		return notReadyError()
	}
	// The replaced operation is excluded first, so that the local ledger predicts
	// the new one without it. It is restored if the new one is not saved.
	replaced := n.queue.Operation(key)
	applied, held := replaced.Applies(), len(n.queue.HoldForReplaced(n.now(), replaced)) > 0
	if applied {
		replaced.Exclude(true)
		defer replaced.Exclude(false)
		err = n.rebuild(ctx)
	}
	if err == nil {
		_, err = n.enqueue(ctx, other, key)
	}
	switch {
	case (err == nil || api.HasCode(err, api.AtRisk)) && held: // saved, at risk or not
		return n.rebuild(context.WithoutCancel(ctx))
	case err == nil || api.HasCode(err, api.AtRisk):
		return nil
	case applied:
		replaced.Exclude(false)
		return errors.Join(err, n.rebuild(context.WithoutCancel(ctx)))
	}
	return err
}

// decisionError returns the API error for a decision that was not accepted.
func (n *Node) decisionError(key string, err error) error {
	var undecided *outbox.DecisionError
	switch {
	case errors.As(err, &undecided):
		return api.Fail(api.Undecided, api.Details{"key": key, "state": workState(&undecided.Operation)}, "%v", undecided.Message)
	case n.Operation(key) == nil && !errors.As(err, new(*api.Error)):
		return workNotFound(key)
	}
	return err
}
