package outbox

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"bincard/server/store"
)

// Options of a Box. The zero value is right for a terminal.
type Options struct {
	// Parallel is how many operations are under way at once: 8, and more where
	// answers are long on their way, unless it is said.
	Parallel int
	// Random gives numbers in [0, 1) to spread attempts; math/rand where nil.
	Random func() float64
}

// A Box holds the operations. It is for one goroutine at a time.
type Box struct {
	Begun *Begin
	// Epoch is the service's that the replica follows, "" before it followed any.
	Epoch     string
	epochMore store.Unknown // what a newer version said of it
	opts      Options
	items     []*Item // by N
	byKey     map[string]*Item
	leads     map[string]bool // keys that an operation belongs to
	open      int             // index of the first item that may be unsettled
	last      uint64
	lastAt    time.Time // the turn of that one
	aside     string    // the key of one that does not show for now

	line    line
	flying  []*Item // under way
	named   []*Item // whose documents the service calls otherwise
	breadth breadth
	rows    [3]map[uint64]bool // of a walk
	memory  time.Duration      // how long the service knows a key; 0 is for ever
}

// New makes an empty Box.
func New(opts Options) *Box {
	if opts.Random == nil {
		opts.Random = rand.Float64
	}
	return &Box{opts: opts, byKey: map[string]*Item{}, leads: map[string]bool{}, rows: [3]map[uint64]bool{{}, {}, {}}}
}

// Memory says how long the service knows a key: what was sent longer ago and
// not answered is not sent again before it was looked up. 0 is for ever.
func (b *Box) Memory(d time.Duration) { b.memory = d }

// Called is a target by the ids of the service: where what was made here is
// called otherwise there. seen leaves out what the replica does not hold yet:
// here it is called as it was made.
func (b *Box) Called(target string, seen bool) string {
	for _, it := range b.named {
		if it.Settled || !seen {
			target = strings.ReplaceAll(target, it.Made, it.Called)
		}
	}
	return target
}

// Flying is how many operations are under way.
func (b *Box) Flying() int { return len(b.flying) }

// Apply takes an entry that is in the journal.
func (b *Box) Apply(e Entry) error {
	if err := e.check(); err != nil {
		return err
	}
	switch {
	case e.Begin != nil:
		b.Begun = e.Begin
	case e.Capture != nil:
		b.capture(e.Capture)
	case e.Freeze != nil:
		return b.each(e.Freeze.Keys, func(it *Item) {
			it.left, it.freezeMore = true, e.Freeze.Unknown
			if it.SentAt.IsZero() {
				it.SentAt = e.Freeze.At
			}
		})
	case e.Mark != nil:
		return b.each([]string{e.Mark.Key}, func(it *Item) { b.mark(it, e.Mark) })
	case e.Settle != nil:
		return b.each(e.Settle.Keys, func(it *Item) {
			it.Settled, it.Doubted, it.settleMore = true, false, e.Settle.Unknown
		})
	case e.Epoch != nil:
		b.turn(e.Epoch)
	}
	return nil
}

// capture takes a new operation; one that is known stays as it is, so that a
// queue may be brought in twice.
func (b *Box) capture(c *Capture) {
	if b.byKey[c.Key] != nil {
		return
	}
	n, at := b.Next(c.At)
	b.last, b.lastAt = max(n, c.Place), at
	it := &Item{Capture: *c, N: b.last, Turn: at, State: Captured, Since: c.At}
	it.Place = 0
	b.items = append(b.items, it)
	b.byKey[c.Key] = it
	if c.After != "" {
		b.leads[c.After] = true
	}
	if old := b.byKey[c.Replaces]; old != nil && old.State.Open() {
		old.State, old.Since, old.Successor, old.By = Superseded, c.At, c.Key, c.Operator
	}
}

// Next is the place that an operation has that is done next, at that instant,
// and the instant that counts there: one before what was done before is not it.
func (b *Box) Next(at time.Time) (uint64, time.Time) {
	if at.Before(b.lastAt) {
		at = b.lastAt
	}
	return b.last + 1, at
}

