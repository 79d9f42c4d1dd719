package outbox

import (
	"math/rand/v2"
	"time"

	"bincard/server/api"
)

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

// A link is the state of the connection to the service. A request that fails
// leaves the connection in doubt, and a probe decides whether it is down: the
// failure may be that request's own.
type link struct {
	inDoubt    bool
	down       bool
	probe      probe
	notBefore  time.Time // no operation before: the service is busy
	lastAnswer time.Time
	// doubts is how often the connection broke or a request failed, counting the start, and
	// knownAt what it was when the service's history was last found to be the known one.
	doubts, knownAt int

	foreign       *api.ForeignAnswer // what answers instead of the service
	quotaUntil    time.Time          // no billable request before
	quotaExceeded bool
	denial        *Refusal
	deniedUntil   time.Time
	readsDenied   bool // a read was denied, not only an operation
	// The start of the current state; zero if not in that state.
	upSince, quotaSince, deniedSince, foreignSince time.Time
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

// needsProbe reports whether nothing may be sent before a probe has succeeded.
func (l *link) needsProbe() bool { return l.down || l.inDoubt }

func (l *link) markDown(now time.Time, foreign *api.ForeignAnswer) {
	l.down, l.inDoubt, l.upSince = true, false, time.Time{}
	l.doubts++
	if foreign != nil && foreign.IsGateway() {
		foreign = nil // the service is away, as without the gateway
	}
	switch {
	case foreign == nil:
		l.foreignSince = time.Time{}
	case l.foreign == nil:
		l.foreignSince = now
	}
	l.foreign = foreign
}

func (l *link) pause(now time.Time, d time.Duration) { l.notBefore = now.Add(min(d, maxThrottle)) }

func (l *link) exceedQuota(now time.Time, d time.Duration) {
	if d <= 0 {
		d = recheckInterval
	}
	if !l.quotaExceeded {
		l.quotaSince = now
	}
	l.quotaExceeded, l.quotaUntil = true, now.Add(min(d, maxQuotaPause))
}

func (l *link) clearQuota() {
	l.quotaExceeded, l.quotaUntil, l.quotaSince = false, time.Time{}, time.Time{}
	l.clearDenial()
}

func (l *link) clearDenial() {
	l.denial, l.readsDenied, l.deniedUntil, l.deniedSince = nil, false, time.Time{}, time.Time{}
}

func (l *link) deny(now time.Time, refusal *Refusal) {
	if l.denial == nil {
		l.deniedSince = now
	}
	l.denial, l.deniedUntil = refusal, now.Add(recheckInterval)
}

// pausedUntil returns the time before which nothing is sent; zero if it may be
// now.
func (l *link) pausedUntil(now time.Time) time.Time {
	var at time.Time
	if pauseActive(now, l.notBefore, maxThrottle) {
		at = l.notBefore
	}
	if l.denial != nil && pauseActive(now, l.deniedUntil, recheckInterval) && l.deniedUntil.After(at) {
		at = l.deniedUntil
	}
	return at
}

// pauseActive reports whether a pause has not ended. A pause longer than the
// maximum means that the clock was set back, and is over.
func pauseActive(now, at time.Time, limit time.Duration) bool {
	return at.After(now) && !at.After(now.Add(limit))
}

// PauseActive reports whether a pause of reading has not ended.
func PauseActive(now, at time.Time) bool { return pauseActive(now, at, maxThrottle) }

// quotaPaused reports whether an operation must wait for the quota.
func (l *link) quotaPaused(op *Operation, now time.Time) bool {
	return l.quotaExceeded && pauseActive(now, l.quotaUntil, maxQuotaPause) && Billable(op.SpecID)
}

// Backoff returns the pause of reading after a number of failed attempts.
func Backoff(tries int, random func() float64) time.Duration {
	if random == nil {
		random = rand.Float64
	}
	return backoff(tries, maxOperationBackoff, random())
}

// backoff returns the pause after a number of failed attempts: doubled each
// time, and spread over its upper half so that clients do not retry at once.
func backoff(tries int, limit time.Duration, random float64) time.Duration {
	d := minBackoff << min(tries-1, 16)
	d = min(d, limit)
	return (d/2 + time.Duration(random*float64(d/2))).Truncate(time.Millisecond)
}
