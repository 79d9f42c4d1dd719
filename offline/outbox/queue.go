package outbox

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// Options configures a Queue. The zero value suits a terminal.
type Options struct {
	// Parallel is the number of operations in flight at once; zero means at
	// least 8, and more if answers take long.
	Parallel int
	// Heartbeat is how long the connection may be silent before a probe checks
	// it; zero means forever.
	Heartbeat time.Duration
	// CreatedID returns the id of the document that an operation creates, empty if
	// none; nil if ids are not known before the service answers.
	CreatedID func(*Capture) string
	// KeepLast is the number of resolved operations that stay in the journal whatever
	// their age; zero means 2,000.
	KeepLast int
	// Random returns numbers in [0, 1) to spread retries; nil means math/rand.
	Random func() float64
}

// A Queue holds the operations. It is not safe for concurrent use.
type Queue struct {
	Header *Header
	// Epoch is the service's epoch that the replica follows, "" if it followed
	// none yet.
	Epoch      string
	epochExtra store.Unknown // fields that a newer version stored
	// ConfirmedAt is the change up to which the service had confirmed
	// operations. If it lacks that change, it has lost some of them.
	ConfirmedAt Position
	wentBackAt  time.Time // when the service last went back to an earlier state
	opts        Options
	operations  []*Operation // by Seq
	byKey       map[string]*Operation
	parents     map[string]bool       // keys of operations that others depend on
	makers      map[uint64]*Operation // by a row that the operation created when it was done, or later
	lotMakers   map[uint64]*Operation // by the row of a lot or serial that the operation last created
	lostMakers  map[string]string     // keys of operations that are sent again, by the id of the document that they create
	firstOpen   int                   // index of the first operation that may be unresolved
	lastSeq     uint64
	lastAt      time.Time // its EffectiveAt
	excluded    string    // the key of an operation that is not applied for now

	link        link
	inFlight    []*Operation
	remoteNamed []*Operation // whose documents have another id at the service
	window      sendWindow
	rows        [3]map[uint64]bool // scratch sets of walk
	keyLifetime time.Duration      // how long the service remembers a key; 0 means forever
}

// New returns an empty Queue.
func New(opts Options) *Queue {
	if opts.Random == nil {
		opts.Random = rand.Float64
	}
	return &Queue{opts: opts, link: link{doubts: 1}, byKey: map[string]*Operation{}, parents: map[string]bool{}, makers: map[uint64]*Operation{}, lotMakers: map[uint64]*Operation{}, rows: [3]map[uint64]bool{{}, {}, {}}}
}

// SetKeyLifetime sets how long the service remembers a key; 0 means forever.
// An operation sent longer ago without an answer is looked up before it is
// sent again.
func (b *Queue) SetKeyLifetime(d time.Duration) { b.keyLifetime = d }

// RemoteTarget replaces local ids in a target by the service's. If
// confirmedOnly, it replaces only the ids of documents that the replica
// contains; the others have their local ids here.
func (b *Queue) RemoteTarget(target string, confirmedOnly bool) string {
	for _, op := range b.remoteNamed {
		if op.Confirmed || !confirmedOnly {
			target = strings.ReplaceAll(target, op.LocalID, op.RemoteID)
		}
	}
	return target
}

// InFlight returns the number of operations in flight.
func (b *Queue) InFlight() int { return len(b.inFlight) }

// Apply applies an entry that is in the journal.
func (b *Queue) Apply(e Entry) error {
	if err := e.check(); err != nil {
		return err
	}
	switch {
	case e.Header != nil:
		b.Header = e.Header
	case e.Capture != nil:
		b.enqueue(e.Capture)
	case e.Sending != nil:
		return b.each(e.Sending.Keys, func(op *Operation) { op.setSending(e.Sending) })
	case e.StateChange != nil:
		return b.each([]string{e.StateChange.Key}, func(op *Operation) { b.setState(op, e.StateChange) })
	case e.Confirm != nil:
		if e.Confirm.Seq > 0 {
			b.ConfirmedAt = e.Confirm.Position
		}
		return b.each(e.Confirm.Keys, func(op *Operation) {
			op.Confirmed, op.MaybeLost, op.confirmExtra = true, false, e.Confirm.Unknown
		})
	case e.Epoch != nil:
		b.setEpoch(e.Epoch)
	}
	return nil
}

