package outbox

import (
	"fmt"
	"strings"
	"time"

	"bincard/server/api"
)

// An UndecidedError is why a person's decision about an operation cannot be
// taken now.
type UndecidedError struct {
	Item Item // as it stood
	What string
}

func (e *UndecidedError) Error() string { return e.What }

// Retry is the entry that sends a refused or held operation again, as it is.
func (b *Box) Retry(now time.Time, key, by string) (*Entry, error) {
	it, err := b.settling(key)
	if err != nil {
		return nil, err
	}
	if it.State == Captured {
		return nil, &UndecidedError{*it, "It is waiting to be sent already."}
	}
	return &Entry{Mark: &Mark{Key: key, State: Captured, At: now, By: by, Reason: "again"}}, nil
}

// Drop is the entry that gives an operation up, with a reason.
func (b *Box) Drop(now time.Time, key, by, reason string) (*Entry, error) {
	it, err := b.settling(key)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(reason) == "" {
		return nil, &UndecidedError{*it, "Say why it is dropped: the reason is kept with it."}
	}
	if err := certain(it); err != nil {
		return nil, err
	}
	return &Entry{Mark: &Mark{Key: key, State: Dropped, At: now, By: by, Reason: reason}}, nil
}

// Left are the entries that hold back what belongs to an operation that is
// given up: whether it is to be done by itself is a person's to say.
func (b *Box) Left(now time.Time, key, reason string) (entries []*Entry) {
	of := b.byKey[key]
	if of == nil {
		return nil
	}
	why := &Refusal{Code: api.VersionConflict, Message: fmt.Sprintf("What it belongs to was given up (%s). Give it up too, or send it by itself.", strings.TrimSpace(reason))}
	for _, it := range b.items[b.open:] {
		if b.after(it) != of {
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
func (b *Box) Hold(now time.Time, key string, why *Refusal) *Entry {
	it := b.byKey[key]
	if it == nil || it.State != Captured || it.Unknown() {
		return nil
	}
	return mark(it, Held, now, why)
}

// Replace checks that another operation may take the place of this one.
func (b *Box) Replace(c *Capture) error {
	it, err := b.settling(c.Replaces)
	if err != nil {
		return err
	}
	if c.Key == it.Key {
		return &UndecidedError{*it, "What takes its place needs a key of its own."}
	}
	return certain(it)
}

// settling is the operation, when it is still open.
func (b *Box) settling(key string) (*Item, error) {
	it := b.byKey[key]
	switch {
	case it == nil:
		return nil, fmt.Errorf("there is no operation %s here", key)
	case it.State == Superseded:
		return nil, &UndecidedError{*it, "Another took its place already: " + it.Successor + "."}
	case it.State == Done:
		return nil, &UndecidedError{*it, "It is in the service already."}
	case !it.State.Open():
		return nil, &UndecidedError{*it, fmt.Sprintf("It is %s already.", it.State)}
	}
	return it, nil
}

// certain refuses what may have been carried out and has not been answered.
func certain(it *Item) error {
	if it.Unknown() {
		return &UndecidedError{*it, "It was sent and may have been carried out: nobody can know before the service answers. It is asked again by itself as soon as it is reached; decide then. Try now if the line is up."}
	}
	return nil
}
