package outbox

import (
	"time"

	"bincard/server/api"
)

// IsRecordedAs reports whether a change of the service, which has the key of an
// operation, is that operation. Another node, a copy of this one, or the same node in other
// work may have used the key. A change without a client may be an operation that was sent:
// something between this node and the service may remove the client.
func (b *Queue) IsRecordedAs(op *Operation, c *api.Change) bool {
	if c.Operation != op.SpecID || c.Client != nil && !b.isOriginOf(op, c) {
		return false
	}
	if c.Fingerprint == "" { // told by no older service
		return true
	}
	if c.Client == nil && (op.State == Pending && !op.maybeSent || op.State == Held && op.Refusal.Code == api.IdempotencyKeyReused) {
		return false // it was not sent, or the service said that the work is another program's
	}
	req, err := b.Request(op, false)
	if err != nil {
		return false
	}
	print, err := Fingerprint(req)
	return err == nil && print == c.Fingerprint
}

// isOriginOf reports whether a change comes from an operation's node and device, with its
// number and time. A copy of the node counts in step with it.
func (b *Queue) isOriginOf(op *Operation, c *api.Change) bool {
	origin := b.OriginOf(op)
	return c.Client.ID == origin.Client && c.Client.Number == int64(origin.Number) && c.Device == op.Device &&
		(c.OccurredAt.IsZero() || c.OccurredAt.Equal(op.occurredAt()))
}

// RecordedElse returns the entry that quarantines an operation whose key the service
// recorded for other work, nil if it is resolved or already quarantined for that.
func (b *Queue) RecordedElse(now time.Time, key string, c *api.Change) *Entry {
	op := b.byKey[key]
	if op == nil || op.State == Replaced || op.State == Discarded ||
		op.State == Held && op.Refusal.Code == api.IdempotencyKeyReused && op.Refusal.Recorded != nil {
		return nil
	}
	op.staleAnswer = false
	return stateChange(op, Held, now, &Refusal{Code: api.IdempotencyKeyReused, Recorded: recordOf(c),
		Details: api.Details{"operation": c.Operation, "usedAt": c.CreatedAt.Format(time.RFC3339)},
		Message: api.Text("The service recorded other work with this key. Compare both: send this again with a new key, or discard it.")})
}

// RecordedReplaced returns the entries for a replaced operation that the service
// recorded after all: its replacement waits for a person's decision, or, if that may be
// done too, the operation itself does.
func (b *Queue) RecordedReplaced(now time.Time, key string) []*Entry {
	op := b.byKey[key]
	last := op
	for last.State == Replaced && b.byKey[last.Successor] != nil {
		last = b.byKey[last.Successor]
	}
	if last.State == Done || last.MaybeDone() {
		return []*Entry{stateChange(op, Held, now, &Refusal{Code: api.VersionConflict, Message: api.Text(
			"The service recorded this after it was replaced, and its replacement too. Compare the stock, correct it, and discard this.")})}
	}
	return []*Entry{b.MarkDone(now, key), b.Hold(now, last.Key, &Refusal{Code: api.VersionConflict, Message: api.Text(
		"The operation that this replaces was recorded after all. Discard this, or retry it if both happened.")})}
}

// recordOf describes a change of the service for comparison.
func recordOf(c *api.Change) *api.WorkRecord {
	r := &api.WorkRecord{Seq: c.Seq, Operation: c.Operation, At: c.CreatedAt, OccurredAt: c.OccurredAt, KeyLabel: c.Actor.Label,
		Device: c.Device, Stock: []api.WorkRecordStock{}}
	if c.CreatedBy != nil {
		r.Operator = c.CreatedBy.Label
	}
	if c.ApprovedBy != nil {
		r.Operator = api.OperatorText(r.Operator, c.ApprovedBy.Label)
	}
	if c.Client != nil {
		r.Client = c.Client.ID
	}
	for _, m := range c.Movements[:min(len(c.Movements), maxRecordedMovements)] {
		x := api.WorkRecordStock{ProductID: m.ProductID, LocationID: m.LocationID, InventoryState: m.InventoryState, Quantity: m.Quantity}
		if m.Product != nil {
			x.SKU = m.Product.SKU
		}
		if m.Location != nil {
			x.Location = m.Location.Code
		}
		r.Stock = append(r.Stock, x)
	}
	return r
}

// maxRecordedMovements is how many movements describe other work.
const maxRecordedMovements = 20

// MarkReplayed records that the service answered an attempt with the result of an
// earlier one.
func (b *Queue) MarkReplayed(key string) {
	if op := b.byKey[key]; op != nil {
		op.replays++
	}
}

// enoughReplays is how many answers with an earlier result prove that the service
// recorded an operation which it does not show since: a single one may have been the
// answer to other work on the same document.
const enoughReplays = 2

// SendUnrecorded returns the entry that sends an operation again. It was answered as
// done, but the service has not recorded it since; nil if it was recorded
// before, as the answers to repeated attempts show.
func (b *Queue) SendUnrecorded(now time.Time, key string) *Entry {
	op := b.byKey[key]
	if op == nil || op.State != Done || op.Confirmed || op.replays >= enoughReplays {
		return nil
	}
	e := stateChange(op, Pending, now, nil)
	e.StateChange.MaybeLost, e.StateChange.Reason = true, "not recorded"
	return e
}
