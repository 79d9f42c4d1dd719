package outbox

import (
	"slices"
	"time"
)

// Keep are the entries of a shorter journal: everything but what was settled,
// dropped or superseded before the instant.
func (b *Box) Keep(before time.Time) []Entry {
	entries := []Entry{}
	if b.Begun != nil {
		entries = append(entries, Entry{Begin: b.Begun})
	}
	if b.Epoch != "" {
		entries = append(entries, Entry{Epoch: &Epoch{ID: b.Epoch, At: before, Unknown: b.epochMore}})
	}
	kept := map[string]bool{}
	for _, it := range b.items {
		if it.State.Open() || it.State == Done && !it.Settled || !it.Since.Before(before) {
			kept[it.Key] = true
		}
	}
	var settled []string
	for _, it := range b.items {
		if !kept[it.Key] {
			continue
		}
		c := it.Capture
		c.Place = it.N
		if !kept[c.Replaces] {
			c.Replaces = ""
		}
		if on := b.after(it); on != nil {
			c.After = on.Key // what it belonged to may have gone, and what took its place not
		}
		entries = it.life(append(entries, Entry{Capture: &c}))
		switch {
		case it.Settled && len(it.settleMore.Members) > 0:
			entries = append(entries, Entry{Settle: &Settle{Keys: []string{it.Key}, Unknown: it.settleMore}})
		case it.Settled:
			settled = append(settled, it.Key)
		}
	}
	if len(settled) > 0 {
		entries = append(entries, Entry{Settle: &Settle{Keys: settled}})
	}
	return slices.Clip(entries)
}

// life appends what became of an operation since it was captured.
func (it *Item) life(entries []Entry) []Entry {
	freeze := Entry{Freeze: &Freeze{Keys: []string{it.Key}, At: it.SentAt, Unknown: it.freezeMore}}
	if it.Frozen() {
		entries = append(entries, freeze)
	}
	if it.once {
		entries = append(entries, Entry{Mark: &Mark{Key: it.Key, State: Refused, At: it.Since}})
	}
	retried := it.State == Captured && it.Insisted && (it.once || !it.missed.IsZero())
	if it.State != Captured || it.Doubted || retried || it.Frozen() && !it.left {
		entries = append(entries, Entry{Mark: &Mark{Key: it.Key, State: it.State, At: it.Since, Refusal: it.Refusal,
			Reason: it.Reason, By: it.By, Successor: it.Successor, Doubted: it.Doubted,
			Made: it.Made, Called: it.Called, Unknown: it.markMore}})
	}
	if retried && it.left {
		entries = append(entries, freeze) // it was sent again since
	}
	return entries
}
