package outbox

import (
	"math/rand/v2"
	"time"
)

const (
	least = time.Second
	// mostAlone bounds the pause of one operation while others get through.
	mostAlone = 30 * time.Second
	// most bounds the pause of a line that is down.
	most = 5 * time.Minute
	// mostSpent bounds the pause of a quota that is used up.
	mostSpent = time.Hour
	// recheck is how often a pause that nobody put an end to is tried.
	recheck = 5 * time.Minute
)

// A line is what is known of the way to the service.
type line struct {
	tries  int
	next   time.Time // nothing is tried before
	heard  time.Time // the last answer
	quota  time.Time // nothing billable is tried before
	spent  bool
	bars   *Refusal
	barAt  time.Time
	barred bool // a question was not let in, and not an operation alone
	// since when it is answered, exhausted, and barred
	risen, dry, shut time.Time
}

// A Line is the state of the way to the service, for people.
type Line struct {
	// Up tells that the last attempt was answered.
	Up bool
	// Heard is when the service last answered; zero before it did.
	Heard time.Time
	// Next is when the next attempt is made; zero where nothing stands in its way.
	Next time.Time
	// Exhausted tells that a quota is used up: nothing billable goes before Quota.
	Exhausted bool
	Quota     time.Time
	// Barred is why the key is not taken, or nil.
	Barred *Refusal
	// Risen is since when it is answered, Dry since when a quota is used up, Shut
	// since when the key is not taken; zero where that is not so.
	Risen, Dry, Shut time.Time
}

// Line tells how the way to the service is.
func (b *Box) Line(now time.Time) Line {
	l := Line{Up: b.line.tries == 0 && !b.line.heard.IsZero(), Heard: b.line.heard, Next: b.line.until(now),
		Exhausted: b.line.spent, Barred: b.line.bars,
		Risen: b.line.risen, Dry: b.line.dry, Shut: b.line.shut}
	if l.Exhausted {
		l.Quota = b.line.quota
	}
	return l
}

// Heard says that the service answered, whatever it was asked.
func (b *Box) Heard(now time.Time) {
	if b.line.tries > 0 {
		b.line.tries, b.line.next = 0, time.Time{}
	}
	b.line.heard = now
	if b.line.risen.IsZero() {
		b.line.risen = now
	}
}

// Asked takes what became of a question: of what was asked beside the operations.
func (b *Box) Asked(now time.Time, err error, notSent bool) {
	switch v := Judge(err, notSent); v {
	case Accepted:
		b.Heard(now)
		if b.line.barred {
			b.line.admitted()
		}
	case Unreached:
		b.line.lost(now, b.opts.Random())
	case Barred:
		b.line.bar(now, RefusalOf(err))
		b.line.barred = true
	}
}

// Try ends all pauses: a person wishes it, the key was replaced, or the network
// came back.
func (b *Box) Try() {
	b.line = line{heard: b.line.heard, risen: b.line.risen}
	for _, it := range b.items[b.open:] {
		it.next = time.Time{}
	}
}

func (l *line) lost(now time.Time, random float64) {
	l.tries++
	l.risen = time.Time{}
	l.next = now.Add(backoff(l.tries, most, random))
}

func (l *line) wait(now time.Time, d time.Duration) { l.next = now.Add(min(d, most)) }

func (l *line) exhausted(now time.Time, d time.Duration) {
	if d <= 0 {
		d = recheck
	}
	if !l.spent {
		l.dry = now
	}
	l.spent, l.quota = true, now.Add(min(d, mostSpent))
}

func (l *line) freed() {
	l.spent, l.quota, l.dry = false, time.Time{}, time.Time{}
	l.admitted()
}

func (l *line) admitted() {
	l.bars, l.barred, l.barAt, l.shut = nil, false, time.Time{}, time.Time{}
}

func (l *line) bar(now time.Time, why *Refusal) {
	if l.bars == nil {
		l.shut = now
	}
	l.bars, l.barAt = why, now.Add(recheck)
}

// until is before when nothing at all is tried; zero where it may be now.
func (l *line) until(now time.Time) time.Time {
	var at time.Time
	if ahead(now, l.next, most) {
		at = l.next
	}
	if l.bars != nil && ahead(now, l.barAt, recheck) && l.barAt.After(at) {
		at = l.barAt
	}
	return at
}

// ahead tells whether an instant is yet to come. One that is further off than
// any pause is of a clock that was set back since: nobody waits for it.
func ahead(now, at time.Time, most time.Duration) bool {
	return at.After(now) && !at.After(now.Add(most))
}

// Ahead tells whether the pause of a line lasts until an instant.
func Ahead(now, at time.Time) bool { return ahead(now, at, most) }

// paused tells whether an operation must wait for the quota.
func (l *line) paused(it *Item, now time.Time) bool {
	return l.spent && ahead(now, l.quota, mostSpent) && Billable(it.Operation)
}

// Backoff is the pause of a line after so many attempts that failed.
func Backoff(tries int, random func() float64) time.Duration {
	if random == nil {
		random = rand.Float64
	}
	return backoff(tries, most, random())
}

// backoff is the pause after so many attempts: doubled each time, and spread
// over its upper half so that many do not come at once.
func backoff(tries int, most time.Duration, random float64) time.Duration {
	d := least << min(tries-1, 16)
	d = min(d, most)
	return (d/2 + time.Duration(random*float64(d/2))).Truncate(time.Millisecond)
}
