package fair

import "time"

// Taking turns is not enough for requests with large bodies or answers: the memory and the
// network that they need are shared by all, and a request that never waits in the queue
// competes for the processor with the sending of their bytes. So while others are active,
// an organization that has moved many bytes starts its next request when it would have
// moved them at the queue's rate.
const (
	// burst is how far an organization may be ahead of the rate.
	burst = 20 * time.Millisecond
	// maxPause limits the pause after a very large request.
	maxPause = 500 * time.Millisecond
)

// Throttle limits the bytes that an organization moves per second while others are active.
func (q *Queue) Throttle(bytesPerSecond int64) *Queue {
	q.rate = bytesPerSecond
	return q
}

// throttle makes an organization pause if it is ahead of the rate.
func (q *Queue) throttle(o *organization, bytes int64) {
	if q.rate == 0 || q.activity.alone(o.presence) {
		return
	}

	now := time.Now()
	if earliest := now.Add(-burst); o.resume.Before(earliest) {
		o.resume = earliest
	}

	o.resume = o.resume.Add(min(time.Duration(bytes*int64(time.Second)/q.rate), maxPause))
	if pause := o.resume.Sub(now); pause > 0 && !o.paused {
		o.paused = true
		time.AfterFunc(pause, func() { q.resume(o) })
	}
}

// resume ends a pause, unless it was extended.
func (q *Queue) resume(o *organization) {
	q.activity.mu.Lock()
	defer q.activity.mu.Unlock()
	if pause := time.Until(o.resume); pause > 0 {
		time.AfterFunc(pause, func() { q.resume(o) })
		return
	}

	o.paused = false
	if o.waiting > 0 {
		q.place(o)
	}

	q.startNext()
}
