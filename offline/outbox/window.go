package outbox

import "time"

// How many operations are under way at once goes by how long answers are on
// their way: as many as it takes to have so many answered in a second, begun
// with few, and with few again where the service asks for mercy or is lost.
const (
	// minWindow: with half as many the disk here is waited for more than the service.
	minWindow = 8
	maxWindow = 100
	// answersPerSlot is how many answers in a second are worth another one under way.
	answersPerSlot = 340
)

// A sendWindow is how many operations may be under way at once.
type sendWindow struct {
	roundTrip time.Duration // the shortest of late
	size      int
}

// windowSize is how many operations may be under way at once.
func (b *Queue) windowSize() int {
	if b.opts.Parallel > 0 {
		return b.opts.Parallel
	}
	return max(minWindow, b.window.size)
}

// answered takes how long an answer took.
func (w *sendWindow) answered(took time.Duration) {
	switch {
	case took <= 0:
		return // the clock was set
	case w.roundTrip == 0 || took < w.roundTrip:
		w.roundTrip = took
	default:
		w.roundTrip += (min(took, 2*w.roundTrip) - w.roundTrip) / 32
	}
	if want := min(maxWindow, int(w.roundTrip*answersPerSlot/time.Second)); w.size < want {
		w.size = max(w.size, minWindow) + 1
	} else {
		w.size = want
	}
}

// shrink takes that the service did not answer, or asked for mercy.
func (w *sendWindow) shrink() { *w = sendWindow{} }
