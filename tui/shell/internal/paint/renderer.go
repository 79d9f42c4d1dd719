package paint

import (
	"bytes"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// coalesceDelay is how long a frame waits for the next one, so that a key and its quick
// answer are painted together.
const coalesceDelay = time.Millisecond

// A View is the contents of a terminal of a width.
type View struct {
	Text  string
	Width int
	Full  bool // paint all lines: the contents of the terminal are unknown
}

// A Renderer paints the lines that changed, at most once per interval.
type Renderer struct {
	out      *Writer
	interval time.Duration // minimum between two frames
	wake     chan struct{} // has a value while there is something to paint

	mu   sync.Mutex
	next View

	lastLines []string // the last frame and its width; only for Run
	lastWidth int
}

// NewRenderer returns a Renderer that paints at most fps frames per second.
func NewRenderer(out *Writer, fps int) *Renderer {
	return &Renderer{out: out, interval: time.Second / time.Duration(fps), wake: make(chan struct{}, 1)}
}

// Submit replaces the frame that is painted next.
func (r *Renderer) Submit(v View) {
	r.mu.Lock()
	unchanged := v == r.next
	v.Full = v.Full || r.next.Full
	r.next = v
	r.mu.Unlock()
	if unchanged {
		return
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run paints until done is closed.
func (r *Renderer) Run(done <-chan struct{}) {
	var last time.Time
	for {
		select {
		case <-done:
			return
		case <-r.wake:
		}

		select {
		case <-done:
			return
		case <-time.After(max(coalesceDelay, r.interval-time.Since(last))):
		}

		last = time.Now()
		r.render()
	}
}

func (r *Renderer) render() {
	r.mu.Lock()
	v := r.next
	r.next.Full = false
	r.mu.Unlock()
	var out bytes.Buffer
	lines := strings.Split(v.Text, "\n")
	if v.Full {
		if v.Width != r.lastWidth || len(lines) != len(r.lastLines) {
			out.WriteString(ansi.EraseEntireScreen) // the terminal may have wrapped the old lines
		}
		r.lastLines = nil
	}

	for i, line := range lines {
		if i < len(r.lastLines) && r.lastLines[i] == line {
			continue
		}
		out.WriteString(ansi.CursorPosition(1, i+1))
		out.WriteString(line)
		if ansi.StringWidth(line) < v.Width { // in the last column it would erase that cell
			out.WriteString(ansi.EraseLineRight)
		}
	}

	if out.Len() == 0 {
		return
	}

	out.WriteString(ansi.CursorPosition(1, len(lines)))
	r.lastLines, r.lastWidth = lines, v.Width
	r.out.Frame(out.Bytes())
}
