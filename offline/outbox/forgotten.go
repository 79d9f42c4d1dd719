package outbox

import (
	"time"

	"bincard/server/api"
)

// margin is by how much sooner than the service a key is taken for forgotten.
const margin = time.Hour

// forgotten tells whether an operation may have been done so long ago that the
// service does not know its key any more: sent again it might be done twice.
func (b *Box) forgotten(it *Item, now time.Time) bool {
	if b.memory == 0 || it.State != Captured || !it.Unknown() && !it.once || !it.Frozen() || it.flying {
		return false
	}
	last := it.SentAt
	if it.missed.After(last) {
		last = it.missed
	}
	return now.Sub(last) >= b.memory-margin
}

// Forgotten are the operations that are to be looked up before they are sent again.
func (b *Box) Forgotten(now time.Time) (list []*Item) {
	b.skip()
	for _, it := range b.items[b.open:] {
		if b.forgotten(it, now) {
			list = append(list, it)
		}
	}
	return list
}

// Unanswered are the operations that were sent, and of which nobody knows
// whether they were done.
func (b *Box) Unanswered() (list []*Item) {
	b.skip()
	for _, it := range b.items[b.open:] {
		if it.Unknown() && it.Frozen() {
			list = append(list, it)
		}
	}
	return list
}

// Missed says that the service did not do an operation: it may be sent again.
func (b *Box) Missed(now time.Time, key string) {
	if it := b.byKey[key]; it != nil {
		it.missed = now
	}
}

// Doubt is the entry that holds an operation of which it cannot be told whether
// the service did it: a person decides.
func (b *Box) Doubt(now time.Time, key string) *Entry {
	it := b.byKey[key]
	if it == nil || it.State != Captured || it.flying {
		return nil
	}
	return mark(it, Held, now, &Refusal{Code: api.Unavailable, Message: "It was sent on " + it.SentAt.Local().Format("2 January at 15:04") +
		" and no answer came. The service does not remember that long what it was asked, and what it shows of the stock does not tell whether it was done. Look at the goods: send it again if it is missing there, drop it if not."})
}
