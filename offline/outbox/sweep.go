package outbox

// maxLookahead is how many blocked operations are skipped to find one that may
// be sent.
const maxLookahead = 256

// A sweep goes over the pending operations in order and finds those that must wait for others.
type sweep struct {
	deps          *Dependencies
	read, written rowSet // by operations that come first
	missing       rowSet // what operations that failed, or wait for one that did, would create
	// awaited is what operations that wait for other nodes hold back: the documents that they
	// are for, and what they create. The others go on.
	awaited rowSet
	// An operation without a known footprint keeps its order with all others.
	unknown bool // there is one
	any     bool // there is an operation
	skipped int
}

// reset begins a sweep.
func (w *sweep) reset(inFlight []*Operation) {
	for _, set := range []*rowSet{&w.read, &w.written, &w.missing, &w.awaited} {
		if *set == nil {
			*set = rowSet{}
		}
		clear(*set)
	}

	w.unknown, w.any, w.skipped = false, len(inFlight) > 0, 0
	for _, op := range inFlight {
		w.enter(op)
	}
}

// enter adds an operation before which no later one on its rows may be sent.
func (w *sweep) enter(op *Operation) {
	w.unknown, w.any = w.unknown || !op.footprintKnown, true
	w.read.add(op.footprint.Reads)
	w.written.add(op.footprint.Writes)
}

// next returns why the next operation is blocked.
func (w *sweep) next(op *Operation) BlockReason {
	if op.inFlight {
		return ""
	}
	if w.awaited.touchedBy(&op.footprint) {
		w.await(op)
		return BlockedByOtherNode
	}

	why, later := w.deps.blockedByParent(op)
	switch {
	case why == BlockedByDependency || w.missing.touchedBy(&op.footprint):
		w.missing.add(op.footprint.Makes)
		return BlockedByDependency
	case later:
		return why // what it waits for must not wait for it
	case op.Missing != nil:
		w.await(op)
		return ""
	case why == "" && (w.unknown || !op.footprintKnown && w.any || w.written.touchedBy(&op.footprint) || w.read.overlaps(op.footprint.Writes)):
		why = BlockedByOrder
	}

	if why != "" {
		w.skipped++
	}

	w.enter(op)

	return why
}

func (w *sweep) await(op *Operation) {
	w.awaited.add(op.footprint.Makes)
	w.awaited.add(op.withDocument(Footprint{}).Writes)
}
