package outbox

import (
	"cmp"
	"slices"
	"time"
)

// A Sender chooses the operations to send, the oldest first, and knows those that wait for
// an answer.
type Sender struct {
	log      *Log
	conn     *Connection
	lookups  *Lookups
	sweep    sweep
	inFlight []*Operation
	window   sendWindow
}

// A Plan is what to do now. Sending must be in the journal, and applied,
// before anything in Send is sent.
type Plan struct {
	Sending *Entry
	Send    []*Operation
	// WakeAt is when to plan again, or zero if no operation waits for a time.
	WakeAt time.Time
}

// Plan chooses the operations to send, the oldest first, up to the window.
// They are in flight until Complete or Unplan.
func (s *Sender) Plan(now time.Time) (p Plan) {
	if s.conn.NeedsProbe() {
		return p
	}

	p.WakeAt = s.conn.pausedUntil(now)
	if !p.WakeAt.IsZero() {
		return p
	}

	var fresh []string
	for op, blocked := range s.pending {
		if len(s.inFlight) >= s.windowSize() {
			break
		}

		switch {
		case blocked != "" || op.inFlight || s.lookups.keyExpired(op, now):
			continue
		case s.conn.quotaPaused(op, now):
			p.wakeBy(s.conn.link.QuotaUntil)
			continue
		case pauseActive(now, op.notBefore, maxQuotaPause):
			p.wakeBy(op.notBefore)
			continue
		}

		op.inFlight, op.attemptedAt = true, now
		op.NotRecordedAt, op.lookedUp = time.Time{}, false
		s.inFlight = append(s.inFlight, op)
		if !op.maybeSent {
			op.neverArrived = true
			fresh = append(fresh, op.Key)
		}

		p.Send = append(p.Send, op)
	}

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
func (s *Sender) Unplan(list []*Operation) {
	for _, op := range list {
		s.clearInFlight(op)
	}
}

func (s *Sender) clearInFlight(op *Operation) {
	if op.inFlight {
		op.inFlight = false
		s.inFlight = slices.DeleteFunc(s.inFlight, func(x *Operation) bool { return x == op })
	}
}

// InFlight returns the number of operations in flight.
func (s *Sender) InFlight() int { return len(s.inFlight) }

// windowSize returns how many operations may be in flight.
func (s *Sender) windowSize() int { return cmp.Or(s.conn.opts.Parallel, max(minWindow, s.window.size)) }

// pending yields each pending operation in order, with the reason why it is blocked.
func (s *Sender) pending(yield func(op *Operation, blocked BlockReason) bool) {
	w := &s.sweep
	w.reset(s.inFlight)
	for _, op := range s.log.open() {
		if op.State == Pending || op.inFlight {
			if !yield(op, w.next(op)) || w.skipped > maxLookahead {
				return
			}
		} else if op.State.Open() {
			w.missing.add(op.footprint.Makes)
		}
	}
}

// Blocked returns the reasons of all pending operations that wait for another
// one.
func (s *Sender) Blocked() map[string]BlockReason {
	list := map[string]BlockReason{}
	for op, blocked := range s.pending {
		if blocked == "" && op.Missing != nil {
			blocked = BlockedByOtherNode
		}
		if blocked != "" {
			list[op.Key] = blocked
		}
	}

	return list
}

// The number of operations in flight grows with the time that answers take, up
// to what is needed for a fixed rate of answers. It starts small, and is small
// again when the service throttles or does not answer.
const (
	// minWindow is large enough that the local disk is not the bottleneck.
	minWindow = 8
	maxWindow = 100
	// answersPerSlot is the rate of answers per second that determines the
	// window.
	answersPerSlot = 340
)

// A sendWindow determines how many operations may be in flight.
type sendWindow struct {
	roundTrip time.Duration // the shortest recently
	size      int
}

// answered records how long an answer took.
func (w *sendWindow) answered(d time.Duration) {
	switch {
	case d <= 0:
		return // the clock was set
	case w.roundTrip == 0 || d < w.roundTrip:
		w.roundTrip = d
	default:
		w.roundTrip += (min(d, 2*w.roundTrip) - w.roundTrip) / 32
	}

	if target := min(maxWindow, int(w.roundTrip*answersPerSlot/time.Second)); w.size < target {
		w.size = max(w.size, minWindow) + 1
	} else {
		w.size = target
	}
}

// shrink resets the window after the service throttled or did not answer.
func (w *sendWindow) shrink() { *w = sendWindow{} }