// turn takes the epoch of the service. What an earlier one confirmed waits again.
func (b *Box) turn(e *Epoch) {
	before := b.Epoch
	b.Epoch, b.epochMore = e.ID, e.Unknown
	if before == "" || before == e.ID {
		return
	}
	for _, it := range b.items {
		it.stale = it.flying
		if it.State == Done {
			it.State, it.Since, it.Settled, it.Doubted = Captured, e.At, false, true
			it.tries, it.next = 0, time.Time{}
		}
	}
	b.open = 0
}

func (b *Box) mark(it *Item, m *Mark) {
	was := it.State
	it.State, it.Since, it.Refusal = m.State, m.At, m.Refusal
	it.Reason, it.By, it.Doubted, it.markMore = m.Reason, m.By, m.Doubted, m.Unknown
	it.left, it.astray = false, false // whatever it was, that is its answer
	if m.Successor != "" {
		it.Successor = m.Successor
	}
	if m.Called != "" {
		it.Made, it.Called = m.Made, m.Called
		b.named = append(b.named, it)
	}
	if m.State == Captured && !m.Doubted { // tried again, or sent anyway: at once
		it.tries, it.next, it.Insisted = 0, time.Time{}, true
		if it.once = was == Refused; !it.once {
			it.missed = m.At
		}
	}
}

func (b *Box) each(keys []string, fn func(*Item)) error {
	for _, key := range keys {
		it := b.byKey[key]
		if it == nil {
			return fmt.Errorf("the journal speaks of operation %s, which it does not hold", key)
		}
		fn(it)
	}
	return nil
}

// Item is the operation with that key, or nil.
func (b *Box) Item(key string) *Item { return b.byKey[key] }

// Items are all operations in the order in which they were done.
func (b *Box) Items() []*Item { return b.items }

// Applied are the operations that show over the replica, in order.
func (b *Box) Applied() []*Item {
	b.skip()
	var list []*Item
	for _, it := range b.items[b.open:] {
		if it.Applies() && it.Key != b.aside {
			list = append(list, it)
		}
	}
	return list
}

// Unsettled are the operations that the service has confirmed, and of which
// nobody knows yet that the replica holds them.
func (b *Box) Unsettled() []*Item {
	b.skip()
	var list []*Item
	for _, it := range b.items[b.open:] {
		if it.State == Done && !it.Settled {
			list = append(list, it)
		}
	}
	return list
}

// Aside takes an operation away from what shows, until it is called again; none
// has the key "".
func (b *Box) Aside(key string) { b.aside = key }

// skip moves past the items at the beginning of which nothing more will come.
func (b *Box) skip() {
	for b.open < len(b.items) {
		it := b.items[b.open]
		if it.State.Open() || it.State == Done && !it.Settled || it.flying {
			return
		}
		b.open++
	}
}

// Counts tell how many operations are in which state, for the header.
type Counts struct {
	// Waiting are captured, Sent of them without an answer yet.
	Waiting, Sent int
	Refused, Held int
	// Oldest is when the oldest of them all was done; zero where there is none.
	Oldest time.Time
}

// Counts counts what is not settled.
func (b *Box) Counts() Counts { return b.CountsOf("") }

// CountsOf counts what is not settled of what came by the key with a label, or
// of all where it is empty.
func (b *Box) CountsOf(device string) Counts {
	b.skip()
	var c Counts
	for _, it := range b.items[b.open:] {
		if device != "" && it.Device != device {
			continue
		}
		switch it.State {
		case Captured:
			c.Waiting++
			if it.Unknown() {
				c.Sent++
			}
		case Refused:
			c.Refused++
		case Held:
			c.Held++
		default:
			continue
		}
		if c.Oldest.IsZero() || it.At.Before(c.Oldest) {
			c.Oldest = it.At
		}
	}
	return c
}
