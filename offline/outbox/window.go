package outbox

import "time"

// The number of operations in flight grows with the time that answers take, up
// to what is needed for a fixed rate of answers. It starts small, and is small
// again when the service throttles or does not answer.
const (
	// minWindow is large enough that the local disk is not the bottleneck.
	minWindow = 8
	maxWindow = 100
	// answersPerSlot is the rate of answers per second that determines the
	// window.
	answersPerSlot = 340
)

// A sendWindow determines how many operations may be in flight.
type sendWindow struct {
	roundTrip time.Duration // the shortest recently
	size      int
}

// answered records how long an answer took.
func (w *sendWindow) answered(d time.Duration) {
	switch {
	case d <= 0:
		return // the clock was set
	case w.roundTrip == 0 || d < w.roundTrip:
		w.roundTrip = d
	default:
		w.roundTrip += (min(d, 2*w.roundTrip) - w.roundTrip) / 32
	}

	if target := min(maxWindow, int(w.roundTrip*answersPerSlot/time.Second)); w.size < target {
		w.size = max(w.size, minWindow) + 1
	} else {
		w.size = target
	}
}

// shrink resets the window after the service throttled or did not answer.
func (w *sendWindow) shrink() { *w = sendWindow{} }
