// Package fair shares what the service can do at once between organizations,
// and within an organization between its keys.
package fair

import (
	"container/heap"
	"context"
	"errors"
	"sync"
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
	waiting  int   // the most waiting requests of one organization

	mu     sync.Mutex
	used   int64
	level  int64 // what the organization that started last had used
	starts uint64
	length int
	active int                         // organizations with requests here, or lately
	recent [recentStarts]*organization // of the last starts
	orgs   map[uuid.UUID]*organization
	next   leastUsed
}

// Always keeps organizations to their part even when they are alone, for what a
// client may hold for long.
func (q *Queue) Always() *Queue {
	q.always = true
	return q
}

// recentStarts is the number of starts for which an organization is active after
// its last one.
const recentStarts = 64

// NewQueue returns a queue for a capacity in units of the caller's choice. While
// several organizations are active, one may hold only most of it. waiting limits
// the waiting requests of an organization.
func NewQueue(capacity, most int64, waiting int) *Queue {
	capacity = max(1, capacity)
	return &Queue{capacity: capacity, most: min(max(1, most), capacity), waiting: waiting, orgs: map[uuid.UUID]*organization{}}
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
	q.mu.Lock()
	o := q.organization(org)
	if q.length == 0 && q.used+units <= q.capacity && q.mayHold(o, units) {
		t := &Turn{q: q, org: o, units: units, charged: q.start(o, units)}
		q.mu.Unlock()
		return t, nil
	}
	if o.waiting >= q.waiting {
		q.mu.Unlock()
		return nil, ErrFull
	}
	w := &ticket{key: key, units: units, started: make(chan struct{})}
	q.add(o, w)
	q.startNext()
	q.mu.Unlock()

	from := time.Now()
	select {
	case <-w.started:
	case <-ctx.Done():
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.remove(o, w) {
			q.startNext() // a smaller request may fit now
			return nil, ctx.Err()
		}
	}
	return &Turn{q: q, org: o, units: units, charged: w.charged, Waited: time.Since(from)}, nil
}

// Leave ends the turn, which used cost. It may be called once.
func (t *Turn) Leave(cost int64) {
	q, o := t.q, t.org
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used -= t.units
	o.held -= t.units
	o.used += cost - t.charged
	o.expected += (cost - o.expected) / 8
	if o.waiting > 0 {
		q.place(o)
	}
	q.count(o, -1)
	q.startNext()
}

// Length returns the number of waiting requests.
func (q *Queue) Length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.length
}

// maxIdle is the number of organizations above which idle ones are removed.
const maxIdle = 1024

// organization returns what is known of an organization, level with the others if it is
// idle.
func (q *Queue) organization(id uuid.UUID) *organization {
	o := q.orgs[id]
	if o == nil {
		if len(q.orgs) >= maxIdle {
			for id, o := range q.orgs {
				if o.present == 0 {
					delete(q.orgs, id)
				}
			}
		}
		o = &organization{index: notPlaced, keys: map[uuid.UUID]*line{}}
		q.orgs[id] = o
	}
	if o.idle() {
		o.used = max(o.used, q.level)
	}
	return o
}

// start starts a request. It charges the expected cost at once, because what
// runs should count before it ends, and returns it.
func (q *Queue) start(o *organization, units int64) (charged int64) {
	q.used += units
	q.level = max(q.level, o.used)
	last := &q.recent[q.starts%recentStarts]
	if *last != nil {
		q.count(*last, -1)
	}
	*last = o
	q.count(o, +2) // until it leaves, and until recentStarts later
	q.starts++
	o.held += units
	o.started = q.starts
	o.used += o.expected
	return o.expected
}

// count counts what keeps an organization active.
func (q *Queue) count(o *organization, n int) {
	if o.present == 0 {
		q.active++
	}
	if o.present += n; o.present == 0 {
		q.active--
	}
}

// mayHold reports whether an organization may hold more units.
func (q *Queue) mayHold(o *organization, units int64) bool {
	alone := q.active == 0 || q.active == 1 && o.present > 0
	return o.held+units <= q.most || alone && !q.always
}

// startNext starts the waiting requests that fit, in order. None overtakes one
// that does not fit, which would then never start. An organization that holds
// all that it may is passed over until it ends a turn.
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
		q.count(o, -1) // as a waiting one
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
	q.count(o, +1)
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
	q.count(o, -1)
	return true
}
