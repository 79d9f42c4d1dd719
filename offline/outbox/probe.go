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

// NextProbe returns whether to send a probe now, a cheap request that checks the connection,
// with its timeout, and else when to ask again; zero means after a change.
func (c *Connection) NextProbe(now time.Time) (timeout time.Duration, at time.Time) {
	last, heartbeat := c.link.LastAnswer, c.opts.Heartbeat
	switch {
	case c.probing:
		return 0, time.Time{}
	case c.NeedsProbe():
		at = c.nextProbe
	case last.IsZero():
		return 0, time.Time{}
	case c.history.HistoryUnknown(): // work waits for it
		at = last.Add(probeInterval)
	case heartbeat == 0:
		return 0, time.Time{}
	default:
		at = last.Add(heartbeat)
	}

	if pauseActive(now, at, max(heartbeat, maxFrugalInterval)) {
		return 0, at
	}

	c.probing, c.probedAt = true, now
	if c.probeFailures%4 == 3 {
		return slowProbeTimeout, time.Time{}
	}

	return probeTimeout, time.Time{}
}

// ProbeDone takes the result of a probe. frugal means that probes that arrive cost quota.
// It reports whether the connection came up again.
func (c *Connection) ProbeDone(now time.Time, err error, notSent, frugal bool) (recovered bool) {
	c.probing, recovered = false, c.down
	v := Classify(err, notSent)
	switch {
	case !v.Failed():
		c.readAnswered(now, v, err)
		return recovered
	case c.answeredSince(c.probedAt):
		c.inDoubt = false
		return false
	}

	c.probeFailures++
	interval := probeInterval
	if frugal && v != NotSent {
		interval = min(probeInterval<<min(c.probeFailures-1, 8), maxFrugalInterval/2)
	}

	c.nextProbe = c.probedAt.Add(interval + c.spread(interval))
	if c.nextProbe.Before(now) {
		c.nextProbe = now
	}

	c.markDown(now, api.ForeignAnswerOf(err))

	return false
}

// ProbeNow makes the next probe of a connection that is down or in doubt due.
func (c *Connection) ProbeNow() { c.nextProbe = time.Time{} }

// ProbeCanceled ends a probe without a result. The next one is due.
func (c *Connection) ProbeCanceled() {
	c.probing = false
	c.ProbeNow()
}

// ReadDone takes the result of a request other than an operation, which was
// sent at a time.
func (c *Connection) ReadDone(now, sentAt time.Time, err error, notSent bool) {
	if v := Classify(err, notSent); v.Failed() {
		c.requestFailed(now, sentAt, v)
	} else {
		c.readAnswered(now, v, err)
	}
}

// readAnswered takes the service's answer to a request other than an operation.
func (c *Connection) readAnswered(now time.Time, v Verdict, err error) {
	c.MarkUp(now)
	switch {
	case v == Denied:
		c.deny(now, RefusalOf(err))
		c.readsDenied = true
	case v == Accepted && c.readsDenied:
		c.clearDenial()
	}
}

// requestFailed takes a request that got no answer. It says nothing about the
// connection if another one was answered since it was sent.
func (c *Connection) requestFailed(now, sentAt time.Time, v Verdict) {
	switch {
	case c.NeedsProbe() || c.answeredSince(sentAt):
	case v == NotSent:
		c.markDown(now, nil)
		c.nextProbe = now.Add(probeInterval/2 + c.spread(probeInterval))
	default:
		c.inDoubt, c.nextProbe = true, now
		c.history.doubts++
	}
}

// spread returns a part of d, so that nodes do not probe at once.
func (c *Connection) spread(d time.Duration) time.Duration {
	return time.Duration(c.opts.Random() * float64(d)).Truncate(time.Millisecond)
}
