package outbox

import (
	"slices"
)

// Dependencies are what the operations of a Log need. An operation depends on the one that
// it was done after, and on those that created what it uses. It waits for them even while the
// local ledger rejects them or it.
type Dependencies struct {
	log       *Log
	parents   map[string]bool       // keys of operations that others depend on
	makers    map[uint64]*Operation // by a row that the operation created when it was done, or later
	lotMakers map[uint64]*Operation // by the row of a lot or serial that the operation last created
	creators  map[string]*Operation // by the local id of the document that the operation creates
}

// add adds a new operation. It needs the one that creates its document also if that is
// done: the service may lose it and reject it the next time.
func (d *Dependencies) add(op *Operation) {
	if op.created != "" {
		d.creators[op.created] = op
	}
	if creation := d.creators[op.document]; creation != nil && (creation.State.Open() || creation.State == Done) {
		op.Needs = d.addParent(op.Needs, creation.Key)
	}
	for _, key := range slices.Concat(op.parentKeys(), op.LotsOf) {
		d.parents[key] = true
	}
}

// Needs returns the keys of the unresolved operations that created a row of a
// footprint.
func (d *Dependencies) Needs(footprint Footprint) []string {
	return unresolvedMakers(d.makers, footprint)
}

// LotsOf returns the keys of the unresolved operations that created a lot or serial of a
// footprint.
func (d *Dependencies) LotsOf(footprint Footprint) []string {
	return unresolvedMakers(d.lotMakers, footprint)
}

func unresolvedMakers(makers map[uint64]*Operation, footprint Footprint) (keys []string) {
	if len(makers) == 0 {
		return nil
	}
	for _, row := range slices.Concat(footprint.Reads, footprint.Writes) {
		if op := makers[row]; op != nil && op.State.Open() && !slices.Contains(keys, op.Key) {
			keys = append(keys, op.Key)
		}
	}

	return keys
}

// WithMakerOf returns needs, the keys of the operations that a replacement depends on, with
// the key of the operation that creates its document, if the replaced operation depends on
// that. The local ledger may reject the creation and show another site's document with the same
// id instead.
func (d *Dependencies) WithMakerOf(c *Capture, needs []string) []string {
	old := d.log.byKey[c.Replaces]
	if old == nil || old.document != documentOf(c) {
		return needs
	}

	for _, key := range old.Needs {
		maker := d.successor(key)
		if maker != nil && maker.State.Open() && maker.created == old.document && !slices.Contains(needs, maker.Key) {
			needs = append(slices.Clip(needs), maker.Key)
		}
	}

	return needs
}

// SetFootprint records which rows an operation touches, and why the local
// ledger rejects it, if it does. What an earlier footprint had shown that it
// needs or creates remains so.
func (d *Dependencies) SetFootprint(op *Operation, footprint Footprint, risk *Refusal) {
	if op.Missing != nil && op.Risk != nil && risk == nil {
		op.resetDelay() // another node has sent its work again
	}

	op.footprint, op.footprintKnown, op.lotsUnknown, op.Risk = op.withDocument(footprint), true, false, risk
	for _, row := range footprint.Makes {
		if d.makers[row] == nil {
			d.makers[row] = op
		}
	}

	for _, row := range footprint.Shares {
		d.lotMakers[row] = op
	}

	op.Needs = d.addParents(op, op.Needs, d.Needs(footprint))
	op.LotsOf = d.addParents(op, op.LotsOf, d.LotsOf(footprint))
}

// addParents adds earlier unresolved operations that an operation depends on to those known.
// If the service has done the operation, it depends only on those that may be done too.
func (d *Dependencies) addParents(op *Operation, known, more []string) []string {
	for _, key := range more {
		parent := d.log.byKey[key]
		if parent.Seq < op.Seq && (op.State != Done && !op.MaybeLost || parent.MaybeDone()) {
			known = d.addParent(known, key)
		}
	}

	return known
}

func (d *Dependencies) addParent(known []string, key string) []string {
	if slices.Contains(known, key) {
		return known
	}
	d.parents[key] = true
	return append(slices.Clip(known), key)
}

// successor returns the operation with a key, or the one that replaced it, or nil.
func (d *Dependencies) successor(key string) *Operation {
	op := d.log.byKey[key]
	for op != nil && op.State == Replaced {
		op = d.log.byKey[op.Successor]
	}
	return op
}

// resolve returns the capture of an operation, which depends on the successors of its
// parents. It needs those that satisfy keep.
func (d *Dependencies) resolve(op *Operation, keep func(key string) bool) Capture {
	successors := func(keys []string) (list []string) {
		for _, key := range keys {
			if parent := d.successor(key); parent != nil && keep(parent.Key) {
				list = append(list, parent.Key)
			}
		}

		return list
	}

	c := op.Capture
	c.Needs, c.LotsOf = successors(op.Needs), successors(op.LotsOf)
	if parent := d.successor(op.After); parent != nil {
		c.After = parent.Key
	}

	return c
}

// parentsOf returns the operations that op depends on, or those that replaced them. One that
// replaced another may use what op created: then op does not wait for it.
func (d *Dependencies) parentsOf(op *Operation) (list []*Operation) {
	keys := op.parentKeys()
	if len(op.LotsOf) > 0 && op.mayLackLot() {
		keys = slices.Concat(keys, op.LotsOf)
	}
	for _, key := range keys {
		parent := d.successor(key)
		if parent == nil || parent == op || parent.Seq > op.Seq && d.dependsOn(parent, op, map[*Operation]bool{}) {
			continue
		}
		list = append(list, parent)
	}

	return list
}

