package offline

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/replica"
)

// A resolver does what people decide about operations: it retries, discards and replaces
// failed ones, hands operations over to another node, and acknowledges damage. A decision
// holds mu from its check until the view shows it.
type resolver struct {
	*state
	capture *capturer
	read    *reader
	note    *noteFile
}

func init() {
	registerOp(
		api.AcknowledgeDamage,
		func(n *Node, _ context.Context, req *api.Request, _ *api.SyncInput) (*api.Sync, error) {
			if err := n.AcknowledgeDamage(decidedBy(req)); err != nil {
				return nil, err
			}
			return n.Sync(), nil
		},
	)

	registerOp(api.RetryWork, (*Node).retryWork)
	registerOp(api.DiscardWork, (*Node).discardWork)
	registerOp(api.ReplaceWork, (*Node).replaceWork)
	registerOp(api.ExportWork, (*Node).exportWork)
	registerOp(api.ImportWork, (*Node).importWork)
}

// decidedBy returns who makes a decision: the operator, or the key if none is
// named, and who approved it.
func decidedBy(req *api.Request) string {
	return api.OperatorText(cmp.Or(req.Operator, req.Caller.Actor.Label), req.ApprovedBy)
}

// Retry sends a failed or quarantined operation again.
func (r *resolver) Retry(ctx context.Context, key, by string) error {
	return r.retry(ctx, key, by, "", "")
}

// retry is Retry with the approval of the operation by a supervisor, and its proof, if both are
// given.
func (r *resolver) retry(ctx context.Context, key, by, approvedBy, proof string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, err := r.queue.Retry(r.now(), key, by)
	if err != nil {
		return err
	}
	if operator, _ := r.queue.Operation(key).People(); !strings.EqualFold(operator, approvedBy) {
		e.StateChange.ApprovedBy = approvedBy
	}
	e.StateChange.Proof = proof
	return r.decide(ctx, e)
}

// Discard discards an operation, with a reason. mayBeDone discards also one that may have
// been done.
func (r *resolver) Discard(ctx context.Context, key, by, reason string, mayBeDone bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	entries, err := r.queue.Discard(r.now(), key, by, reason, mayBeDone)
	if err != nil {
		return err
	}
	return r.decide(ctx, entries...)
}

func (r *resolver) decide(ctx context.Context, entries ...*outbox.Entry) error {
	if err := r.queue.Commit(entries...); err != nil {
		return notSavedError(err)
	}
	r.notify()
	return r.rebuild(context.WithoutCancel(ctx))
}

// retryWork sends an operation again.
func (r *resolver) retryWork(ctx context.Context, req *api.Request, in *api.WorkKeyInput) (*api.Work, error) {
	if err := r.retry(ctx, in.Key, decidedBy(req), cmp.Or(req.ApprovedBy, req.Operator), req.Proof); err != nil {
		return nil, r.decisionError(in.Key, err)
	}
	return r.read.getWork(ctx, req.Caller, in.Key)
}

// discardWork discards an operation. Repeating the same decision has no
// effect.
func (r *resolver) discardWork(ctx context.Context, req *api.Request, in *api.DiscardWorkInput) (*api.Work, error) {
	by := decidedBy(req)
	if op := r.Operation(in.Key); op == nil || op.State != outbox.Discarded || op.By != by || op.Reason != in.Reason {
		if err := r.Discard(ctx, in.Key, by, in.Reason, in.MayBeDone); err != nil {
			return nil, r.decisionError(in.Key, err)
		}
	}

	return r.read.getWork(ctx, req.Caller, in.Key)
}

// replaceWork replaces an operation with another one, which is predicted and
// saved like any write, but without the one that it replaces.
func (r *resolver) replaceWork(ctx context.Context, req *api.Request, in *api.ReplaceWorkInput) (*api.Work, error) {
	c := outbox.Capture{
		Key:        req.IdempotencyKey,
		SpecID:     in.Operation,
		Target:     in.Target,
		Body:       in.Body,
		Operator:   req.Operator,
		ApprovedBy: req.ApprovedBy,
		Proof:      req.Proof,
	}

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
	if err := r.replace(ctx, other, in.Key); err != nil {
		return nil, r.decisionError(in.Key, err)
	}

	return r.read.getWork(ctx, req.Caller, req.IdempotencyKey)
}

func (r *resolver) replace(ctx context.Context, other *api.Request, key string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.view.Load() == nil {
		return notReadyError()
	}

	if op := r.queue.Operation(other.IdempotencyKey); op != nil {
		// The service may have the new operation already, and the replica its key:
		// then it is done, and a decision needs no more.
		if _, err := r.capture.replay(ctx, op, other); !errors.Is(err, replica.ErrUsedAtService) {
			return err
		}
		return nil
	}

	c, err := outbox.NewCapture(other)
	if err != nil {
		return err
	}

	c.Replaces = key
	if err := r.queue.Replace(c); err != nil {
		return err
	}

	// The replaced operation is excluded first, so that the local ledger predicts
	// the new one without it. It is restored if the new one is not saved.
	replaced := r.queue.Operation(key)
	applied, held := replaced.Applies(), len(r.queue.HoldForReplaced(r.now(), replaced)) > 0
	if applied {
		replaced.Exclude(true)
		defer replaced.Exclude(false)
		err = r.rebuild(ctx)
	}

	if err == nil {
		_, err = r.capture.enqueue(ctx, other, key)
	}

	switch {
	case (err == nil || api.HasCode(err, api.AtRisk)) && held: // saved, at risk or not
		return r.rebuild(context.WithoutCancel(ctx))
	case err == nil || api.HasCode(err, api.AtRisk):
		return nil
	case applied:
		replaced.Exclude(false)
		return errors.Join(err, r.rebuild(context.WithoutCancel(ctx)))
	}

	return err
}

