package outbox

import (
	"slices"

	"bincard/server/api"
)

// An operation depends on the one that it was done after, and on those that
// created what it uses. It waits for them even while the local ledger rejects
// them or it.

// Needs returns the keys of the unresolved operations that created a row of a
// footprint.
func (b *Queue) Needs(footprint Footprint) []string { return unresolvedMakers(b.makers, footprint) }

// WithMakerOf returns needs, the keys of the operations that a replacement depends on, with
// the key of the operation that creates its document, if the replaced operation depends on
// that. The local ledger may reject the creation and show another site's document with the same
// id instead.
func (b *Queue) WithMakerOf(c *Capture, needs []string) []string {
	old := b.byKey[c.Replaces]
	if old == nil || b.opts.CreatedID == nil || old.document != documentOf(c) {
		return needs
	}
	for _, key := range old.Needs {
		maker := b.successor(key)
		if maker != nil && maker.State.Open() && b.opts.CreatedID(&maker.Capture) == old.document && !slices.Contains(needs, maker.Key) {
			needs = append(slices.Clip(needs), maker.Key)
		}
	}
	return needs
}

// LotsOf returns the keys of the unresolved operations that created a lot or serial of a
// footprint.
func (b *Queue) LotsOf(footprint Footprint) []string { return unresolvedMakers(b.lotMakers, footprint) }

func unresolvedMakers(makers map[uint64]*Operation, footprint Footprint) (keys []string) {
	if len(makers) == 0 {
		return nil
	}
	for _, rows := range [][]uint64{footprint.Reads, footprint.Writes} {
		for _, row := range rows {
			if op := makers[row]; op != nil && op.State.Open() && !slices.Contains(keys, op.Key) {
				keys = append(keys, op.Key)
			}
		}
	}
	return keys
}

// parentKeys returns the keys of the operations that op depends on.
func (op *Operation) parentKeys() []string {
	if op.After == "" {
		return op.Needs
	}
	return append([]string{op.After}, op.Needs...)
}

// needs reports whether an operation cannot be done without another one. It may be done
// without one that created the lot that it uses.
func (b *Queue) needs(op, parent *Operation) bool {
	return slices.ContainsFunc(op.parentKeys(), func(key string) bool { return b.successor(key) == parent })
}

// successor returns the operation with a key, or the one that replaced it; nil
// if there is none.
func (b *Queue) successor(key string) *Operation {
	op := b.byKey[key]
	for op != nil && op.State == Replaced {
		op = b.byKey[op.Successor]
	}
	return op
}

// successors returns the keys of operations, or of those that replaced them, that satisfy
// keep.
func (b *Queue) successors(keys []string, keep func(key string) bool) (list []string) {
	for _, key := range keys {
		if op := b.successor(key); op != nil && keep(op.Key) {
			list = append(list, op.Key)
		}
	}
	return list
}

// parent returns the operation that op was done after, or the one that
// replaced it; nil if there is none.
func (b *Queue) parent(op *Operation) *Operation { return b.successor(op.After) }

// parentsOf returns the operations that op depends on, or those that replaced
// them.
func (b *Queue) parentsOf(op *Operation) (list []*Operation) {
	keys := op.parentKeys()
	if len(op.LotsOf) > 0 && op.mayLackLot() {
		keys = slices.Concat(keys, op.LotsOf)
	}
	for _, key := range keys {
		if parent := b.successor(key); parent != nil && parent != op {
			list = append(list, parent)
		}
	}
	return list
}

// mayLackLot reports whether the local ledger lacks a lot or serial that an operation uses,
// or was not asked since it may. Another operation may have created it too.
func (op *Operation) mayLackLot() bool {
	return op.lotsUnknown || !op.footprintKnown || op.MaybeLost || op.lacksLot()
}

func (op *Operation) lacksLot() bool {
	switch {
	case op.Risk == nil:
		return false
	case op.Risk.Code == api.NotFound:
		return op.Risk.Details["resource"] == "lot"
	}
	return op.Risk.Code == api.SerialNotAvailable && op.Risk.Details["serial"] != nil
}

// LotDiscarded reports whether the local ledger lacks a lot or serial that an operation uses
// because the operation that created it was discarded.
func (b *Queue) LotDiscarded(op *Operation) bool {
	return op.lacksLot() && slices.ContainsFunc(op.LotsOf, func(key string) bool {
		parent := b.successor(key)
		return parent != nil && parent.State == Discarded
	})
}

// forgetLotsOf makes the operations that use the lots of a failed one, or of one that waits
// for it, wait until the local ledger was asked whether they exist without it. Those that are
// done did not need it.
func (b *Queue) forgetLotsOf(failed *Operation) {
	if !b.isParent(failed) {
		return
	}
	lacking := map[*Operation]bool{failed: true}
	for _, op := range b.Dependents(failed.Key) {
		lacking[op] = true
	}
	for _, op := range b.operations {
		switch {
		case !slices.ContainsFunc(op.LotsOf, func(key string) bool { return lacking[b.successor(key)] }):
		case op.State == Done:
			b.keepLotsUsed(op)
		case op.State.Open():
			op.lotsUnknown = true
		}
	}
}

// keepLotsUsed removes the operations that an operation, which is done, did not need for its
// lots, as the service cannot have done them before it.
func (b *Queue) keepLotsUsed(op *Operation) {
	op.LotsOf = slices.DeleteFunc(slices.Clone(op.LotsOf), func(key string) bool {
		parent := b.successor(key)
		return parent != nil && parent.State != Done && !parent.MaybeDone()
	})
}

// LotsUnknown reports whether operations wait until the local ledger was asked whether the
// lots that they use exist.
func (b *Queue) LotsUnknown() bool {
	return slices.ContainsFunc(b.operations[b.firstOpen:], func(op *Operation) bool { return op.lotsUnknown && op.Applies() })
}

// isParent reports whether any operation depends on op, or on one that op
// replaced.
func (b *Queue) isParent(op *Operation) bool {
	for ; op != nil; op = b.byKey[op.Replaces] {
		if b.parents[op.Key] {
			return true
		}
	}
	return false
}

// waitsForLater reports whether an operation depends, directly or indirectly, on a
// pending one that comes after its dependents, because that one replaced another.
func (b *Queue) waitsForLater(op *Operation) bool {
	return slices.ContainsFunc(b.parentsOf(op), func(parent *Operation) bool {
		return parent.State == Pending && (parent.Seq > op.Seq || b.waitsForLater(parent))
	})
}

// blockedByParent returns why an operation must wait for those that it depends
// on.
func (b *Queue) blockedByParent(op *Operation) (why BlockReason) {
	if !op.MaybeDone() && b.lacksDocument(op) {
		return BlockedByDependency
	}
	for _, parent := range b.parentsOf(op) {
		switch {
		case parent.State == Refused || parent.State == Held || parent.State == Pending && b.blockedByParent(parent) == BlockedByDependency:
			return BlockedByDependency
		case parent.State == Pending:
			why = BlockedByOrder
		}
	}
	return why
}
