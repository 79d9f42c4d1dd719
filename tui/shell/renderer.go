package shell

import (
	"bytes"
	"strings"
	"sync"
	"time"

	"bincard/tui/stage"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// renderedModel is the shell with its own painter. Bubble Tea's renderer looks for a
// frame on a clock that never rests: that costs a percent of a core while nobody
// does anything, and half a period at every key. It keeps the terminal for us
// (modes, alternate screen, mouse, sizes) at one look a second, and of the frame
// gets the header alone, which it then paints as it is painted already.
type renderedModel struct {
	model      *Model
	renderer   *renderer
	fullRedraw bool // the next frame is painted whole: there may be anything on the terminal
}

func newRenderedModel(m *Model, p *renderer) *renderedModel {
	return &renderedModel{model: m, renderer: p, fullRedraw: true}
}

func (c *renderedModel) Init() tea.Cmd { return c.model.Init() }

func (c *renderedModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, resized := msg.(tea.WindowSizeMsg); resized {
		c.fullRedraw = true
	}
	_, cmd := c.model.Update(msg)
	return c, cmd
}

func (c *renderedModel) View() string {
	view := c.model.View()
	if view == "" {
		return view
	}
	c.renderer.submit(rendering{view, c.model.width, c.fullRedraw})
	c.fullRedraw = false
	header, _, _ := strings.Cut(view, "\n")
	return header
}

// coalesceDelay is how long a frame waits for the next one: what a key changes and what
// a quick answer changes right after it are painted together.
const coalesceDelay = time.Millisecond

// A rendering is what is to be seen on a terminal of a width.
type rendering struct {
	view  string
	width int
	full  bool
}

// renderer paints the lines that changed, at most so often.
type renderer struct {
	out      *stage.Writer
	interval time.Duration // the least between two frames
	wake     chan struct{} // has one while there is something to paint

	mu   sync.Mutex
	next rendering

	lastLines []string // the last frame and its width; the painting goroutine's own
	lastWidth int
}

func newRenderer(out *stage.Writer, fps int) *renderer {
	return &renderer{out: out, interval: time.Second / time.Duration(fps), wake: make(chan struct{}, 1)}
}

// submit makes f what is painted next.
func (p *renderer) submit(f rendering) {
	p.mu.Lock()
	same := f == p.next
	f.full = f.full || p.next.full
	p.next = f
	p.mu.Unlock()
	if same {
		return
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// run paints until done is closed.
func (p *renderer) run(done <-chan struct{}) {
	var last time.Time
	for {
		select {
		case <-done:
			return
		case <-p.wake:
		}
		select {
		case <-done:
			return
		case <-time.After(max(coalesceDelay, p.interval-time.Since(last))):
		}
		last = time.Now()
		p.render()
	}
}

func (p *renderer) render() {
	p.mu.Lock()
	f := p.next
	p.next.full = false
	p.mu.Unlock()
	var out bytes.Buffer
	lines := strings.Split(f.view, "\n")
	if f.full {
		if f.width != p.lastWidth || len(lines) != len(p.lastLines) {
			out.WriteString(ansi.EraseEntireScreen) // lines of another size may have been broken
		}
		p.lastLines = nil
	}
	for i, line := range lines {
		if i < len(p.lastLines) && p.lastLines[i] == line {
			continue
		}
		out.WriteString(ansi.CursorPosition(1, i+1))
		out.WriteString(line)
		if ansi.StringWidth(line) < f.width { // past the last column it would erase that
			out.WriteString(ansi.EraseLineRight)
		}
	}
	if out.Len() == 0 {
		return
	}
	out.WriteString(ansi.CursorPosition(1, len(lines)))
	p.lastLines, p.lastWidth = lines, f.width
	p.out.Frame(out.Bytes())
}
