package outbox

import (
	"slices"
	"time"
)

// maxLookahead is how many blocked operations are skipped to find one that may
// be sent.
const maxLookahead = 256

// A Plan is what to do now. Sending must be in the journal, and applied,
// before anything in Send is sent.
type Plan struct {
	Sending *Entry
	Send    []*Operation
	// WakeAt is when to plan again, zero if no operation waits for a time.
	WakeAt time.Time
}

// Plan chooses the operations to send, the oldest first, up to the window.
// They are in flight until Complete or Unplan.
func (b *Queue) Plan(now time.Time) Plan {
	var p Plan
	if b.link.needsProbe() {
		return p
	}
	if at := b.link.pausedUntil(now); !at.IsZero() {
		p.WakeAt = at
		return p
	}
	var fresh []string
	b.walk(func(op *Operation, blocked BlockReason) bool {
		switch {
		case len(b.inFlight) >= b.windowSize():
			return false
		case blocked != "" || op.inFlight || b.keyExpired(op, now):
			return true
		case b.link.quotaPaused(op, now):
			p.wakeBy(b.link.quotaUntil)
			return true
		case pauseActive(now, op.notBefore, maxQuotaPause):
			p.wakeBy(op.notBefore)
			return true
		}
		op.inFlight, op.attemptedAt = true, now
		op.NotRecordedAt, op.lookedUp = time.Time{}, false
		b.inFlight = append(b.inFlight, op)
		if !op.maybeSent {
			op.neverArrived = true
			fresh = append(fresh, op.Key)
		}
		p.Send = append(p.Send, op)
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

// Unplan reverts a Plan that was not sent because the journal did not accept
// its Sending entry.
func (b *Queue) Unplan(items []*Operation) {
	for _, op := range items {
		b.clearInFlight(op)
	}
}

// A BlockReason is why an operation must not be sent yet.
type BlockReason string

const (
	// BlockedByOrder waits for an earlier operation on the same rows.
	BlockedByOrder BlockReason = "order"
	// BlockedByDependency waits for an operation that is rejected or
	// quarantined and would create what this one needs.
	BlockedByDependency BlockReason = "need"
	// BlockedByOtherNode waits until another node has sent its work again, or
	// for an operation that does.
	BlockedByOtherNode BlockReason = "other"
)

// walk calls fn for each pending operation in order, with the reason why it is
// blocked, until fn returns false.
func (b *Queue) walk(fn func(op *Operation, blocked BlockReason) bool) {
	b.advanceOpen()
	read, written, missing := b.rows[0], b.rows[1], b.rows[2]
	for _, set := range b.rows {
		clear(set)
	}
	// An operation without a known footprint keeps its order with all others.
	unknown, before := false, false
	for _, op := range b.inFlight {
		unknown = unknown || !op.footprintKnown
		addRows(read, op.footprint.Reads)
		addRows(written, op.footprint.Writes)
	}
	skipped := 0
	var others awaiting
	for _, op := range b.operations[b.firstOpen:] {
		switch {
		case op.inFlight:
			before = true
			if !fn(op, "") {
				return
			}
			continue
		case op.State == Refused || op.State == Held:
			addRows(missing, op.footprint.Makes)
			continue
		case op.State != Pending:
			continue
		}
		if others.holdsBack(op) {
			others.add(op)
			if !fn(op, BlockedByOtherNode) {
				return
			}
			continue
		}
		byParent := b.blockedByParent(op)
		if byParent == BlockedByDependency || overlaps(missing, op.footprint.Reads) || overlaps(missing, op.footprint.Writes) {
			addRows(missing, op.footprint.Makes)
			if !fn(op, BlockedByDependency) {
				return
			}
			continue
		}
		if byParent == BlockedByOrder && b.waitsForLater(op) {
			if !fn(op, BlockedByOrder) {
				return
			}
			continue // what it waits for must not wait for it
		}
		if op.Missing != nil {
			others.add(op)
			if !fn(op, "") {
				return
			}
			continue
		}
		blocked := BlockReason("")
		if byParent == BlockedByOrder || unknown || !op.footprintKnown && (len(b.inFlight) > 0 || before) || overlaps(written, op.footprint.Reads) || overlaps(written, op.footprint.Writes) || overlaps(read, op.footprint.Writes) {
			blocked = BlockedByOrder
			if skipped++; skipped > maxLookahead {
				return
			}
		}
		unknown, before = unknown || !op.footprintKnown, true
		addRows(read, op.footprint.Reads)
		addRows(written, op.footprint.Writes)
		if !fn(op, blocked) {
			return
		}
	}
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

// SetFootprint records which rows an operation touches, and why the local
// ledger rejects it, if it does. What an earlier footprint had shown that it
// needs or creates remains so.
func (b *Queue) SetFootprint(key string, footprint Footprint, risk *Refusal) {
	op := b.byKey[key]
	if op == nil {
		return
	}
	if op.Missing != nil && op.Risk != nil && risk == nil {
		op.resetDelay() // another node has sent its work again
	}
	op.footprint, op.footprintKnown, op.lotsUnknown, op.Risk = op.withDocument(footprint), true, false, risk
	for _, row := range footprint.Makes {
		if b.makers[row] == nil {
			b.makers[row] = op
		}
	}
	for _, row := range footprint.Shares {
		b.lotMakers[row] = op
	}
	op.Needs = b.addParents(op, op.Needs, b.parentsUsed(op, b.Needs(footprint)))
	op.LotsOf = b.addParents(op, op.LotsOf, b.parentsUsed(op, b.LotsOf(footprint)))
}

// parentsUsed returns the keys of the unresolved operations that an operation may depend on.
// If the service has done the operation, those are only the ones that it may have done too.
func (b *Queue) parentsUsed(op *Operation, keys []string) []string {
	if op.State != Done && !op.MaybeLost {
		return keys
	}
	return slices.DeleteFunc(keys, func(key string) bool { return !b.byKey[key].MaybeDone() })
}

// addParents adds earlier operations that an operation depends on to those known.
func (b *Queue) addParents(op *Operation, known, more []string) []string {
	for _, key := range more {
		if b.byKey[key].Seq < op.Seq && !slices.Contains(known, key) {
			known = append(slices.Clip(known), key)
			b.parents[key] = true
		}
	}
	return known
}

// Blocked returns the reasons of all pending operations that wait for another
// one.
func (b *Queue) Blocked() map[string]BlockReason {
	list := map[string]BlockReason{}
	b.walk(func(op *Operation, blocked BlockReason) bool {
		if op.Missing != nil && blocked == "" {
			blocked = BlockedByOtherNode
		}
		if blocked != "" {
			list[op.Key] = blocked
		}
		return true
	})
	return list
}

// Dependents returns the operations that depend on an operation, or need what
// it creates, directly or indirectly, in order.
func (b *Queue) Dependents(key string) []*Operation {
	of := b.byKey[key]
	if of == nil || len(of.footprint.Makes) == 0 && !b.isParent(of) {
		return nil
	}
	creates, dependents := map[uint64]bool{}, map[*Operation]bool{of: true}
	addRows(creates, of.footprint.Makes)
	var list []*Operation
	for _, op := range b.operations[b.firstOpen:] {
		if op == of || !op.State.Open() {
			continue
		}
		if slices.ContainsFunc(b.parentsOf(op), func(p *Operation) bool { return dependents[p] }) || op.Seq > of.Seq && (overlaps(creates, op.footprint.Reads) || overlaps(creates, op.footprint.Writes)) {
			addRows(creates, op.footprint.Makes)
			dependents[op] = true
			list = append(list, op)
		}
	}
	return list
}

// windowSize returns how many operations may be in flight.
func (b *Queue) windowSize() int {
	if b.opts.Parallel > 0 {
		return b.opts.Parallel
	}
	return max(minWindow, b.window.size)
}