func (op *Operation) setSending(s *Sending) {
	op.sendingExtra, op.maybeSent = s.Unknown, !s.NotArrived
	switch {
	case !s.NotArrived && op.SentAt.IsZero():
		op.SentAt = s.At
	case s.NotArrived:
		op.neverArrived = false
		if !op.rejectedBefore && op.notDoneAt.IsZero() && !op.MaybeLost { // it was sent for the first time
			op.SentAt = time.Time{}
		}
	}
}

// enqueue adds a new operation. A known one stays as it is, so that operations
// may be imported twice.
func (b *Queue) enqueue(c *Capture) {
	if b.byKey[c.Key] != nil {
		return
	}
	n, at := b.NextSeq(c.At)
	b.lastSeq, b.lastAt = max(n, c.FixedSeq), at
	op := &Operation{Capture: *c, Seq: b.lastSeq, EffectiveAt: at, State: Pending, Since: c.At, capturedAtRisk: c.RiskAccepted, document: documentOf(c)}
	op.FixedSeq = 0
	b.operations = append(b.operations, op)
	b.byKey[c.Key] = op
	b.needLostMaker(op)
	for _, key := range slices.Concat(op.parentKeys(), op.LotsOf) {
		b.parents[key] = true
	}
	if old := b.byKey[c.Replaces]; old != nil && old.State.Open() {
		old.State, old.Since, old.Successor, old.By = Replaced, c.At, c.Key, api.OperatorText(c.Operator, c.ApprovedBy)
	}
}

// NextSeq returns the Seq and EffectiveAt of an operation done next at a time.
func (b *Queue) NextSeq(at time.Time) (uint64, time.Time) {
	if at.Before(b.lastAt) {
		at = b.lastAt
	}
	return b.lastSeq + 1, at
}

// setEpoch sets the service's epoch. Operations confirmed in an earlier epoch, or
// before the service went back, are pending again, as are those that the service rejected
// after it may have gone back, and those that were quarantined for what these lack.
func (b *Queue) setEpoch(e *Epoch) {
	before := b.Epoch
	b.Epoch, b.epochExtra = e.ID, e.Unknown
	if !e.WentBack && (before == "" || before == e.ID) {
		return
	}
	b.ConfirmedAt, b.wentBackAt = Position{}, e.At
	for _, op := range b.operations {
		op.staleAnswer = op.inFlight
		switch {
		case op.State == Done:
			b.sendAgain(op, e.At)
		case (op.State == Refused || op.heldForMissing()) && !e.AgreedAt.IsZero() && !op.Since.Before(e.AgreedAt):
			b.setState(op, &StateChange{Key: op.Key, State: Pending, At: e.At})
		}
	}
	b.linkLost()
}

// sendAgain makes an operation pending that the service had confirmed.
func (b *Queue) sendAgain(op *Operation, at time.Time) {
	op.State, op.Since, op.Confirmed, op.MaybeLost, op.replays, op.Missing = Pending, at, false, true, 0, nil
	op.resetDelay()
	b.firstOpen = 0
}

