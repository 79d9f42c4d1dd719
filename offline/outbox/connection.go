package outbox

import (
	"time"
)

// Link returns the state of the connection.
func (b *Queue) Link(now time.Time) Link {
	l := Link{Up: b.link.tries == 0 && !b.link.lastAnswer.IsZero(), LastAnswer: b.link.lastAnswer, Next: b.link.pausedUntil(now),
		QuotaExceeded: b.link.quotaExceeded, Denied: b.link.denial,
		UpSince: b.link.upSince, QuotaSince: b.link.quotaSince, DeniedSince: b.link.deniedSince}
	if l.QuotaExceeded {
		l.QuotaUntil = b.link.quotaUntil
	}
	return l
}

// MarkUp records that the service answered, whatever the request.
func (b *Queue) MarkUp(now time.Time) {
	if b.link.tries > 0 {
		b.link.tries, b.link.notBefore = 0, time.Time{}
	}
	b.link.lastAnswer = now
	if b.link.upSince.IsZero() {
		b.link.upSince = now
	}
}

// ReadDone takes the result of a request other than an operation.
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

// Resume ends all pauses: because a person asked, the key was replaced, or the
// network is back.
func (b *Queue) Resume() {
	b.link = link{lastAnswer: b.link.lastAnswer, upSince: b.link.upSince}
	for _, op := range b.operations[b.firstOpen:] {
		op.notBefore = time.Time{}
	}
}
