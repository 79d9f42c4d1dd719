package outbox

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
)

// A DecisionError is why a person's decision about an operation cannot be
// taken now.
type DecisionError struct {
	Operation Operation // as it stood
	Message   string
}

func (e *DecisionError) Error() string { return e.Message }

// Retry is the entry that sends a refused or held operation again, as it is.
func (b *Queue) Retry(now time.Time, key, by string) (*Entry, error) {
	it, err := b.openOperation(key)
	if err != nil {
		return nil, err
	}
	if it.State == Pending {
		return nil, &DecisionError{*it, "This operation is already pending."}
	}
	return &Entry{StateChange: &StateChange{Key: key, State: Pending, At: now, By: by, Reason: "again"}}, nil
}

// Discard is the entry that gives an operation up, with a reason.
func (b *Queue) Discard(now time.Time, key, by, reason string) (*Entry, error) {
	it, err := b.openOperation(key)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" {
		return nil, &DecisionError{*it, "Give a reason to discard this operation."}
	}
	if err := checkNotSent(it); err != nil {
		return nil, err
	}
	return &Entry{StateChange: &StateChange{Key: key, State: Discarded, At: now, By: by, Reason: reason}}, nil
}

// HoldDependents are the entries that hold back what belongs to an operation that is
// given up: whether it is to be done by itself is a person's to say.
func (b *Queue) HoldDependents(now time.Time, key, reason string) (entries []*Entry) {
	of := b.byKey[key]
	if of == nil {
		return nil
	}
	why := &Refusal{Code: api.VersionConflict, Message: fmt.Sprintf("The operation it depends on was discarded (%s). Discard it too, or retry it alone.", strings.TrimSpace(reason))}
	for _, it := range b.operations[b.firstOpen:] {
		if b.parent(it) != of {
			continue
		}
		if e := b.Hold(now, it.Key, why); e != nil {
			entries = append(entries, e)
		}
	}
	return entries
}

// Hold is the entry that keeps an operation back until a person has decided;
// nil where it may have left already.
func (b *Queue) Hold(now time.Time, key string, why *Refusal) *Entry {
	it := b.byKey[key]
	if it == nil || it.State != Pending || it.MaybeDone() {
		return nil
	}
	return stateChange(it, Held, now, why)
}

// Replace checks that another operation may take the place of this one.
func (b *Queue) Replace(c *Capture) error {
	it, err := b.openOperation(c.Replaces)
	if err != nil {
		return err
	}
	if c.Key == it.Key {
		return &DecisionError{*it, "The replacement needs its own key."}
	}
	return checkNotSent(it)
}

// openOperation is the operation, when it is still open.
func (b *Queue) openOperation(key string) (*Operation, error) {
	it := b.byKey[key]
	switch {
	case it == nil:
		return nil, fmt.Errorf("there is no operation %s here", key)
	case it.State == Replaced:
		return nil, &DecisionError{*it, "This operation was already replaced by " + it.Successor + "."}
	case it.State == Done:
		return nil, &DecisionError{*it, "This operation has already synced."}
	case !it.State.Open():
		return nil, &DecisionError{*it, "This operation was already discarded."}
	}
	return it, nil
}

// checkNotSent refuses what may have been carried out and has not been answered.
func checkNotSent(it *Operation) error {
	if it.MaybeDone() {
		return &DecisionError{*it, "This was sent and may have been applied; it is checked as soon as the service answers. Sync first, then decide."}
	}
	return nil
}
