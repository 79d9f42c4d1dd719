package outbox

import (
	"time"

	"bincard/server/api"
)

const (
	// While the connection is down, a probe starts every probeInterval to
	// twice that, so that the return of the service shows within five seconds.
	probeInterval = 2 * time.Second
	// maxFrugalInterval limits the pause between probes that cost quota.
	maxFrugalInterval = 30 * time.Second
	// probeTimeout is how long a probe waits for its answer. Every fourth one
	// waits longer, for a connection that works but is slow.
	probeTimeout     = 4 * time.Second
	slowProbeTimeout = 10 * time.Second
)

// A probe is a cheap request that checks the connection.
type probe struct {
	inFlight bool
	started  time.Time
	next     time.Time // while the connection is down or in doubt
	failures int       // in a row
}

// NextProbe returns whether to send a probe now, with its timeout, and else
// when to ask again; zero means after a change.
func (b *Queue) NextProbe(now time.Time) (timeout time.Duration, at time.Time) {
	p := &b.link.probe
	switch {
	case p.inFlight:
		return 0, time.Time{}
	case b.link.needsProbe():
		at = p.next
	case b.HistoryUnknown() && !b.link.lastAnswer.IsZero(): // work waits for it
		at = b.link.lastAnswer.Add(probeInterval)
	case b.opts.Heartbeat == 0 || b.link.lastAnswer.IsZero():
		return 0, time.Time{}
	default:
		at = b.link.lastAnswer.Add(b.opts.Heartbeat)
	}
	if pauseActive(now, at, max(b.opts.Heartbeat, maxFrugalInterval)) {
		return 0, at
	}
	p.inFlight, p.started = true, now
	if p.failures%4 == 3 {
		return slowProbeTimeout, time.Time{}
	}
	return probeTimeout, time.Time{}
}

// ProbeDone takes the result of a probe. frugal means that probes that arrive cost quota.
// It reports whether the connection came up again.
func (b *Queue) ProbeDone(now time.Time, err error, notSent, frugal bool) (recovered bool) {
	p, wasDown := &b.link.probe, b.link.down
	p.inFlight = false
	switch v := Classify(err, notSent); v {
	case NotSent, Unanswered, Foreign:
		if b.answeredSince(p.started) {
			b.link.inDoubt = false
			return false
		}
		p.failures++
		interval := probeInterval
		if frugal && v != NotSent {
			interval = min(probeInterval<<min(p.failures-1, 8), maxFrugalInterval/2)
		}
		interval += b.spread(interval)
		p.next = p.started.Add(interval)
		if p.next.Before(now) {
			p.next = now
		}
		b.link.markDown(now, api.ForeignAnswerOf(err))
		return false
	case Denied:
		b.MarkUp(now)
		b.denyReads(now, err)
	default:
		b.MarkUp(now)
		if v == Accepted && b.link.readsDenied {
			b.link.clearDenial()
		}
	}
	return wasDown
}

// ProbeNow makes the next probe of a connection that is down or in doubt due.
func (b *Queue) ProbeNow() { b.link.probe.next = time.Time{} }

// ProbeCanceled ends a probe without a result. The next one is due.
func (b *Queue) ProbeCanceled() {
	b.link.probe.inFlight = false
	b.ProbeNow()
}

// requestFailed takes a request that got no answer. It says nothing about the
// connection if another one was answered since it was sent.
func (b *Queue) requestFailed(now, sentAt time.Time, v Verdict) {
	l := &b.link
	switch {
	case l.needsProbe() || b.answeredSince(sentAt):
	case v == NotSent:
		l.markDown(now, nil)
		l.probe.next = now.Add(probeInterval/2 + b.spread(probeInterval))
	default:
		l.inDoubt, l.probe.next = true, now
		l.doubts++
	}
}

// spread returns a part of d, so that nodes do not probe at once.
func (b *Queue) spread(d time.Duration) time.Duration {
	return time.Duration(b.opts.Random() * float64(d)).Truncate(time.Millisecond)
}

func (b *Queue) answeredSince(at time.Time) bool { return b.link.lastAnswer.After(at) }