func (b *Queue) setState(op *Operation, m *StateChange) {
	was := op.State
	if !was.Open() {
		b.firstOpen = 0
	}
	op.State, op.Since, op.Refusal = m.State, m.At, m.Refusal
	op.Reason, op.By, op.MaybeLost, op.changeExtra = m.Reason, m.By, m.MaybeLost, m.Unknown
	op.maybeSent, op.neverArrived = false, false // the change answers all attempts
	op.FailingSince, op.NotRecordedAt, op.lookedUp, op.Missing = time.Time{}, time.Time{}, false, nil
	switch m.State {
	case Refused, Held:
		b.forgetLotsOf(op)
	case Done:
		b.keepLotsUsed(op)
	}
	if m.Successor != "" {
		op.Successor = m.Successor
	}
	if m.RemoteID != "" {
		op.LocalID, op.RemoteID = m.LocalID, m.RemoteID
		b.remoteNamed = append(b.remoteNamed, op)
	}
	if m.State == Pending && !m.MaybeLost { // a person retried it: send at once
		op.resetDelay()
		op.RiskAccepted = true
		if op.rejectedBefore = was == Refused; !op.rejectedBefore {
			op.notDoneAt = m.At
		}
	}
	if m.State == Pending && m.MaybeLost {
		b.linkLost()
	}
}

func (b *Queue) each(keys []string, fn func(*Operation)) error {
	for _, key := range keys {
		op := b.byKey[key]
		if op == nil {
			return fmt.Errorf("the journal refers to operation %s, which it does not contain", key)
		}
		fn(op)
	}
	return nil
}

// Operation returns the operation with a key, or nil.
func (b *Queue) Operation(key string) *Operation { return b.byKey[key] }

// Operations returns all operations, oldest first.
func (b *Queue) Operations() []*Operation { return b.operations }

// Applied returns the operations that are applied over the replica, in order.
func (b *Queue) Applied() []*Operation {
	b.advanceOpen()
	var list []*Operation
	for _, op := range b.operations[b.firstOpen:] {
		if op.Applies() && op.Key != b.excluded {
			list = append(list, op)
		}
	}
	return list
}

// Unconfirmed returns the operations that the service has confirmed and the
// replica may not contain yet.
func (b *Queue) Unconfirmed() []*Operation {
	b.advanceOpen()
	var list []*Operation
	for _, op := range b.operations[b.firstOpen:] {
		if op.State == Done && !op.Confirmed {
			list = append(list, op)
		}
	}
	return list
}

// Exclude removes an operation from Applied until the next call; "" removes
// none.
func (b *Queue) Exclude(key string) { b.excluded = key }

// advanceOpen moves firstOpen past operations that will not change.
func (b *Queue) advanceOpen() {
	for b.firstOpen < len(b.operations) {
		op := b.operations[b.firstOpen]
		if op.State.Open() || op.State == Done && !op.Confirmed || op.inFlight {
			return
		}
		b.firstOpen++
	}
}

// Counts are the numbers of operations by state, for the header.
type Counts struct {
	// Waiting are pending; Sent of them may have been done without an answer.
	Waiting, Sent int
	Refused, Held int
	// Stuck of the pending ones get no answer although other requests do.
	Stuck int
	// Oldest is when the oldest of these was done; zero if there is none.
	Oldest time.Time
}

// stuckAfter is the number of attempts in a row after which an operation counts
// as stuck: some minutes.
const stuckAfter = 9

// stuck reports whether an operation gets no answer although other requests do.
func (b *Queue) stuck(op *Operation) bool {
	return op.tries >= stuckAfter && op.Missing == nil && !b.link.down
}

// Counts counts the unresolved operations.
func (b *Queue) Counts() Counts { return b.CountsOf("") }

// CountsOf counts the unresolved operations of a device, or all if empty.
func (b *Queue) CountsOf(device string) Counts {
	b.advanceOpen()
	var c Counts
	for _, op := range b.operations[b.firstOpen:] {
		if device != "" && op.Device != device {
			continue
		}
		switch op.State {
		case Pending:
			c.Waiting++
			if op.MaybeDone() {
				c.Sent++
			}
			if b.stuck(op) {
				c.Stuck++
			}
		case Refused:
			c.Refused++
		case Held:
			c.Held++
		default:
			continue
		}
		if c.Oldest.IsZero() || op.At.Before(c.Oldest) {
			c.Oldest = op.At
		}
	}
	return c
}
