package outbox

import (
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
)

// A Resolver applies what people decide about operations.
type Resolver struct {
	log  *Log
	deps *Dependencies
}

// A DecisionError is why a person's decision about an operation cannot be
// applied now.
type DecisionError struct {
	Operation Operation // its state at the time
	Message   string
}

func (e *DecisionError) Error() string { return e.Message }

// Retry returns the entry that sends a rejected or quarantined operation
// again.
func (r *Resolver) Retry(now time.Time, key, by string) (*Entry, error) {
	op, err := r.openOperation(key)
	if err != nil {
		return nil, err
	}

	switch {
	case op.State == Pending:
		return nil, &DecisionError{*op, api.Text("This operation is already pending.")}
	case r.deps.lacksDocument(op):
		return nil, neverCreated(op)
	}

	return &Entry{StateChange: &StateChange{Key: key, State: Pending, At: now, By: by, Reason: "again"}}, nil
}

// setRetried makes the operation be sent at once. The risk is accepted. What was rejected may
// be done by a delayed copy; what was quarantined is not done, as far as the service or the person
// who retries it knows.
func (op *Operation) setRetried(was State, at time.Time) {
	op.resetDelay()
	op.retried = true
	if op.rejectedBefore = was == Refused; !op.rejectedBefore {
		op.notDoneAt = at
	}
}

func neverCreated(op *Operation) error {
	return &DecisionError{
		*op,
		api.Text("The document it is for was never created. Discard this, and enter it again for another document."),
	}
}

// Discard returns the entries that discard an operation, with a reason, and quarantine those
// that depend on it: a person decides whether to send them alone. An operation that
// may have been done is discarded only if the person accepts that with mayBeDone. If the
// service has done it, the change feed shows it as done.
func (r *Resolver) Discard(now time.Time, key, by, reason string, mayBeDone bool) ([]*Entry, error) {
	op, err := r.openOperation(key)
	if err != nil {
		return nil, err
	}

	short := strings.TrimSpace(reason)
	if short == "" {
		return nil, &DecisionError{*op, api.Text("Enter a reason to discard this operation.")}
	}
	if err := checkNotSent(op); err != nil && !mayBeDone {
		return nil, err
	}

	discarded := &Entry{StateChange: &StateChange{Key: key, State: Discarded, At: now, By: by, Reason: reason}}

	return append([]*Entry{discarded}, r.holdDependents(
		now,
		op,
		api.Textf("The operation it depends on was discarded (%s). Discard it too, or retry it alone.", short),
		api.Textf(
			"The document it is for was discarded (%s). Discard this too, or enter it again for another document.",
			short),
	)...), nil
}

// HoldForReplaced returns the entries that quarantine the operations on the document that an
// operation creates, which is being replaced: the replacement creates another document.
func (r *Resolver) HoldForReplaced(now time.Time, op *Operation) []*Entry {
	if op == nil {
		return nil
	}
	return r.holdDependents(now, op, "",
		api.Text("The document it is for was replaced by another. Enter it again for that one, and discard this."))
}

// holdDependents returns the entries that quarantine the operations that depend on another
// one, with a message for those on the document that it creates, and one for the others: ""
// for none. That includes operations that the service had confirmed before it went back, if
// they need the other one: the service cannot have done them. An operation that only uses
// its lot is sent, because another receipt may have created the lot.
func (r *Resolver) holdDependents(now time.Time, of *Operation, alone, never string) (entries []*Entry) {
	for _, op := range r.log.open() {
		why := &Refusal{Code: api.VersionConflict, Message: alone}
		if op.isFor(of) {
			why.Message = never
		}
		if why.Message == "" || !slices.Contains(r.deps.parentsOf(op), of) {
			continue
		}

		e := op.Hold(now, why)
		if e == nil && op.MaybeLost && op.State == Pending && !op.maybeSent && !op.inFlight && r.deps.needs(op, of) {
			e = stateChange(op, Held, now, why)
		}
		if e != nil {
			entries = append(entries, e)
		}
	}

	return entries
}

// Replace checks that an operation may be replaced.
func (r *Resolver) Replace(c *Capture) error {
	op, err := r.openOperation(c.Replaces)
	if err != nil {
		return err
	}

	switch {
	case c.Key == op.Key:
		return &DecisionError{*op, api.Text("The replacement needs its own key.")}
	case r.deps.lacksDocument(op) && documentOf(c) == op.document:
		return neverCreated(op)
	}

	return checkNotSent(op)
}

// openOperation returns an operation that is not resolved.
func (r *Resolver) openOperation(key string) (*Operation, error) {
	op := r.log.byKey[key]
	switch {
	case op == nil:
		return nil, errors.New(api.Textf("there is no operation %s here", key))
	case op.State == Replaced:
		return nil, &DecisionError{*op, api.Textf("This operation was already replaced by %s.", op.Successor)}
	case op.State == Done:
		return nil, &DecisionError{*op, api.Text("This operation has already synced.")}
	case op.State == Discarded:
		return nil, &DecisionError{*op, api.Text("This operation was already discarded.")}
	}

	return op, nil
}

// checkNotSent returns an error for an operation that may have been done
// without an answer.
func checkNotSent(op *Operation) error {
	if op.MaybeDone() {
		return &DecisionError{
			*op,
			api.Text(
				"This was sent and may have been applied; it is checked as soon as the service answers. Sync first, or accept that when you discard it.",
			),
		}
	}

	return nil
}
