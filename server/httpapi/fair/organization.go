package fair

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// An organization is what a Queue knows of one.
type organization struct {
	used     int64  // the cost of its requests
	expected int64  // the moving average of the cost of a request
	started  uint64 // the number of its last start
	held     int64  // the units of its requests that run
	waiting  int
	presence *presence
	resume   time.Time // when its pause ends
	paused   bool
	keys     map[uuid.UUID]*line
	turns    []*line // of the keys whose requests wait; the first is next
	index    int     // in leastUsed, or notPlaced
}

// A line is the waiting requests of a key, oldest first.
type line struct {
	key     uuid.UUID
	tickets []*ticket
}

const notPlaced = -1

func (o *organization) idle() bool { return o.held == 0 && o.waiting == 0 }

func (o *organization) add(w *ticket) {
	o.waiting++
	l := o.keys[w.key]
	if l == nil {
		l = &line{key: w.key}
		o.keys[w.key] = l
		o.turns = append(o.turns, l)
	}

	l.tickets = append(l.tickets, w)
}

func (o *organization) first() *ticket { return o.turns[0].tickets[0] }

// removeFirst removes the first request, and its key goes to the end of the
// line.
func (o *organization) removeFirst() {
	l := o.turns[0]
	o.remove(l.tickets[0])
	if len(l.tickets) > 0 {
		o.turns = append(slices.Delete(o.turns, 0, 1), l)
	}
}

func (o *organization) remove(w *ticket) {
	o.waiting--
	l := o.keys[w.key]
	i := slices.Index(l.tickets, w)
	l.tickets = slices.Delete(l.tickets, i, i+1)
	if len(l.tickets) == 0 {
		delete(o.keys, w.key)
		i := slices.Index(o.turns, l)
		o.turns = slices.Delete(o.turns, i, i+1)
	}
}

// leastUsed is a heap of the organizations whose requests wait and may start.
type leastUsed []*organization

func (h leastUsed) Len() int { return len(h) }

func (h leastUsed) Less(i, j int) bool {
	if h[i].used != h[j].used {
		return h[i].used < h[j].used
	}
	return h[i].started < h[j].started
}

func (h leastUsed) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements heap.Interface.
func (h *leastUsed) Push(x any) {
	o := x.(*organization)
	o.index = len(*h)
	*h = append(*h, o)
}

// Pop implements heap.Interface.
func (h *leastUsed) Pop() any {
	last := len(*h) - 1
	o := (*h)[last]
	(*h)[last] = nil
	o.index = notPlaced
	*h = (*h)[:last]
	return o
}
