// Package fair shares what the service can do at once between organizations,
// and within an organization between its keys.
package fair

import (
	"container/heap"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

// ErrFull is returned when too many requests of an organization wait.
var ErrFull = errors.New("fair: too many requests of the organization wait")

// A Queue lets requests start up to a capacity. When more want to start, the
// organization that has used the least is next, and within it the keys take
// turns. An organization that is alone may use the whole capacity; while others
// are active, it may hold only a part, so that theirs can start at once.
//
// What an organization has used is the sum of the costs that Leave is given.
// An organization that comes back starts level with the one served last, so it
// neither saves up nor owes anything from before.
type Queue struct {
	capacity int64
	most     int64 // that one organization may hold while others are active
	always   bool  // not only while others are active
	rate     int64 // the most bytes a second of one organization while others are active; 0 has no limit
	waiting  int   // the most waiting requests of one organization

	activity *Activity // whose mutex guards the rest
	used     int64
	level    int64 // what the organization that started last had used
	length   int
	orgs     map[uuid.UUID]*organization
	next     leastUsed
}

// Always keeps organizations to their part even when they are alone, for what a
// client may hold for long.
func (q *Queue) Always() *Queue {
	q.always = true
	return q
}

// NewQueue returns a queue for a capacity in units of the caller's choice. While
// several organizations are active, one may hold only most of it. waiting limits
// the waiting requests of an organization.
func NewQueue(activity *Activity, capacity, most int64, waiting int) *Queue {
	capacity = max(1, capacity)
	return &Queue{
		activity: activity,
		capacity: capacity,
		most:     min(max(1, most), capacity),
		waiting:  waiting,
		orgs:     map[uuid.UUID]*organization{},
	}
}

// A Turn is a request that has started. Leave ends it.
type Turn struct {
	q       *Queue
	org     *organization
	units   int64
	charged int64
	// Waited is how long the request waited for its turn.
	Waited time.Duration
}

// A ticket is a request that waits.
type ticket struct {
	key     uuid.UUID
	units   int64
	charged int64
	started chan struct{} // closed when the request may start
}

// Enter waits until a request of an organization and key may start. units is
// the part of the capacity that it holds, at most what one organization may
// hold. Enter returns ErrFull if too many requests of the organization wait, or the error of ctx.
func (q *Queue) Enter(ctx context.Context, org, key uuid.UUID, units int64) (*Turn, error) {
	units = min(max(1, units), q.most)
	q.activity.mu.Lock()
	o := q.organization(org)
	if q.length == 0 && q.used+units <= q.capacity && q.mayHold(o, units) {
		t := &Turn{q: q, org: o, units: units, charged: q.start(o, units)}
		q.activity.mu.Unlock()
		return t, nil
	}

	if o.waiting >= q.waiting {
		q.activity.mu.Unlock()
		return nil, ErrFull
	}

	w := &ticket{key: key, units: units, started: make(chan struct{})}
	q.add(o, w)
	q.startNext()
	q.activity.mu.Unlock()

	from := time.Now()
	select {
	case <-w.started:
	case <-ctx.Done():
		q.activity.mu.Lock()
		defer q.activity.mu.Unlock()
		if q.remove(o, w) {
			q.startNext() // a smaller request may fit now
			return nil, ctx.Err()
		}
	}

	return &Turn{q: q, org: o, units: units, charged: w.charged, Waited: time.Since(from)}, nil
}

// Leave ends the turn, which used cost, and whose body or answer has the given bytes. It
// may be called once.
func (t *Turn) Leave(cost, bytes int64) {
	q, o := t.q, t.org
	q.activity.mu.Lock()
	defer q.activity.mu.Unlock()
	q.used -= t.units
	o.held -= t.units
	o.used += cost - t.charged
	o.expected += (cost - o.expected) / 8
	q.throttle(o, bytes)
	if o.waiting > 0 {
		q.place(o)
	}

	q.activity.add(o.presence, -1)
	q.startNext()
}

// Length returns the number of waiting requests.
func (q *Queue) Length() int {
	q.activity.mu.Lock()
	defer q.activity.mu.Unlock()
	return q.length
}

// organization returns what is known of an organization, level with the others if it is
// idle.
func (q *Queue) organization(id uuid.UUID) *organization {
	o := q.orgs[id]
	if o == nil {
		if len(q.orgs) >= maxIdle {
			for id, o := range q.orgs {
				if o.idle() && !o.paused {
					delete(q.orgs, id)
				}
			}
		}

		o = &organization{index: notPlaced, keys: map[uuid.UUID]*line{}}
		q.orgs[id] = o
	}

	if o.idle() {
		o.presence = q.activity.of(id)
		o.used = max(o.used, q.level)
	}

	return o
}

// start starts a request. It charges the expected cost at once, because what
// runs should count before it ends, and returns it.
func (q *Queue) start(o *organization, units int64) (charged int64) {
	q.used += units
	q.level = max(q.level, o.used)
	q.activity.add(o.presence, +1) // until it leaves
	o.started = q.activity.start(o.presence)
	o.held += units
	o.used += o.expected
	return o.expected
}

// mayHold reports whether an organization may hold more units.
func (q *Queue) mayHold(o *organization, units int64) bool {
	alone := q.activity.alone(o.presence)
	return (o.held+units <= q.most || alone && !q.always) && (!o.paused || alone)
}

// startNext starts the waiting requests that fit, in order. None overtakes one
// that does not fit, which would then never start. An organization that holds
// all that it may, or that pauses, is passed over until it ends a turn or its pause.
func (q *Queue) startNext() {
	for len(q.next) > 0 {
		o := q.next[0]
		w := o.first()
		if !q.mayHold(o, w.units) {
			heap.Pop(&q.next)
			continue
		}
		if q.used+w.units > q.capacity {
			return
		}

		o.removeFirst()
		q.length--
		w.charged = q.start(o, w.units)
		q.activity.add(o.presence, -1) // as a waiting one
		q.place(o)
		close(w.started)
	}
}

// place puts an organization where it belongs in next.
func (q *Queue) place(o *organization) {
	switch {
	case o.index == notPlaced && o.waiting > 0:
		heap.Push(&q.next, o)
	case o.index != notPlaced && o.waiting == 0:
		heap.Remove(&q.next, o.index)
	case o.index != notPlaced:
		heap.Fix(&q.next, o.index)
	}
}

func (q *Queue) add(o *organization, w *ticket) {
	q.length++
	q.activity.add(o.presence, +1)
	o.add(w)
	q.place(o)
}

// remove removes a request that gave up. It reports false if the request has
// started.
func (q *Queue) remove(o *organization, w *ticket) bool {
	select {
	case <-w.started:
		return false
	default:
	}

	q.length--
	o.remove(w)
	q.place(o)
	q.activity.add(o.presence, -1)

	return true
}
