package outbox

import "slices"

// An operation depends on the one that it was done after, and on those that
// created what it uses. It waits for them even while the local ledger rejects
// them or it.

// Needs returns the keys of the unresolved operations that created a row of a
// footprint.
func (b *Queue) Needs(footprint Footprint) (keys []string) {
	for _, rows := range [][]uint64{footprint.Reads, footprint.Writes} {
		for _, row := range rows {
			if op := b.makers[row]; op != nil && op.State.Open() && !slices.Contains(keys, op.Key) {
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

// successor returns the operation with a key, or the one that replaced it; nil
// if there is none.
func (b *Queue) successor(key string) *Operation {
	op := b.byKey[key]
	for op != nil && op.State == Replaced {
		op = b.byKey[op.Successor]
	}
	return op
}

// parent returns the operation that op was done after, or the one that
// replaced it; nil if there is none.
func (b *Queue) parent(op *Operation) *Operation { return b.successor(op.After) }

// parentsOf returns the operations that op depends on, or those that replaced
// them.
func (b *Queue) parentsOf(op *Operation) (list []*Operation) {
	for _, key := range op.parentKeys() {
		if parent := b.successor(key); parent != nil && parent != op {
			list = append(list, parent)
		}
	}
	return list
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
