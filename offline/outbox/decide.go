package outbox

import (
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
)

// A DecisionError is why a person's decision about an operation cannot be
// applied now.
type DecisionError struct {
	Operation Operation // its state at the time
	Message   string
}

func (e *DecisionError) Error() string { return e.Message }

// Retry returns the entry that sends a rejected or quarantined operation
// again.
func (b *Queue) Retry(now time.Time, key, by string) (*Entry, error) {
	op, err := b.openOperation(key)
	if err != nil {
		return nil, err
	}
	switch {
	case op.State == Pending:
		return nil, &DecisionError{*op, api.Text("This operation is already pending.")}
	case b.lacksDocument(op):
		return nil, neverCreated(op)
	}
	return &Entry{StateChange: &StateChange{Key: key, State: Pending, At: now, By: by, Reason: "again"}}, nil
}

func neverCreated(op *Operation) error {
	return &DecisionError{*op, api.Text("The document it is for was never created. Discard this, and enter it again for another document.")}
}

// Discard returns the entry that discards an operation, with a reason. An operation that
// may have been done is discarded only if the person accepts that with mayBeDone. If the
// service has done it, the change feed shows it as done.
func (b *Queue) Discard(now time.Time, key, by, reason string, mayBeDone bool) (*Entry, error) {
	op, err := b.openOperation(key)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" {
		return nil, &DecisionError{*op, api.Text("Give a reason to discard this operation.")}
	}
	if err := checkNotSent(op); err != nil && !mayBeDone {
		return nil, err
	}
	return &Entry{StateChange: &StateChange{Key: key, State: Discarded, At: now, By: by, Reason: reason}}, nil
}

// HoldDependents returns the entries that quarantine the operations that
// depend on a discarded one: a person decides whether to send them alone. That includes
// operations that the service had confirmed before it went back, if they need the discarded
// one: the service cannot have done them. An operation that only uses its lot is sent,
// because another receipt may have created the lot.
func (b *Queue) HoldDependents(now time.Time, key, reason string) (entries []*Entry) {
	of := b.byKey[key]
	if of == nil {
		return nil
	}
	reason = strings.TrimSpace(reason)
	alone := &Refusal{Code: api.VersionConflict, Message: api.Textf("The operation it depends on was discarded (%s). Discard it too, or retry it alone.", reason)}
	never := &Refusal{Code: api.VersionConflict, Message: api.Textf("The document it is for was discarded (%s). Discard this too, or enter it again for another document.", reason)}
	for _, op := range b.operations[b.firstOpen:] {
		if !slices.Contains(b.parentsOf(op), of) {
			continue
		}
		why := alone
		if b.isForCreated(op, of) {
			why = never
		}
		if e := b.Hold(now, op.Key, why); e != nil {
			entries = append(entries, e)
		} else if op.MaybeLost && op.State == Pending && !op.maybeSent && !op.inFlight && b.needs(op, of) {
			entries = append(entries, stateChange(op, Held, now, why))
		}
	}
	return entries
}

// HoldForReplaced returns the entries that quarantine the operations on the document that an
// operation creates, which is being replaced: the replacement creates another document.
func (b *Queue) HoldForReplaced(now time.Time, key string) (entries []*Entry) {
	of := b.byKey[key]
	if of == nil || !b.parents[key] {
		return nil
	}
	why := &Refusal{Code: api.VersionConflict, Message: api.Text("The document it is for was replaced by another. Enter it again for that one, and discard this.")}
	for _, op := range b.operations[b.firstOpen:] {
		if !b.isForCreated(op, of) {
			continue
		}
		if e := b.Hold(now, op.Key, why); e != nil {
			entries = append(entries, e)
		}
	}
	return entries
}

// Hold returns the entry that quarantines an operation until a person decides,
// nil if it may have been sent.
func (b *Queue) Hold(now time.Time, key string, why *Refusal) *Entry {
	op := b.byKey[key]
	if op == nil || op.State != Pending || op.MaybeDone() {
		return nil
	}
	return stateChange(op, Held, now, why)
}

// Replace checks that an operation may be replaced.
func (b *Queue) Replace(c *Capture) error {
	op, err := b.openOperation(c.Replaces)
	if err != nil {
		return err
	}
	switch {
	case c.Key == op.Key:
		return &DecisionError{*op, api.Text("The replacement needs its own key.")}
	case b.lacksDocument(op) && documentOf(c) == op.document:
		return neverCreated(op)
	}
	return checkNotSent(op)
}

// openOperation returns an operation that is not resolved.
func (b *Queue) openOperation(key string) (*Operation, error) {
	op := b.byKey[key]
	switch {
	case op == nil:
		return nil, errors.New(api.Textf("there is no operation %s here", key))
	case op.State == Replaced:
		return nil, &DecisionError{*op, api.Textf("This operation was already replaced by %s.", op.Successor)}
	case op.State == Done:
		return nil, &DecisionError{*op, api.Text("This operation has already synced.")}
	case !op.State.Open():
		return nil, &DecisionError{*op, api.Text("This operation was already discarded.")}
	}
	return op, nil
}

// checkNotSent returns an error for an operation that may have been done
// without an answer.
func checkNotSent(op *Operation) error {
	if op.MaybeDone() {
		return &DecisionError{*op, api.Text("This was sent and may have been applied; it is checked as soon as the service answers. Sync first, or accept that when you discard it.")}
	}
	return nil
}
