package outbox

import "time"

// How many operations are under way at once goes by how long answers are on
// their way: as many as it takes to have so many answered in a second, begun
// with few, and with few again where the service asks for mercy or is lost.
const (
	// narrowest: with half as many the disk here is waited for more than the service.
	narrowest = 8
	widest    = 100
	// pace is how many answers in a second are worth another one under way.
	pace = 340
)

// A breadth is how many operations may be under way at once.
type breadth struct {
	trip time.Duration // the shortest of late
	now  int
}

// width is how many operations may be under way at once.
func (b *Box) width() int {
	if b.opts.Parallel > 0 {
		return b.opts.Parallel
	}
	return max(narrowest, b.breadth.now)
}

// answered takes how long an answer took.
func (w *breadth) answered(took time.Duration) {
	switch {
	case took <= 0:
		return // the clock was set
	case w.trip == 0 || took < w.trip:
		w.trip = took
	default:
		w.trip += (min(took, 2*w.trip) - w.trip) / 32
	}
	if want := min(widest, int(w.trip*pace/time.Second)); w.now < want {
		w.now = max(w.now, narrowest) + 1
	} else {
		w.now = want
	}
}

// missed takes that the service did not answer, or asked for mercy.
func (w *breadth) missed() { *w = breadth{} }
