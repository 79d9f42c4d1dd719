package outbox

import (
	"math/rand/v2"
	"time"
)

const (
	minBackoff = time.Second
	// maxOperationBackoff bounds the pause of one operation while others get through.
	maxOperationBackoff = 30 * time.Second
	// maxLinkBackoff bounds the pause of a line that is down.
	maxLinkBackoff = 5 * time.Minute
	// maxQuotaPause bounds the pause of a quota that is used up.
	maxQuotaPause = time.Hour
	// recheckInterval is how often a pause that nobody put an end to is tried.
	recheckInterval = 5 * time.Minute
)

// A link is what is known of the way to the service.
type link struct {
	tries         int
	notBefore     time.Time // nothing is tried before
	lastAnswer    time.Time // the last answer
	quotaUntil    time.Time // nothing billable is tried before
	quotaExceeded bool
	denial        *Refusal
	deniedUntil   time.Time
	readsDenied   bool // a question was not let in, and not an operation alone
	// since when it is answered, exhausted, and barred
	upSince, quotaSince, deniedSince time.Time
}

// A Link is the state of the way to the service, for people.
type Link struct {
	// Up tells that the last attempt was answered.
	Up bool
	// LastAnswer is when the service last answered; zero before it did.
	LastAnswer time.Time
	// Next is when the next attempt is made; zero where nothing stands in its way.
	Next time.Time
	// QuotaExceeded tells that a quota is used up: nothing billable goes before Quota.
	QuotaExceeded bool
	QuotaUntil    time.Time
	// Denied is why the key is not taken, or nil.
	Denied *Refusal
	// UpSince is since when it is answered, Dry since when a quota is used up, Shut
	// since when the key is not taken; zero where that is not so.
	UpSince, QuotaSince, DeniedSince time.Time
}

// Link tells how the way to the service is.
func (b *Queue) Link(now time.Time) Link {
	l := Link{Up: b.link.tries == 0 && !b.link.lastAnswer.IsZero(), LastAnswer: b.link.lastAnswer, Next: b.link.pausedUntil(now),
		QuotaExceeded: b.link.quotaExceeded, Denied: b.link.denial,
		UpSince: b.link.upSince, QuotaSince: b.link.quotaSince, DeniedSince: b.link.deniedSince}
	if l.QuotaExceeded {
		l.QuotaUntil = b.link.quotaUntil
	}
	return l
}

// MarkUp says that the service answered, whatever it was asked.
func (b *Queue) MarkUp(now time.Time) {
	if b.link.tries > 0 {
		b.link.tries, b.link.notBefore = 0, time.Time{}
	}
	b.link.lastAnswer = now
	if b.link.upSince.IsZero() {
		b.link.upSince = now
	}
}

// ReadDone takes what became of a question: of what was asked beside the operations.
func (b *Queue) ReadDone(now time.Time, err error, notSent bool) {
	switch v := Classify(err, notSent); v {
	case Accepted:
		b.MarkUp(now)
		if b.link.readsDenied {
			b.link.clearDenial()
		}
	case NotSent:
		b.link.markDown(now, b.opts.Random())
	case Denied:
		b.link.deny(now, RefusalOf(err))
		b.link.readsDenied = true
	}
}

// Resume ends all pauses: a person wishes it, the key was replaced, or the network
// came back.
func (b *Queue) Resume() {
	b.link = link{lastAnswer: b.link.lastAnswer, upSince: b.link.upSince}
	for _, it := range b.operations[b.firstOpen:] {
		it.notBefore = time.Time{}
	}
}

func (l *link) markDown(now time.Time, random float64) {
	l.tries++
	l.upSince = time.Time{}
	l.notBefore = now.Add(backoff(l.tries, maxLinkBackoff, random))
}

func (l *link) pause(now time.Time, d time.Duration) { l.notBefore = now.Add(min(d, maxLinkBackoff)) }

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

func (l *link) deny(now time.Time, why *Refusal) {
	if l.denial == nil {
		l.deniedSince = now
	}
	l.denial, l.deniedUntil = why, now.Add(recheckInterval)
}

// pausedUntil is before when nothing at all is tried; zero where it may be now.
func (l *link) pausedUntil(now time.Time) time.Time {
	var at time.Time
	if pauseActive(now, l.notBefore, maxLinkBackoff) {
		at = l.notBefore
	}
	if l.denial != nil && pauseActive(now, l.deniedUntil, recheckInterval) && l.deniedUntil.After(at) {
		at = l.deniedUntil
	}
	return at
}

// pauseActive tells whether an instant is yet to come. One that is further off than
// any pause is of a clock that was set back since: nobody waits for it.
func pauseActive(now, at time.Time, most time.Duration) bool {
	return at.After(now) && !at.After(now.Add(most))
}

// PauseActive tells whether the pause of a line lasts until an instant.
func PauseActive(now, at time.Time) bool { return pauseActive(now, at, maxLinkBackoff) }

// quotaPaused tells whether an operation must wait for the quota.
func (l *link) quotaPaused(it *Operation, now time.Time) bool {
	return l.quotaExceeded && pauseActive(now, l.quotaUntil, maxQuotaPause) && Billable(it.SpecID)
}

// Backoff is the pause of a line after so many attempts that failed.
func Backoff(tries int, random func() float64) time.Duration {
	if random == nil {
		random = rand.Float64
	}
	return backoff(tries, maxLinkBackoff, random())
}

// backoff is the pause after so many attempts: doubled each time, and spread
// over its upper half so that many do not come at once.
func backoff(tries int, most time.Duration, random float64) time.Duration {
	d := minBackoff << min(tries-1, 16)
	d = min(d, most)
	return (d/2 + time.Duration(random*float64(d/2))).Truncate(time.Millisecond)
}
