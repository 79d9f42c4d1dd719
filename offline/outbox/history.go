package outbox

import (
	"time"

	"bincard/server/store"
)

// A History is what is known here of the service's history. A service that went back to an
// earlier state lost the work of all nodes, and each node sends its own again. Meanwhile the
// service may reject what needs the work of another node.
type History struct {
	// Epoch is the service's epoch that the replica follows, or "" if it followed
	// none yet.
	Epoch string
	// ConfirmedAt is the change up to which the service had confirmed
	// operations. If it lacks that change, it has lost some of them.
	ConfirmedAt Position
	wentBackAt  time.Time     // when the service last went back to an earlier state
	epochExtra  store.Unknown // fields that a newer version stored
	// doubts is how often the connection broke or a request failed, counting the start, and
	// knownAt what it was when the service's history was last found to be the known one.
	doubts, knownAt int
}

// HistoryUnknown reports whether the service may have gone back unnoticed: since the start,
// or since a request failed, no answer has shown that it has what is known here. New work
// must then not be sent: it may need what the service lost, and is not the first in order.
func (h *History) HistoryUnknown() bool {
	return h.knownAt != h.doubts && (h.Epoch != "" || h.ConfirmedAt.Seq > 0)
}

// HistoryDoubts returns a number to pass to HistoryKnown after a request that is sent now.
func (h *History) HistoryDoubts() int { return h.doubts }

// HistoryKnown records that an answer showed the service's history, and that the queue has
// learned it if the service went back. doubts is HistoryDoubts when the request was sent.
func (h *History) HistoryKnown(doubts int) { h.knownAt = max(h.knownAt, doubts) }

// recoveryTime is how long after a service went back its nodes send again what it lost.
const recoveryTime = 10 * time.Minute

// Recovering reports whether other nodes may still send again what the service lost.
func (h *History) Recovering(now time.Time) bool {
	return !h.wentBackAt.IsZero() && pauseActive(now, h.wentBackAt.Add(recoveryTime), recoveryTime)
}

// setEpoch sets the service's epoch, and reports whether the service went back.
func (h *History) setEpoch(e *Epoch) (wentBack bool) {
	wentBack = e.WentBack || h.Epoch != "" && h.Epoch != e.ID
	h.Epoch, h.epochExtra = e.ID, e.Unknown
	if wentBack {
		h.ConfirmedAt, h.wentBackAt = Position{}, e.At
	}
	return wentBack
}

// compact returns the entry that restores the epoch before the operations, of which it sends
// none again.
func (h *History) compact(before time.Time) *Entry {
	e := Epoch{ID: h.Epoch, At: before, Unknown: h.epochExtra}
	if !h.wentBackAt.IsZero() {
		e.At, e.WentBack = h.wentBackAt, true
	}
	return &Entry{Epoch: &e}
}
