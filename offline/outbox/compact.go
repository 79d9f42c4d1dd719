package outbox

import (
	"slices"
	"time"
)

// Compact are the entries of a shorter journal: everything but what was settled,
// dropped or superseded before the instant.
func (b *Queue) Compact(before time.Time) []Entry {
	entries := []Entry{}
	if b.Header != nil {
		entries = append(entries, Entry{Header: b.Header})
	}
	if b.Epoch != "" {
		entries = append(entries, Entry{Epoch: &Epoch{ID: b.Epoch, At: before, Unknown: b.epochExtra}})
	}
	kept := map[string]bool{}
	for _, it := range b.operations {
		if it.State.Open() || it.State == Done && !it.Confirmed || !it.Since.Before(before) {
			kept[it.Key] = true
		}
	}
	var settled []string
	for _, it := range b.operations {
		if !kept[it.Key] {
			continue
		}
		c := it.Capture
		c.FixedSeq = it.Seq
		if !kept[c.Replaces] {
			c.Replaces = ""
		}
		if on := b.parent(it); on != nil {
			c.After = on.Key // what it belonged to may have gone, and what took its place not
		}
		entries = it.history(append(entries, Entry{Capture: &c}))
		switch {
		case it.Confirmed && len(it.confirmExtra.Members) > 0:
			entries = append(entries, Entry{Confirm: &Confirm{Keys: []string{it.Key}, Unknown: it.confirmExtra}})
		case it.Confirmed:
			settled = append(settled, it.Key)
		}
	}
	if len(settled) > 0 {
		entries = append(entries, Entry{Confirm: &Confirm{Keys: settled}})
	}
	return slices.Clip(entries)
}

// history appends what became of an operation since it was captured.
func (it *Operation) history(entries []Entry) []Entry {
	freeze := Entry{Sending: &Sending{Keys: []string{it.Key}, At: it.SentAt, Unknown: it.sendingExtra}}
	if it.Attempted() {
		entries = append(entries, freeze)
	}
	if it.rejectedBefore {
		entries = append(entries, Entry{StateChange: &StateChange{Key: it.Key, State: Refused, At: it.Since}})
	}
	retried := it.State == Pending && it.RiskAccepted && (it.rejectedBefore || !it.notDoneAt.IsZero())
	if it.State != Pending || it.MaybeLost || retried || it.Attempted() && !it.maybeSent {
		entries = append(entries, Entry{StateChange: &StateChange{Key: it.Key, State: it.State, At: it.Since, Refusal: it.Refusal,
			Reason: it.Reason, By: it.By, Successor: it.Successor, MaybeLost: it.MaybeLost,
			LocalID: it.LocalID, RemoteID: it.RemoteID, Unknown: it.changeExtra}})
	}
	if retried && it.maybeSent {
		entries = append(entries, freeze) // it was sent again since
	}
	return entries
}
