package httpapi

import (
	"context"
	"slices"
	"sync"

	"bincard/server/api"
)

// A fairQueue runs a limited number of requests at once. The next one is of the organization
// with the fewest running, so that one organization's load slows mostly itself.
type fairQueue struct {
	// slots limits the running requests, perOrg those of one organization, and limit the
	// running and waiting ones.
	slots, perOrg, limit int

	mu      sync.Mutex
	running int
	total   int // running and waiting
	turn    uint64
	orgs    map[api.ID]*orgQueue // those with requests
}

// An orgQueue is the requests of one organization.
type orgQueue struct {
	id      api.ID
	running int
	turn    uint64 // when one started last
	waiting []chan error
}

func newFairQueue(slots, limit int) *fairQueue {
	slots = min(slots, limit)
	return &fairQueue{slots: slots, perOrg: slots - slots/4, limit: limit, orgs: map[api.ID]*orgQueue{}}
}

func (o *orgQueue) total() int { return o.running + len(o.waiting) }

// join waits for a slot. The caller must call leave when it has one. If too many wait it
// returns an error, to the newest request of the organization with the most.
func (q *fairQueue) join(ctx context.Context, org api.ID) (leave func(), err error) {
	q.mu.Lock()
	o := q.orgs[org]
	if o == nil {
		o = &orgQueue{id: org}
	}
	if q.total >= q.limit && !q.reject(o.total()) {
		q.mu.Unlock()
		return nil, q.crowded()
	}
	q.orgs[org] = o
	q.total++
	leave = sync.OnceFunc(func() { q.leave(o) })
	if q.running < q.slots && o.running < q.perOrg && len(o.waiting) == 0 {
		q.start(o)
		q.mu.Unlock()
		return leave, nil
	}
	turn := make(chan error, 1)
	o.waiting = append(o.waiting, turn)
	q.mu.Unlock()
	select {
	case err = <-turn:
	case <-ctx.Done():
		if err = q.abandon(o, turn); err == nil { // its turn came at the same time
			return leave, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return leave, nil
}

// reject ends the newest waiting request of the organization with the most requests, if
// those are more than one above n, and reports whether there was one.
func (q *fairQueue) reject(n int) bool {
	var most *orgQueue
	for _, o := range q.orgs {
		if len(o.waiting) > 0 && (most == nil || o.total() > most.total()) {
			most = o
		}
	}
	if most == nil || most.total() <= n+1 {
		return false
	}
	last := len(most.waiting) - 1
	most.waiting[last] <- q.crowded()
	most.waiting = most.waiting[:last]
	q.ended(most)
	return true
}

func (q *fairQueue) crowded() error {
	return unavailable(retryCrowded, nil, "Too many requests in progress (%d). Retry shortly.", q.limit)
}

// abandon removes a request that no longer waits. It returns nil if the request has a slot.
func (q *fairQueue) abandon(o *orgQueue, turn chan error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(o.waiting, turn)
	if i < 0 {
		return <-turn
	}
	o.waiting = slices.Delete(o.waiting, i, i+1)
	q.ended(o)
	return unavailable(retryBusy, nil, "The request timed out. Retry it with the same Idempotency-Key.")
}

func (q *fairQueue) start(o *orgQueue) {
	q.turn++
	o.turn = q.turn
	o.running++
	q.running++
}

// ended stops counting a request.
func (q *fairQueue) ended(o *orgQueue) {
	q.total--
	if o.total() == 0 {
		delete(q.orgs, o.id)
	}
}

// leave frees a slot and starts the next request.
func (q *fairQueue) leave(o *orgQueue) {
	q.mu.Lock()
	defer q.mu.Unlock()
	o.running--
	q.running--
	q.ended(o)
	for q.running < q.slots {
		next := q.next()
		if next == nil {
			return
		}
		turn := next.waiting[0]
		next.waiting = next.waiting[1:]
		q.start(next)
		turn <- nil
	}
}

// next returns the organization whose request starts next, or nil.
func (q *fairQueue) next() *orgQueue {
	var best *orgQueue
	for _, o := range q.orgs {
		if len(o.waiting) == 0 || o.running >= q.perOrg {
			continue
		}
		if best == nil || o.running < best.running || o.running == best.running && o.turn < best.turn {
			best = o
		}
	}
	return best
}

// A counter counts something of many owners, up to a limit in total and for each.
type counter[K comparable] struct {
	total, each int64

	mu  sync.Mutex
	sum int64
	of  map[K]int64
}

func newCounter[K comparable](total, each int64) *counter[K] {
	return &counter[K]{total: total, each: each, of: map[K]int64{}}
}

// A full counter has reached one of its limits.
type full int

const (
	hasRoom full = iota
	totalFull
	ownerFull
)

// add counts n more of the owner, unless that exceeds a limit. An owner with none may
// exceed its own.
func (c *counter[K]) add(owner K, n int64) full {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch of := c.of[owner]; {
	case of > 0 && of+n > c.each:
		return ownerFull
	case c.sum > 0 && c.sum+n > c.total:
		return totalFull
	}
	c.sum += n
	c.of[owner] += n
	return hasRoom
}

// remove counts n less.
func (c *counter[K]) remove(owner K, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sum -= n
	if c.of[owner] -= n; c.of[owner] <= 0 {
		delete(c.of, owner)
	}
}
