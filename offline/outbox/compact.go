package outbox

import (
	"slices"
	"time"
)

// Compact returns the entries of a shorter journal, without the operations that were
// resolved before a time. It keeps the last resolved operations, in the order in which they
// were done, whatever the clock says.
func (b *Queue) Compact(before time.Time, last int) []*Entry {
	entries := []*Entry{}
	for _, h := range append(slices.Clip(b.former), b.Header) {
		if h != nil {
			entries = append(entries, &Entry{Header: h})
		}
	}

	if b.Epoch != "" {
		entries = append(entries, b.History.compact(before))
	}

	keep := map[string]bool{}
	for _, op := range slices.Backward(b.operations) {
		if !op.State.Open() && last > 0 {
			last--
			keep[op.Key] = true
		}
		if op.mayChange() || !op.Since.Before(before) {
			keep[op.Key] = true
		}
		if op.State.Open() && b.lacksDocument(op) { // and must not be sent
			for _, key := range op.Needs {
				keep[key] = keep[key] || b.byKey[key] != nil && op.isFor(b.byKey[key])
			}
		}
	}

	var confirmed []string
	for _, op := range b.operations {
		if !keep[op.Key] {
			continue
		}

		c := b.resolve(op, func(key string) bool { return keep[key] })
		c.FixedSeq = op.Seq
		if !keep[c.Replaces] {
			c.Replaces = ""
		}
		for _, key := range op.Needs {
			if keep[key] && !slices.Contains(c.Needs, key) && op.isFor(b.byKey[key]) {
				c.Needs = append(c.Needs, key)
			}
		}

		entries = append(entries, op.history(c)...)
		switch {
		case op.Confirmed && len(op.confirmExtra.Members) > 0:
			entries = append(entries, &Entry{Confirm: &Confirm{Keys: []string{op.Key}, Unknown: op.confirmExtra}})
		case op.Confirmed:
			confirmed = append(confirmed, op.Key)
		}
	}

	if len(confirmed) > 0 || b.ConfirmedAt.Seq > 0 {
		entries = append(entries, &Entry{Confirm: &Confirm{Keys: confirmed, Position: b.ConfirmedAt}})
	}

	return slices.Clip(entries)
}

// history returns the entries for an operation with a capture.
func (op *Operation) history(c Capture) []*Entry {
	entries := []*Entry{{Capture: &c}}
	sending := &Entry{Sending: &Sending{Keys: []string{op.Key}, At: op.SentAt, Unknown: op.sendingExtra}}
	if op.Attempted() {
		entries = append(entries, sending)
	}
	if op.rejectedBefore {
		entries = append(entries, &Entry{StateChange: &StateChange{Key: op.Key, State: Refused, At: op.Since}})
	}

	retried := op.State == Pending && op.retried && (op.rejectedBefore || !op.notDoneAt.IsZero())
	if op.State != Pending || op.MaybeLost || retried || op.Attempted() && !op.maybeSent {
		entries = append(
			entries,
			&Entry{StateChange: &StateChange{Key: op.Key, State: op.State, At: op.Since, Refusal: op.Refusal,
				Reason: op.Reason, By: op.By, Successor: op.Successor, MaybeLost: op.MaybeLost,
				LocalID: op.LocalID, RemoteID: op.RemoteID, Unknown: op.changeExtra}},
		)
	}

	if retried && op.maybeSent {
		entries = append(entries, sending) // it was sent again
	}

	return entries
}
