package outbox

import (
	"math/rand/v2"
	"slices"
	"time"

	"bincard/server/api"
)

// Options configures a Queue. The zero value suits a terminal.
type Options struct {
	// Parallel is the number of operations in flight at once; zero means at
	// least 8, and more if answers take long.
	Parallel int
	// Heartbeat is how long the connection may be silent before a probe checks
	// it; zero means forever.
	Heartbeat time.Duration
	// CreatedID returns the id of the document that an operation creates, or empty if
	// none; nil if ids are not known before the service answers.
	CreatedID func(*Capture) string
	// KeepLast is the number of resolved operations that stay in the journal whatever
	// their age; zero means 2,000.
	KeepLast int
	// Random returns numbers in [0, 1) to spread retries; nil means math/rand.
	Random func() float64
}

// A Queue applies journal entries and the service's answers to its operations. It is not
// safe for concurrent use.
type Queue struct {
	Log
	History
	Connection
	Dependencies
	Lookups
	Sender
	Resolver
}

// New returns an empty Queue.
func New(opts Options) *Queue {
	if opts.Random == nil {
		opts.Random = rand.Float64
	}
	if opts.CreatedID == nil {
		opts.CreatedID = func(*Capture) string { return "" }
	}

	b := &Queue{Log: Log{createdID: opts.CreatedID, byKey: map[string]*Operation{}}, History: History{doubts: 1}}
	b.Connection = Connection{log: &b.Log, history: &b.History, opts: &opts}
	b.Dependencies = Dependencies{
		log:       &b.Log,
		parents:   map[string]bool{},
		makers:    map[uint64]*Operation{},
		lotMakers: map[uint64]*Operation{},
		creators:  map[string]*Operation{},
	}

	b.Lookups = Lookups{log: &b.Log}
	b.Sender = Sender{log: &b.Log, conn: &b.Connection, lookups: &b.Lookups, sweep: sweep{deps: &b.Dependencies}}
	b.Resolver = Resolver{log: &b.Log, deps: &b.Dependencies}

	return b
}

// Apply applies an entry that is in the journal.
func (b *Queue) Apply(e *Entry) error {
	if err := e.check(); err != nil {
		return err
	}

	switch {
	case e.Header != nil:
		if old := b.Header; old != nil && old.ClientSince > 0 && old.Client != e.Header.Client {
			b.former = append(b.former, old)
		}
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
		if b.setEpoch(e.Epoch) {
			b.sendLost(e.Epoch)
		}
	}

	return nil
}

// enqueue adds a new operation. A known one stays as it is, so that operations
// may be imported twice.
func (b *Queue) enqueue(c *Capture) {
	if b.byKey[c.Key] != nil {
		return
	}
	b.Dependencies.add(b.Log.add(c))
	if old := b.byKey[c.Replaces]; old != nil && old.State.Open() {
		old.State, old.Since, old.Successor, old.By = Replaced, c.At, c.Key, api.OperatorText(c.Operator, c.ApprovedBy)
	}
}

// sendLost makes operations pending that the service had confirmed before it went back, as
// well as those that it rejected after it may have gone back, and those that were
// quarantined for what these lack.
func (b *Queue) sendLost(e *Epoch) {
	for _, op := range b.operations {
		op.staleAnswer = op.inFlight
		switch {
		case op.State == Done:
			op.State, op.Since, op.Confirmed, op.MaybeLost, op.replays, op.Missing = Pending, e.At, false, true, 0, nil
			op.resetDelay()
			b.firstOpen = 0
		case (op.State == Refused || op.State == Held && op.Refusal.isMissing()) && !e.AgreedAt.IsZero() && !op.Since.Before(e.AgreedAt):
			b.setState(op, &StateChange{Key: op.Key, State: Pending, At: e.At})
		}
	}
}

func (b *Queue) setState(op *Operation, m *StateChange) {
	was := op.State
	if !was.Open() {
		b.firstOpen = 0
	}

	op.State, op.Since, op.Refusal = m.State, m.At, m.Refusal
	op.Reason, op.By, op.MaybeLost, op.changeExtra = m.Reason, m.By, m.MaybeLost, m.Unknown
	op.maybeSent, op.neverArrived = false, false // the change answers all attempts
	op.FailedAt, op.NotRecordedAt, op.lookedUp, op.Missing = time.Time{}, time.Time{}, false, nil
	if m.Proof != "" {
		op.ApprovedBy, op.Proof = m.ApprovedBy, m.Proof
	}
	if m.Successor != "" {
		op.Successor = m.Successor
	}
	if m.RemoteID != "" {
		op.LocalID, op.RemoteID = m.LocalID, m.RemoteID
		b.remoteNamed = append(b.remoteNamed, op)
	}

	switch {
	case op.NeedsDecision():
		b.forgetLotsOf(op)
	case m.State == Done:
		b.keepLotsUsed(op)
	case m.State == Pending && !m.MaybeLost:
		op.setRetried(was, m.At)
	}
}

// missingCodes are the errors of a service that lacks what an operation needs.
var missingCodes = []api.Code{api.NotFound, api.NothingPending}

func (r *Refusal) isMissing() bool { return r != nil && slices.Contains(missingCodes, r.Code) }

// MayRecover reports whether an operation that is rejected for a reason may be accepted when
// another node has sent its work again. What the operation needs existed: the local ledger
// accepted it when it was done, or the service did. It does not recover if earlier work on its
// document failed here, or what it depends on was discarded.
func (b *Queue) MayRecover(now time.Time, op *Operation, why *Refusal) bool {
	return b.Recovering(now) && why.isMissing() && (op.MaybeLost || !op.RiskAccepted) && !b.failedBefore(op)
}

// Counts are the numbers of operations by state, for the header.
type Counts struct {
	// Waiting are pending; Sent of them may have been done without an answer.
	Waiting, Sent int
	Refused, Held int
	// Stuck of the pending ones get no answer although other requests do.
	Stuck int
	// Oldest is when the oldest of these was done, or zero if there is none.
	Oldest time.Time
}

// stuckAfter is the number of attempts in a row after which an operation counts
// as stuck: some minutes.
const stuckAfter = 9

// Counts counts the unresolved operations.
func (b *Queue) Counts() Counts { return b.CountsOf("") }

// CountsOf counts the unresolved operations of a device, or all if empty.
func (b *Queue) CountsOf(device string) (c Counts) {
	for _, op := range b.open() {
		if !op.State.Open() || device != "" && op.Device != device {
			continue
		}

		switch op.State {
		case Refused:
			c.Refused++
		case Held:
			c.Held++
		default:
			c.Waiting++
			if op.MaybeDone() {
				c.Sent++
			}
			if op.tries >= stuckAfter && op.Missing == nil && !b.down {
				c.Stuck++
			}
		}

		if c.Oldest.IsZero() || op.At.Before(c.Oldest) {
			c.Oldest = op.At
		}
	}

	return c
}
