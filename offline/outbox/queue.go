package outbox

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"bincard/server/store"
)

// Options of a Box. The zero value is right for a terminal.
type Options struct {
	// Parallel is how many operations are under way at once: 8, and more where
	// answers are long on their way, unless it is said.
	Parallel int
	// Random gives numbers in [0, 1) to spread attempts; math/rand where nil.
	Random func() float64
}

// A Queue holds the operations. It is for one goroutine at a time.
type Queue struct {
	Header *Header
	// Epoch is the service's that the replica follows, "" before it followed any.
	Epoch      string
	epochExtra store.Unknown // what a newer version said of it
	opts       Options
	operations []*Operation // by N
	byKey      map[string]*Operation
	parents    map[string]bool // keys that an operation belongs to
	firstOpen  int             // index of the first item that may be unsettled
	lastSeq    uint64
	lastAt     time.Time // the turn of that one
	excluded   string    // the key of one that does not show for now

	link        link
	inFlight    []*Operation // under way
	remoteNamed []*Operation // whose documents the service calls otherwise
	window      sendWindow
	rows        [3]map[uint64]bool // of a walk
	keyLifetime time.Duration      // how long the service knows a key; 0 is for ever
}

// New makes an empty Box.
func New(opts Options) *Queue {
	if opts.Random == nil {
		opts.Random = rand.Float64
	}
	return &Queue{opts: opts, byKey: map[string]*Operation{}, parents: map[string]bool{}, rows: [3]map[uint64]bool{{}, {}, {}}}
}

// SetKeyLifetime says how long the service knows a key: what was sent longer ago and
// not answered is not sent again before it was looked up. 0 is for ever.
func (b *Queue) SetKeyLifetime(d time.Duration) { b.keyLifetime = d }

// RemoteTarget is a target by the ids of the service: where what was made here is
// called otherwise there. seen leaves out what the replica does not hold yet:
// here it is called as it was made.
func (b *Queue) RemoteTarget(target string, seen bool) string {
	for _, it := range b.remoteNamed {
		if it.Confirmed || !seen {
			target = strings.ReplaceAll(target, it.LocalID, it.RemoteID)
		}
	}
	return target
}

// InFlight is how many operations are under way.
func (b *Queue) InFlight() int { return len(b.inFlight) }

// Apply takes an entry that is in the journal.
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
		return b.each(e.Sending.Keys, func(it *Operation) {
			it.maybeSent, it.sendingExtra = true, e.Sending.Unknown
			if it.SentAt.IsZero() {
				it.SentAt = e.Sending.At
			}
		})
	case e.StateChange != nil:
		return b.each([]string{e.StateChange.Key}, func(it *Operation) { b.setState(it, e.StateChange) })
	case e.Confirm != nil:
		return b.each(e.Confirm.Keys, func(it *Operation) {
			it.Confirmed, it.MaybeLost, it.confirmExtra = true, false, e.Confirm.Unknown
		})
	case e.Epoch != nil:
		b.setEpoch(e.Epoch)
	}
	return nil
}

// enqueue takes a new operation; one that is known stays as it is, so that a
// queue may be brought in twice.
func (b *Queue) enqueue(c *Capture) {
	if b.byKey[c.Key] != nil {
		return
	}
	n, at := b.NextSeq(c.At)
	b.lastSeq, b.lastAt = max(n, c.FixedSeq), at
	it := &Operation{Capture: *c, Seq: b.lastSeq, EffectiveAt: at, State: Pending, Since: c.At}
	it.FixedSeq = 0
	b.operations = append(b.operations, it)
	b.byKey[c.Key] = it
	if c.After != "" {
		b.parents[c.After] = true
	}
	if old := b.byKey[c.Replaces]; old != nil && old.State.Open() {
		old.State, old.Since, old.Successor, old.By = Replaced, c.At, c.Key, c.Operator
	}
}

// NextSeq is the place that an operation has that is done next, at that instant,
// and the instant that counts there: one before what was done before is not it.
func (b *Queue) NextSeq(at time.Time) (uint64, time.Time) {
	if at.Before(b.lastAt) {
		at = b.lastAt
	}
	return b.lastSeq + 1, at
}