// dependsOn reports whether op depends on another operation, directly or indirectly. It leaves out
// those checked before.
func (d *Dependencies) dependsOn(op, other *Operation, checked map[*Operation]bool) bool {
	checked[op] = true
	return slices.ContainsFunc(slices.Concat(op.parentKeys(), op.LotsOf), func(key string) bool {
		parent := d.successor(key)
		return parent == other || parent != nil && !checked[parent] && d.dependsOn(parent, other, checked)
	})
}

// needs reports whether an operation cannot be done without another one. It may be done
// without one that created the lot that it uses.
func (d *Dependencies) needs(op, parent *Operation) bool {
	return slices.ContainsFunc(op.parentKeys(), func(key string) bool { return d.successor(key) == parent })
}

// isParent reports whether any operation depends on op, or on one that op
// replaced.
func (d *Dependencies) isParent(op *Operation) bool {
	for ; op != nil; op = d.log.byKey[op.Replaces] {
		if d.parents[op.Key] {
			return true
		}
	}

	return false
}

// Dependents returns the operations that depend on an operation, or need what
// it creates, directly or indirectly, in order.
func (d *Dependencies) Dependents(of *Operation) []*Operation {
	if len(of.footprint.Makes) == 0 && !d.isParent(of) {
		return nil
	}

	created, dependents := rowSet{}, map[*Operation]bool{of: true}
	created.add(of.footprint.Makes)

	return d.log.openIf(func(op *Operation) bool {
		if op == of || !op.State.Open() || !(op.Seq > of.Seq && created.touchedBy(&op.footprint)) &&
			!slices.ContainsFunc(d.parentsOf(op), func(p *Operation) bool { return dependents[p] }) {
			return false
		}
		created.add(op.footprint.Makes)
		dependents[op] = true
		return true
	})
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

// blockedByParent returns why an operation must wait for those that it depends on. later
// means that it depends, directly or indirectly, on a pending one that comes after its
// dependents, because that one replaced another.
func (d *Dependencies) blockedByParent(op *Operation) (why BlockReason, later bool) {
	if !op.MaybeDone() && d.lacksDocument(op) {
		return BlockedByDependency, false
	}

	for _, parent := range d.parentsOf(op) {
		switch {
		case parent.NeedsDecision():
			return BlockedByDependency, false
		case parent.State == Pending:
			reason, replaced := d.blockedByParent(parent)
			if reason == BlockedByDependency {
				return reason, false
			}
			why, later = BlockedByOrder, later || replaced || parent.Seq > op.Seq
		}
	}

	return why, later
}

// lacksDocument reports whether the creation of an operation's document was discarded or
// replaced. If the service has a document with its id, another site created it with the same
// key: the operation is not for that one.
func (d *Dependencies) lacksDocument(op *Operation) bool {
	return slices.ContainsFunc(op.Needs, func(key string) bool {
		creation := d.log.byKey[key]
		return creation != nil && (creation.State == Discarded || creation.State == Replaced) && op.isFor(creation)
	})
}

// failedBefore reports whether earlier work on the document of an operation failed, or was
// discarded although the operation depends on it.
func (d *Dependencies) failedBefore(op *Operation) bool {
	if slices.ContainsFunc(d.parentsOf(op), func(parent *Operation) bool { return parent.State == Discarded }) {
		return true
	}
	return op.document != "" && slices.ContainsFunc(d.log.open(), func(earlier *Operation) bool {
		return earlier.NeedsDecision() && earlier.Seq < op.Seq && earlier.document == op.document
	})
}

// FollowsUnapplied reports whether an earlier operation on the same rows is to be sent, which
// is not applied over the replica meanwhile: the service lost it, or may reject it.
func (d *Dependencies) FollowsUnapplied(op *Operation) bool {
	written := rowSet{}
	return slices.ContainsFunc(d.log.open(), func(earlier *Operation) bool {
		if !earlier.MaybeLost && earlier.Risk == nil || earlier.State != Pending || earlier.Seq >= op.Seq {
			return false
		}
		written.add(earlier.footprint.Writes)
		return !earlier.footprintKnown || written.touchedBy(&op.footprint)
	})
}

// LotDiscarded reports whether the local ledger lacks a lot or serial that an operation uses
// because the operation that created it was discarded.
func (d *Dependencies) LotDiscarded(op *Operation) bool {
	return op.lacksLot() && slices.ContainsFunc(op.LotsOf, func(key string) bool {
		parent := d.successor(key)
		return parent != nil && parent.State == Discarded
	})
}

// forgetLotsOf makes the operations that use the lots of a failed one, or of one that waits
// for it, wait until the local ledger was asked whether they exist without it. Those that are
// done did not need it.
func (d *Dependencies) forgetLotsOf(failed *Operation) {
	if !d.isParent(failed) {
		return
	}

	lacking := append(d.Dependents(failed), failed)
	for _, op := range d.log.operations {
		switch {
		case !slices.ContainsFunc(op.LotsOf, func(key string) bool { return slices.Contains(lacking, d.successor(key)) }):
		case op.State == Done:
			d.keepLotsUsed(op)
		case op.State.Open():
			op.lotsUnknown = true
		}
	}
}

// keepLotsUsed removes the operations that an operation, which is done, did not need for its
// lots, as the service cannot have done them before it.
func (d *Dependencies) keepLotsUsed(op *Operation) {
	op.LotsOf = slices.DeleteFunc(slices.Clone(op.LotsOf), func(key string) bool {
		parent := d.successor(key)
		return parent != nil && parent.State != Done && !parent.MaybeDone()
	})
}

// LotsUnknown reports whether operations wait until the local ledger was asked whether the
// lots that they use exist.
func (d *Dependencies) LotsUnknown() bool {
	return slices.ContainsFunc(d.log.open(), func(op *Operation) bool { return op.lotsUnknown && op.Applies() })
}
