package outbox

import (
	"time"

	"bincard/server/api"
)

// A Connection is the state of the connection to the service. A request that fails
// leaves the connection in doubt, and a probe decides whether it is down: the
// failure may be that request's own.
type Connection struct {
	log     *Log
	history *History
	opts    *Options

	link        Link
	inDoubt     bool
	down        bool
	notBefore   time.Time // no operation before: the service is busy
	deniedUntil time.Time
	readsDenied bool // a read was denied, not only an operation

	probing       bool      // a probe is in flight
	probedAt      time.Time // when it was sent
	nextProbe     time.Time // while the connection is down or in doubt
	probeFailures int       // in a row
}

// A Link is the state of the connection to the service, for display.
type Link struct {
	// Up means that the last attempt was answered.
	Up bool
	// LastAnswer is when the service last answered; zero if it never did.
	LastAnswer time.Time
	// Next is when the next attempt is made; zero if it may be made now.
	Next time.Time
	// Foreign is what answers instead of the service, or nil.
	Foreign *api.ForeignAnswer
	// QuotaExceeded means that the quota is used up: no billable operation is
	// sent before QuotaUntil.
	QuotaExceeded bool
	QuotaUntil    time.Time
	// Denied is why the key is denied, or nil.
	Denied *Refusal
	// UpSince, QuotaSince, DeniedSince and ForeignSince are when the
	// connection came up, the quota was exceeded, the key denied and something
	// else answered; zero if not so.
	UpSince, QuotaSince, DeniedSince, ForeignSince time.Time
}

// Link returns the state of the connection.
func (c *Connection) Link(now time.Time) Link {
	l := c.link
	l.Up, l.Next = !c.down && !l.LastAnswer.IsZero(), c.pausedUntil(now)
	if c.down {
		l.Next = c.nextProbe
	}
	return l
}

// NeedsProbe reports whether the connection is down or in doubt, so that
// nothing else is sent before a probe was answered.
func (c *Connection) NeedsProbe() bool { return c.down || c.inDoubt }

// MarkUp records that the service answered, whatever the request.
func (c *Connection) MarkUp(now time.Time) {
	if c.down { // it was not the operations' fault
		for _, op := range c.log.open() {
			if op.tries > 0 {
				op.resetDelay()
			}
		}
	}

	l := &c.link
	c.down, c.inDoubt, l.Foreign, l.ForeignSince, l.LastAnswer = false, false, nil, time.Time{}, now
	c.nextProbe, c.probeFailures = time.Time{}, 0
	if l.UpSince.IsZero() {
		l.UpSince = now
	}
}

func (c *Connection) markDown(now time.Time, foreign *api.ForeignAnswer) {
	l := &c.link
	c.down, c.inDoubt, l.UpSince = true, false, time.Time{}
	c.history.doubts++
	if foreign != nil && foreign.IsGateway() {
		foreign = nil // the service is away, as without the gateway
	}

	switch {
	case foreign == nil:
		l.ForeignSince = time.Time{}
	case l.Foreign == nil:
		l.ForeignSince = now
	}

	l.Foreign = foreign
}

func (c *Connection) answeredSince(at time.Time) bool { return c.link.LastAnswer.After(at) }

// Resume ends all pauses: because a person asked, the key was replaced, or the
// network is back. A connection that is down is probed at once.
func (c *Connection) Resume() {
	c.notBefore, c.nextProbe = time.Time{}, time.Time{}
	c.clearQuota()
	for _, op := range c.log.open() {
		op.notBefore = time.Time{}
	}
}

// Backoff returns the pause of reading after a number of failed attempts.
func (c *Connection) Backoff(tries int) time.Duration {
	return backoff(tries, maxOperationBackoff, c.opts.Random())
}

func (c *Connection) pause(now time.Time, d time.Duration) {
	c.notBefore = now.Add(min(d, maxThrottle))
}

func (c *Connection) exceedQuota(now time.Time, d time.Duration) {
	if d <= 0 {
		d = recheckInterval
	}
	if !c.link.QuotaExceeded {
		c.link.QuotaSince = now
	}
	c.link.QuotaExceeded, c.link.QuotaUntil = true, now.Add(min(d, maxQuotaPause))
}

func (c *Connection) clearQuota() {
	c.link.QuotaExceeded, c.link.QuotaUntil, c.link.QuotaSince = false, time.Time{}, time.Time{}
	c.clearDenial()
}

func (c *Connection) deny(now time.Time, why *Refusal) {
	if c.link.Denied == nil {
		c.link.DeniedSince = now
	}
	c.link.Denied, c.deniedUntil = why, now.Add(recheckInterval)
}

func (c *Connection) clearDenial() {
	c.link.Denied, c.link.DeniedSince, c.readsDenied = nil, time.Time{}, false
}

// pausedUntil returns the time before which nothing is sent; zero if it may be
// now.
func (c *Connection) pausedUntil(now time.Time) (at time.Time) {
	if pauseActive(now, c.notBefore, maxThrottle) {
		at = c.notBefore
	}
	if c.link.Denied != nil && pauseActive(now, c.deniedUntil, recheckInterval) && c.deniedUntil.After(at) {
		at = c.deniedUntil
	}
	return at
}

// quotaPaused reports whether an operation must wait for the quota.
func (c *Connection) quotaPaused(op *Operation, now time.Time) bool {
	return c.link.QuotaExceeded && pauseActive(now, c.link.QuotaUntil, maxQuotaPause) && Billable(op.SpecID)
}

const (
	minBackoff = time.Second
	// maxOperationBackoff limits the pause of one operation, and of reading,
	// while other requests succeed.
	maxOperationBackoff = 30 * time.Second
	// maxAloneBackoff limits the pause of an operation of which aloneAfter attempts in a
	// row failed although other requests succeed. Between two attempts there is time to
	// find out that the service did not record it.
	maxAloneBackoff = 4 * time.Minute
	aloneAfter      = 6
	// maxThrottle limits the pause that a busy service may ask for.
	maxThrottle = 5 * time.Minute
	// maxQuotaPause limits the pause after an exceeded quota.
	maxQuotaPause = time.Hour
	// recheckInterval is how often a denied key, or a quota without an end, is
	// tried again.
	recheckInterval = 5 * time.Minute
)

// pauseActive reports whether a pause has not ended. A pause longer than the
// maximum means that the clock was set back, and is over.
func pauseActive(now, at time.Time, limit time.Duration) bool {
	return at.After(now) && !at.After(now.Add(limit))
}

// PauseActive reports whether a pause of reading has not ended.
func PauseActive(now, at time.Time) bool { return pauseActive(now, at, maxThrottle) }

// backoff returns the pause after a number of failed attempts: doubled each
// time, and spread over its upper half so that clients do not retry at once.
func backoff(tries int, limit time.Duration, random float64) time.Duration {
	d := minBackoff << min(tries-1, 16)
	d = min(d, limit)
	return (d/2 + time.Duration(random*float64(d/2))).Truncate(time.Millisecond)
}