// setEpoch takes the epoch of the service. What an earlier one confirmed waits again.
func (b *Queue) setEpoch(e *Epoch) {
	before := b.Epoch
	b.Epoch, b.epochExtra = e.ID, e.Unknown
	if before == "" || before == e.ID {
		return
	}
	for _, it := range b.operations {
		it.staleAnswer = it.inFlight
		if it.State == Done {
			it.State, it.Since, it.Confirmed, it.MaybeLost = Pending, e.At, false, true
			it.tries, it.notBefore = 0, time.Time{}
		}
	}
	b.firstOpen = 0
}

func (b *Queue) setState(it *Operation, m *StateChange) {
	was := it.State
	it.State, it.Since, it.Refusal = m.State, m.At, m.Refusal
	it.Reason, it.By, it.MaybeLost, it.changeExtra = m.Reason, m.By, m.MaybeLost, m.Unknown
	it.maybeSent, it.neverArrived = false, false // whatever it was, that is its answer
	if m.Successor != "" {
		it.Successor = m.Successor
	}
	if m.RemoteID != "" {
		it.LocalID, it.RemoteID = m.LocalID, m.RemoteID
		b.remoteNamed = append(b.remoteNamed, it)
	}
	if m.State == Pending && !m.MaybeLost { // tried again, or sent anyway: at once
		it.tries, it.notBefore, it.RiskAccepted = 0, time.Time{}, true
		if it.rejectedBefore = was == Refused; !it.rejectedBefore {
			it.notDoneAt = m.At
		}
	}
}

func (b *Queue) each(keys []string, fn func(*Operation)) error {
	for _, key := range keys {
		it := b.byKey[key]
		if it == nil {
			return fmt.Errorf("the journal refers to operation %s, which it does not contain", key)
		}
		fn(it)
	}
	return nil
}

// Operation is the operation with that key, or nil.
func (b *Queue) Operation(key string) *Operation { return b.byKey[key] }

// Operations are all operations in the order in which they were done.
func (b *Queue) Operations() []*Operation { return b.operations }

// Applied are the operations that show over the replica, in order.
func (b *Queue) Applied() []*Operation {
	b.advanceOpen()
	var list []*Operation
	for _, it := range b.operations[b.firstOpen:] {
		if it.Applies() && it.Key != b.excluded {
			list = append(list, it)
		}
	}
	return list
}

// Unconfirmed are the operations that the service has confirmed, and of which
// nobody knows yet that the replica holds them.
func (b *Queue) Unconfirmed() []*Operation {
	b.advanceOpen()
	var list []*Operation
	for _, it := range b.operations[b.firstOpen:] {
		if it.State == Done && !it.Confirmed {
			list = append(list, it)
		}
	}
	return list
}

// Exclude takes an operation away from what shows, until it is called again; none
// has the key "".
func (b *Queue) Exclude(key string) { b.excluded = key }

// advanceOpen moves past the items at the beginning of which nothing more will come.
func (b *Queue) advanceOpen() {
	for b.firstOpen < len(b.operations) {
		it := b.operations[b.firstOpen]
		if it.State.Open() || it.State == Done && !it.Confirmed || it.inFlight {
			return
		}
		b.firstOpen++
	}
}

// Counts tell how many operations are in which state, for the header.
type Counts struct {
	// Waiting are captured, Sent of them without an answer yet.
	Waiting, Sent int
	Refused, Held int
	// Oldest is when the oldest of them all was done; zero where there is none.
	Oldest time.Time
}

// Counts counts what is not settled.
func (b *Queue) Counts() Counts { return b.CountsOf("") }

// CountsOf counts what is not settled of what came by the key with a label, or
// of all where it is empty.
func (b *Queue) CountsOf(device string) Counts {
	b.advanceOpen()
	var c Counts
	for _, it := range b.operations[b.firstOpen:] {
		if device != "" && it.Device != device {
			continue
		}
		switch it.State {
		case Pending:
			c.Waiting++
			if it.MaybeDone() {
				c.Sent++
			}
		case Refused:
			c.Refused++
		case Held:
			c.Held++
		default:
			continue
		}
		if c.Oldest.IsZero() || it.At.Before(c.Oldest) {
			c.Oldest = it.At
		}
	}
	return c
}
