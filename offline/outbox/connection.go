package outbox

import "time"

// Link returns the state of the connection.
func (b *Queue) Link(now time.Time) Link {
	l := Link{Up: !b.link.down && !b.link.lastAnswer.IsZero(), LastAnswer: b.link.lastAnswer, Next: b.link.pausedUntil(now),
		QuotaExceeded: b.link.quotaExceeded, Denied: b.link.denial, Foreign: b.link.foreign,
		UpSince: b.link.upSince, QuotaSince: b.link.quotaSince, DeniedSince: b.link.deniedSince, ForeignSince: b.link.foreignSince}
	if b.link.down {
		l.Next = b.link.probe.next
	}
	if l.QuotaExceeded {
		l.QuotaUntil = b.link.quotaUntil
	}
	return l
}

// NeedsProbe reports whether the connection is down or in doubt, so that
// nothing else is sent before a probe was answered.
func (b *Queue) NeedsProbe() bool { return b.link.needsProbe() }

// MarkUp records that the service answered, whatever the request.
func (b *Queue) MarkUp(now time.Time) {
	l := &b.link
	if l.down { // it was not the operations' fault
		for _, op := range b.operations[b.firstOpen:] {
			if op.tries > 0 {
				op.resetDelay()
			}
		}
	}
	l.down, l.inDoubt, l.foreign, l.foreignSince = false, false, nil, time.Time{}
	l.probe = probe{inFlight: l.probe.inFlight, started: l.probe.started}
	l.lastAnswer = now
	if l.upSince.IsZero() {
		l.upSince = now
	}
}

func (op *Operation) resetDelay() {
	op.tries, op.notBefore, op.FailingSince = 0, time.Time{}, time.Time{}
}

// ReadDone takes the result of a request other than an operation, which was
// sent at a time.
func (b *Queue) ReadDone(now, sentAt time.Time, err error, notSent bool) {
	switch v := Classify(err, notSent); v {
	case Accepted:
		b.MarkUp(now)
		if b.link.readsDenied {
			b.link.clearDenial()
		}
	case NotSent, Unanswered, Foreign:
		b.requestFailed(now, sentAt, v)
	case Denied:
		b.MarkUp(now)
		b.denyReads(now, err)
	}
}

func (b *Queue) denyReads(now time.Time, err error) {
	b.link.deny(now, RefusalOf(err))
	b.link.readsDenied = true
}

// Resume ends all pauses: because a person asked, the key was replaced, or the
// network is back. A connection that is down is probed at once.
func (b *Queue) Resume() {
	l := &b.link
	l.notBefore, l.probe.next = time.Time{}, time.Time{}
	l.clearQuota()
	for _, op := range b.operations[b.firstOpen:] {
		op.notBefore = time.Time{}
	}
}
