package outbox

import (
	"slices"
	"time"

	"bincard/server/api"
)

// maxLookahead is how many operations that wait for their turn are looked past to
// find one that may go.
const maxLookahead = 256

// A Plan is what to do now. Freeze must be in the journal, and applied, before
// anything of Send leaves.
type Plan struct {
	Sending *Entry
	Send    []*Operation
	// WakeAt is when to plan again, zero where nothing waits for the time.
	WakeAt time.Time
}

// Plan chooses what to send, the oldest first, as many as may be under way.
// What it chose is under way until Answered.
func (b *Queue) Plan(now time.Time) Plan {
	var p Plan
	if at := b.link.pausedUntil(now); !at.IsZero() {
		p.WakeAt = at
		return p
	}
	var fresh []string
	b.walk(func(it *Operation, blocked BlockReason) bool {
		switch {
		case len(b.inFlight) >= b.windowSize():
			return false
		case blocked != "" || it.inFlight || b.keyExpired(it, now):
			return true
		case b.link.quotaPaused(it, now):
			p.wakeBy(b.link.quotaUntil)
			return true
		case pauseActive(now, it.notBefore, maxQuotaPause):
			p.wakeBy(it.notBefore)
			return true
		}
		it.inFlight, it.attemptedAt = true, now
		b.inFlight = append(b.inFlight, it)
		if !it.maybeSent {
			it.neverArrived = true
			fresh = append(fresh, it.Key)
		}
		p.Send = append(p.Send, it)
		return true
	})
	if len(fresh) > 0 {
		p.Sending = &Entry{Sending: &Sending{Keys: fresh, At: now}}
	}
	return p
}

func (p *Plan) wakeBy(at time.Time) {
	if p.WakeAt.IsZero() || at.Before(p.WakeAt) {
		p.WakeAt = at
	}
}

// Unplan takes back what a Plan chose and was not sent: the journal did not
// take the Freeze.
func (b *Queue) Unplan(items []*Operation) {
	for _, it := range items {
		b.clearInFlight(it)
	}
}

func (b *Queue) clearInFlight(it *Operation) {
	if it.inFlight {
		it.inFlight = false
		b.inFlight = slices.DeleteFunc(b.inFlight, func(x *Operation) bool { return x == it })
	}
}

// BlockReason an operation is not under way.
type BlockReason string

const (
	// BlockedByOrder waits for one before it that touches the same.
	BlockedByOrder BlockReason = "order"
	// BlockedByDependency waits for what an operation would make that is refused or held.
	BlockedByDependency BlockReason = "need"
)

// walk goes through the captured operations in order and tells of each why it
// may not go, until fn has enough.
func (b *Queue) walk(fn func(it *Operation, blocked BlockReason) bool) {
	b.advanceOpen()
	read, written, lacking := b.rows[0], b.rows[1], b.rows[2]
	for _, set := range b.rows {
		clear(set)
	}
	// One of which nobody knows what it touches keeps its order with all others.
	unlaid, before := false, false
	for _, it := range b.inFlight {
		unlaid = unlaid || !it.footprintKnown
		addRows(read, it.footprint.Reads)
		addRows(written, it.footprint.Writes)
	}
	skipped := 0
	for _, it := range b.operations[b.firstOpen:] {
		switch {
		case it.inFlight:
			before = true
			if !fn(it, "") {
				return
			}
			continue
		case it.State == Refused || it.State == Held:
			addRows(lacking, it.footprint.Makes)
			continue
		case it.State != Pending:
			continue
		}
		behind := b.blockedByParent(it)
		if behind == BlockedByDependency || overlaps(lacking, it.footprint.Reads) || overlaps(lacking, it.footprint.Writes) {
			addRows(lacking, it.footprint.Makes)
			if !fn(it, BlockedByDependency) {
				return
			}
			continue
		}
		blocked := BlockReason("")
		if behind == BlockedByOrder || unlaid || !it.footprintKnown && (len(b.inFlight) > 0 || before) || overlaps(written, it.footprint.Reads) || overlaps(written, it.footprint.Writes) || overlaps(read, it.footprint.Writes) {
			blocked = BlockedByOrder
			if skipped++; skipped > maxLookahead {
				return
			}
		}
		unlaid, before = unlaid || !it.footprintKnown, true
		addRows(read, it.footprint.Reads)
		addRows(written, it.footprint.Writes)
		if !fn(it, blocked) {
			return
		}
	}
}

// parent is the operation that one belongs to, or what took its place; nil where
// there is none.
func (b *Queue) parent(it *Operation) *Operation {
	if it.After == "" {
		return nil
	}
	on := b.byKey[it.After]
	for on != nil && on.State == Replaced {
		on = b.byKey[on.Successor]
	}
	return on
}

// isParent tells whether any operation was captured as one that belongs to this one,
// or to what it took the place of.
func (b *Queue) isParent(it *Operation) bool {
	for ; it != nil; it = b.byKey[it.Replaces] {
		if b.parents[it.Key] {
			return true
		}
	}
	return false
}

// blockedByParent tells why an operation may not go before the one that it belongs to.
func (b *Queue) blockedByParent(it *Operation) BlockReason {
	on := b.parent(it)
	switch {
	case on == nil:
		return ""
	case on.State == Refused || on.State == Held || on.State == Pending && b.blockedByParent(on) == BlockedByDependency:
		return BlockedByDependency
	case on.State == Pending:
		return BlockedByOrder
	}
	return ""
}

func addRows(set map[uint64]bool, rows []uint64) {
	for _, r := range rows {
		set[r] = true
	}
}

func overlaps(set map[uint64]bool, rows []uint64) bool {
	for _, r := range rows {
		if set[r] {
			return true
		}
	}
	return false
}

// SetFootprint notes which rows an operation touches, and what the ledger here says
// against it.
func (b *Queue) SetFootprint(key string, print Footprint, risk *Refusal) {
	if it := b.byKey[key]; it != nil {
		it.footprint, it.footprintKnown, it.Risk = print, true, risk
	}
}

// Blocked tells of each captured operation that waits for another one, why.
func (b *Queue) Blocked() map[string]BlockReason {
	list := map[string]BlockReason{}
	b.walk(func(it *Operation, blocked BlockReason) bool {
		if blocked != "" {
			list[it.Key] = blocked
		}
		return true
	})
	return list
}

// Dependents are the operations that need what this one makes, or belong to it,
// directly or through others, in order.
func (b *Queue) Dependents(key string) []*Operation {
	of := b.byKey[key]
	if of == nil || len(of.footprint.Makes) == 0 && !b.isParent(of) {
		return nil
	}
	made, on := map[uint64]bool{}, map[*Operation]bool{of: true}
	addRows(made, of.footprint.Makes)
	var list []*Operation
	for _, it := range b.operations[b.firstOpen:] {
		if it == of || !it.State.Open() {
			continue
		}
		if it.After != "" && on[b.parent(it)] || it.Seq > of.Seq && (overlaps(made, it.footprint.Reads) || overlaps(made, it.footprint.Writes)) {
			addRows(made, it.footprint.Makes)
			on[it] = true
			list = append(list, it)
		}
	}
	return list
}

// Billable tells whether an operation counts against the plan.
func Billable(operation string) bool {
	spec := api.FindOperation(operation)
	return spec != nil && spec.Billable
}
