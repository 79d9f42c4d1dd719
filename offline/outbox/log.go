package outbox

import (
	"fmt"
	"time"
)

// A Log holds the operations in the order in which they were done, under the Header of their
// journal.
type Log struct {
	Header      *Header
	former      []*Header // with the clients of earlier operations
	createdID   func(*Capture) string
	operations  []*Operation // by Seq
	byKey       map[string]*Operation
	firstOpen   int          // index of the first operation that may be unresolved
	remoteNamed []*Operation // whose documents have another id at the service
}

// Operation returns the operation with a key, or nil.
func (l *Log) Operation(key string) *Operation { return l.byKey[key] }

// Operations returns all operations, oldest first.
func (l *Log) Operations() []*Operation { return l.operations }

// NextSeq returns the Seq and EffectiveAt of an operation done next at a time.
func (l *Log) NextSeq(at time.Time) (uint64, time.Time) {
	if len(l.operations) == 0 {
		return 1, at
	}
	last := l.operations[len(l.operations)-1]
	if at.Before(last.EffectiveAt) {
		at = last.EffectiveAt
	}
	return last.Seq + 1, at
}

// add adds a new operation.
func (l *Log) add(c *Capture) *Operation {
	n, at := l.NextSeq(c.At)
	op := &Operation{Capture: *c, Seq: max(n, c.FixedSeq), EffectiveAt: at, State: Pending, Since: c.At,
		document: documentOf(c), created: l.createdID(c)}
	op.FixedSeq, op.footprint = 0, op.withDocument(Footprint{})
	l.operations = append(l.operations, op)
	l.byKey[c.Key] = op
	return op
}

// each calls fn for the operations with these keys.
func (l *Log) each(keys []string, fn func(*Operation)) error {
	for _, key := range keys {
		op := l.byKey[key]
		if op == nil {
			return fmt.Errorf("the journal refers to operation %s, which it does not contain", key)
		}
		fn(op)
	}

	return nil
}

// open returns the operations from the first one that may change.
func (l *Log) open() []*Operation {
	for ; l.firstOpen < len(l.operations); l.firstOpen++ {
		op := l.operations[l.firstOpen]
		if op.mayChange() || op.inFlight {
			break
		}
	}

	return l.operations[l.firstOpen:]
}

// openIf returns the operations that may change and satisfy keep, in order.
func (l *Log) openIf(keep func(*Operation) bool) (list []*Operation) {
	for _, op := range l.open() {
		if keep(op) {
			list = append(list, op)
		}
	}

	return list
}

// Applied returns the operations that are applied over the replica, in order.
func (l *Log) Applied() []*Operation { return l.openIf((*Operation).Applies) }

// Unconfirmed returns the operations that the service has confirmed and the
// replica may not contain yet.
func (l *Log) Unconfirmed() []*Operation {
	return l.openIf(func(op *Operation) bool { return op.State == Done && !op.Confirmed })
}

// Unanswered returns the operations that were sent and may have been done.
func (l *Log) Unanswered() []*Operation {
	return l.openIf(func(op *Operation) bool { return op.MaybeDone() && op.Attempted() })
}