// decisionError returns the API error for a decision that was not accepted.
func (r *resolver) decisionError(key string, err error) error {
	var undecided *outbox.DecisionError
	switch {
	case errors.As(err, &undecided):
		return api.Fail(api.Undecided, api.Details{"key": key, "state": workState(&undecided.Operation)}, "%v",
			undecided.Message)
	case r.Operation(key) == nil && !errors.As(err, new(*api.Error)):
		return workNotFound(key)
	}

	return err
}

// AcknowledgeDamage ends the alarm about damage, in a person's name. A copy of a damaged
// journal remains beside it. If there is no damage it ends the alarm about a copy: the node
// gets another id.
func (r *resolver) AcknowledgeDamage(by string) error {
	r.note.writing.Lock()
	defer r.note.writing.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || !r.note.hasDamage() && r.lease.copies == nil {
		return nil
	}

	if !r.note.hasDamage() {
		if err := r.saveHeader(*r.queue.Header); err != nil {
			return notSavedError(err)
		}
		r.cfg.Log.Warn("the copied directory has another node id now", "by", by, "id", r.queue.Header.Client, "copies",
			r.lease.copies)
		r.lease.copies = nil
		r.notify()
		return nil
	}

	if err := r.queue.RemoveDamage(r.now()); err != nil {
		return notSavedError(err)
	}
	if err := r.note.acknowledge(); err != nil {
		return notSavedError(err)
	}

	r.cfg.Log.Warn("damage of the journal was acknowledged", "by", by, "damage", r.note.damage.Damage, "missing",
		r.note.damage.Missing)
	r.note.damage = nil
	r.notify()

	return nil
}

// exportWork returns all operations that are not confirmed. They stay here
// too: because of their keys, sending them twice is harmless.
func (r *resolver) exportWork(_ context.Context, _ *api.Request, _ *api.SyncInput) (*api.WorkFile, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	org, err := uuid.Parse(r.cfg.Owner.Organization)
	if err != nil {
		return nil, api.Internal(err)
	}

	file := &api.WorkFile{Format: outbox.Format, Service: r.cfg.Owner.Service, Organization: org,
		Environment: api.Environment(r.cfg.Owner.Environment), Items: []api.Metadata{}}
	for _, op := range r.queue.Operations() {
		if !op.State.Open() {
			continue
		}
		data, err := r.queue.Export(op)
		if err != nil {
			return nil, api.Internal(err)
		}
		file.Items = append(file.Items, data)
	}

	return file, nil
}

// importWork imports exported operations: all of them, or none.
func (r *resolver) importWork(ctx context.Context, req *api.Request, in *api.ImportWorkInput) (*api.Imported, error) {
	switch {
	case in.Format > outbox.Format:
		return nil, importError(
			"it was written by a newer Bincard (format %d, this version reads up to %d): import it with that version",
			in.Format, outbox.Format)
	case in.Organization.String() != r.cfg.Owner.Organization:
		return nil, importError("it belongs to organization %s, and this is %s: import it at its own organization",
			in.Organization, r.cfg.Owner.Organization)
	case string(in.Environment) != r.cfg.Owner.Environment:
		return nil, importError("it is from %s, and this is %s: import it with a key of %s", in.Environment,
			r.cfg.Owner.Environment, in.Environment)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	entries := []*outbox.Entry{r.source().epochEntry(ctx)}
	out, seen := &api.Imported{}, map[string]bool{}
	for i, data := range in.Items {
		exported, err := outbox.ReadExported(data)
		var saved *api.Request
		if err == nil {
			saved, err = exported.Request()
		}
		if err != nil {
			return nil, importError("cannot import item %d of %d: %v", i+1, len(in.Items), messageOf(err))
		}
		if r.queue.Operation(exported.Key) != nil || seen[exported.Key] {
			out.Known++
			continue
		}

		outbox.Approve(saved, req.ApprovedBy)
		seen[exported.Key], exported.ApprovedBy = true, saved.ApprovedBy
		out.Taken++
		entries = append(entries, exported.Entries()...)
	}

	if err := r.queue.Commit(entries...); err != nil {
		return nil, notSavedError(err)
	}

	r.notify()

	return out, r.rebuild(context.WithoutCancel(ctx))
}

// messageOf returns the text of an error without its code.
func messageOf(err error) string {
	var e *api.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

func importError(format string, args ...any) error {
	return api.Fail(api.ValidationError, nil, "Nothing was imported: %v.", api.Textf(format, args...))
}
