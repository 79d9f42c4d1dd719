package outbox

import (
	"time"

	"bincard/server/api"
)

// RecordedElse returns the entry that quarantines an operation whose key the service
// recorded for other work, or nil if it is resolved or already quarantined for that.
func (b *Queue) RecordedElse(now time.Time, op *Operation, c *api.Change) *Entry {
	if op.State == Replaced || op.State == Discarded ||
		op.isReused() && op.Refusal.Recorded != nil {
		return nil
	}

	op.staleAnswer = false

	return stateChange(op, Held, now, &Refusal{
		Code:     api.IdempotencyKeyReused,
		Recorded: recordOf(c),
		Details:  api.Details{"operation": c.Operation, "usedAt": c.CreatedAt.Format(time.RFC3339)},
		Message: api.Text(
			"The service recorded another entry with this key. Compare both: send this again with a new key, or discard it.",
		),
	})
}

// RecordedReplaced returns the entries for a replaced operation that the service
// recorded after all: its replacement waits for a person's decision, or, if that may be
// done too, the operation itself does.
func (b *Queue) RecordedReplaced(now time.Time, op *Operation) []*Entry {
	last := op
	for last.State == Replaced && b.byKey[last.Successor] != nil {
		last = b.byKey[last.Successor]
	}
	if last.State == Done || last.MaybeDone() {
		return []*Entry{stateChange(op, Held, now, &Refusal{Code: api.VersionConflict, Message: api.Text(
			"The service recorded this after it was replaced, and its replacement too. Compare the stock, correct it, and discard this.",
		)})}
	}

	return []*Entry{b.MarkDone(now, op), last.Hold(now, &Refusal{Code: api.VersionConflict, Message: api.Text(
		"The operation that this replaces was recorded after all. Discard this, or retry it if both happened.")})}
}

// recordOf describes a change of the service for comparison.
func recordOf(c *api.Change) *api.WorkRecord {
	r := &api.WorkRecord{
		Seq:        c.Seq,
		Operation:  c.Operation,
		At:         c.CreatedAt,
		OccurredAt: c.OccurredAt,
		KeyLabel:   c.Actor.Label,
		Device:     c.Device,
		Stock:      []api.WorkRecordStock{},
	}

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
		x := api.WorkRecordStock{
			ProductID:      m.ProductID,
			LocationID:     m.LocationID,
			InventoryState: m.InventoryState,
			Quantity:       m.Quantity,
		}

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
func (b *Queue) MarkReplayed(op *Operation) {
	op.replays++
}

// enoughReplays is how many answers with an earlier result prove that the service
// recorded an operation which it does not show since: a single one may have been the
// answer to other work on the same document.
const enoughReplays = 2

// SendUnrecorded returns the entries that send an operation again. It was answered as
// done, but the service has not recorded it since; none if it was recorded before, as the
// answers to repeated attempts show. Later operations on its rows that the service rejected
// since for what they lack are sent again after it, and so are those in flight.
func (b *Queue) SendUnrecorded(now time.Time, op *Operation) []*Entry {
	if op.State != Done || op.Confirmed || op.replays >= enoughReplays {
		return nil
	}

	e := stateChange(op, Pending, now, nil)
	e.StateChange.MaybeLost, e.StateChange.Reason = true, "not recorded"
	entries, written := []*Entry{e}, rowSet{}
	written.add(op.footprint.Writes)
	for _, later := range b.open() {
		switch {
		case later.Seq < op.Seq || op.footprintKnown && later.footprintKnown && !written.touchedBy(&later.footprint):
		case later.inFlight:
			later.staleAnswer = true
		case later.NeedsDecision() && later.Refusal.isMissing() && !later.Since.Before(op.Since):
			entries = append(entries, stateChange(later, Pending, now, nil))
		}
	}

	return entries
}
