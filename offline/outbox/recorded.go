package outbox

import (
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
)

// IsRecordedAs reports whether a change of the service, which has the key of an
// operation, is that operation. Another node, or the same node in other work, may have
// used the key. A change without a client was sent by a program that uses the key to
// repeat the same request.
func (b *Queue) IsRecordedAs(op *Operation, c *api.Change) bool {
	if c.Operation != op.SpecID || c.Client != nil && c.Client.ID != b.OriginOf(op).Client {
		return false
	}
	if c.Fingerprint == "" { // told by no older service
		return true
	}
	req, err := b.Request(op, false)
	if err != nil {
		return false
	}
	print, err := Fingerprint(req)
	return err == nil && print == c.Fingerprint
}

// RecordedElse returns the entry that quarantines an operation whose key the service
// recorded for other work, nil if it is resolved or already quarantined for that.
func (b *Queue) RecordedElse(now time.Time, key string, c *api.Change) *Entry {
	op := b.byKey[key]
	if op == nil || op.State == Replaced || op.State == Discarded || op.State == Held && op.Refusal.Code == api.IdempotencyKeyReused {
		return nil
	}
	op.staleAnswer = false
	return stateChange(op, Held, now, &Refusal{Code: api.IdempotencyKeyReused, Details: recordedDetails(c), Message: api.Text(
		"The service recorded other work with this key. Compare both: send this again with a new key, or discard it.")})
}

// recordedDetails describes a change of the service for comparison.
func recordedDetails(c *api.Change) api.Details {
	d := api.Details{"operation": c.Operation, "usedAt": c.CreatedAt.Format(time.RFC3339), "seq": c.Seq, "actor": c.Actor.Label}
	if c.CreatedBy != nil {
		d["createdBy"] = c.CreatedBy.Label
	}
	if c.Device != "" {
		d["device"] = c.Device
	}
	if c.Client != nil {
		d["client"] = c.Client.ID.String()
	}
	var lines []string
	for _, m := range c.Movements[:min(len(c.Movements), 10)] {
		lines = append(lines, describeMovement(&m))
	}
	if lines != nil {
		d["movements"] = slices.Clip(lines)
	}
	return d
}

// describeMovement returns a movement as "OAT-1L@WH-1 available +5".
func describeMovement(m *api.Movement) string {
	product, location := m.ProductID.String(), m.LocationID.String()
	if m.Product != nil {
		product = m.Product.SKU
	}
	if m.Location != nil {
		location = m.Location.Code
	}
	return fmt.Sprintf("%s@%s %s %+d", product, location, m.InventoryState, m.Quantity)
}

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
