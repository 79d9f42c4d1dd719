package outbox

import (
	"slices"
	"time"

	"bincard/server/api"
)

// window is how many operations that wait for their turn are looked past to
// find one that may go.
const window = 256

// A Plan is what to do now. Freeze must be in the journal, and applied, before
// anything of Send leaves.
type Plan struct {
	Freeze *Entry
	Send   []*Item
	// Wake is when to plan again, zero where nothing waits for the time.
	Wake time.Time
}

// Plan chooses what to send, the oldest first, as many as may be under way.
// What it chose is under way until Answered.
func (b *Box) Plan(now time.Time) Plan {
	var p Plan
	if at := b.line.until(now); !at.IsZero() {
		p.Wake = at
		return p
	}
	var fresh []string
	b.walk(func(it *Item, blocked Why) bool {
		switch {
		case len(b.flying) >= b.width():
			return false
		case blocked != "" || it.flying || b.forgotten(it, now):
			return true
		case b.line.paused(it, now):
			p.wake(b.line.quota)
			return true
		case ahead(now, it.next, mostSpent):
			p.wake(it.next)
			return true
		}
		it.flying, it.flown = true, now
		b.flying = append(b.flying, it)
		if !it.left {
			it.astray = true
			fresh = append(fresh, it.Key)
		}
		p.Send = append(p.Send, it)
		return true
	})
	if len(fresh) > 0 {
		p.Freeze = &Entry{Freeze: &Freeze{Keys: fresh, At: now}}
	}
	return p
}

func (p *Plan) wake(at time.Time) {
	if p.Wake.IsZero() || at.Before(p.Wake) {
		p.Wake = at
	}
}

// Recall takes back what a Plan chose and was not sent: the journal did not
// take the Freeze.
func (b *Box) Recall(items []*Item) {
	for _, it := range items {
		b.land(it)
	}
}

func (b *Box) land(it *Item) {
	if it.flying {
		it.flying = false
		b.flying = slices.DeleteFunc(b.flying, func(x *Item) bool { return x == it })
	}
}

// Why an operation is not under way.
type Why string

const (
	// InOrder waits for one before it that touches the same.
	InOrder Why = "order"
	// InNeed waits for what an operation would make that is refused or held.
	InNeed Why = "need"
)

// walk goes through the captured operations in order and tells of each why it
// may not go, until fn has enough.
func (b *Box) walk(fn func(it *Item, blocked Why) bool) {
	b.skip()
	read, written, lacking := b.rows[0], b.rows[1], b.rows[2]
	for _, set := range b.rows {
		clear(set)
	}
	// One of which nobody knows what it touches keeps its order with all others.
	unlaid, before := false, false
	for _, it := range b.flying {
		unlaid = unlaid || !it.laid
		add(read, it.print.Reads)
		add(written, it.print.Writes)
	}
	skipped := 0
	for _, it := range b.items[b.open:] {
		switch {
		case it.flying:
			before = true
			if !fn(it, "") {
				return
			}
			continue
		case it.State == Refused || it.State == Held:
			add(lacking, it.print.Makes)
			continue
		case it.State != Captured:
			continue
		}
		behind := b.behind(it)
		if behind == InNeed || meets(lacking, it.print.Reads) || meets(lacking, it.print.Writes) {
			add(lacking, it.print.Makes)
			if !fn(it, InNeed) {
				return
			}
			continue
		}
		blocked := Why("")
		if behind == InOrder || unlaid || !it.laid && (len(b.flying) > 0 || before) || meets(written, it.print.Reads) || meets(written, it.print.Writes) || meets(read, it.print.Writes) {
			blocked = InOrder
			if skipped++; skipped > window {
				return
			}
		}
		unlaid, before = unlaid || !it.laid, true
		add(read, it.print.Reads)
		add(written, it.print.Writes)
		if !fn(it, blocked) {
			return
		}
	}
}

// after is the operation that one belongs to, or what took its place; nil where
// there is none.
func (b *Box) after(it *Item) *Item {
	if it.After == "" {
		return nil
	}
	on := b.byKey[it.After]
	for on != nil && on.State == Superseded {
		on = b.byKey[on.Successor]
	}
	return on
}

// led tells whether any operation was captured as one that belongs to this one,
// or to what it took the place of.
func (b *Box) led(it *Item) bool {
	for ; it != nil; it = b.byKey[it.Replaces] {
		if b.leads[it.Key] {
			return true
		}
	}
	return false
}

// behind tells why an operation may not go before the one that it belongs to.
func (b *Box) behind(it *Item) Why {
	on := b.after(it)
	switch {
	case on == nil:
		return ""
	case on.State == Refused || on.State == Held || on.State == Captured && b.behind(on) == InNeed:
		return InNeed
	case on.State == Captured:
		return InOrder
	}
	return ""
}

func add(set map[uint64]bool, rows []uint64) {
	for _, r := range rows {
		set[r] = true
	}
}

func meets(set map[uint64]bool, rows []uint64) bool {
	for _, r := range rows {
		if set[r] {
			return true
		}
	}
	return false
}

// Lay notes which rows an operation touches, and what the ledger here says
// against it.
func (b *Box) Lay(key string, print Footprint, risk *Refusal) {
	if it := b.byKey[key]; it != nil {
		it.print, it.laid, it.Risk = print, true, risk
	}
}

// Blocked tells of each captured operation that waits for another one, why.
func (b *Box) Blocked() map[string]Why {
	list := map[string]Why{}
	b.walk(func(it *Item, blocked Why) bool {
		if blocked != "" {
			list[it.Key] = blocked
		}
		return true
	})
	return list
}

// Needing are the operations that need what this one makes, or belong to it,
// directly or through others, in order.
func (b *Box) Needing(key string) []*Item {
	of := b.byKey[key]
	if of == nil || len(of.print.Makes) == 0 && !b.led(of) {
		return nil
	}
	made, on := map[uint64]bool{}, map[*Item]bool{of: true}
	add(made, of.print.Makes)
	var list []*Item
	for _, it := range b.items[b.open:] {
		if it == of || !it.State.Open() {
			continue
		}
		if it.After != "" && on[b.after(it)] || it.N > of.N && (meets(made, it.print.Reads) || meets(made, it.print.Writes)) {
			add(made, it.print.Makes)
			on[it] = true
			list = append(list, it)
		}
	}
	return list
}

// Billable tells whether an operation counts against the plan.
func Billable(operation string) bool {
	for _, s := range api.Operations() {
		if s.ID == operation {
			return s.Billable
		}
	}
	return false
}
