package tui

import (
	"bytes"
	"strings"
	"sync"
	"time"

	"bincard/tui/stage"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// canvas is the shell with its own painter. Bubble Tea's renderer looks for a
// frame on a clock that never rests: that costs a percent of a core while nobody
// does anything, and half a period at every key. It keeps the terminal for us
// (modes, alternate screen, mouse, sizes) at one look a second, and of the frame
// gets the header alone, which it then paints as it is painted already.
type canvas struct {
	shell   *Model
	painter *painter
	whole   bool // the next frame is painted whole: there may be anything on the terminal
}

func newCanvas(m *Model, p *painter) *canvas { return &canvas{shell: m, painter: p, whole: true} }

func (c *canvas) Init() tea.Cmd { return c.shell.Init() }

func (c *canvas) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, resized := msg.(tea.WindowSizeMsg); resized {
		c.whole = true
	}
	_, cmd := c.shell.Update(msg)
	return c, cmd
}

func (c *canvas) View() string {
	view := c.shell.View()
	if view == "" {
		return view
	}
	c.painter.show(picture{view, c.shell.width, c.whole})
	c.whole = false
	header, _, _ := strings.Cut(view, "\n")
	return header
}

// settle is how long a frame waits for the next one: what a key changes and what
// a quick answer changes right after it are painted together.
const settle = time.Millisecond

// A picture is what is to be seen on a terminal of a width.
type picture struct {
	view  string
	width int
	whole bool
}

// painter paints the lines that changed, at most so often.
type painter struct {
	out  *stage.Stage
	gap  time.Duration // the least between two frames
	wake chan struct{} // has one while there is something to paint

	mu   sync.Mutex
	next picture

	shown []string // the last frame and its width; the painting goroutine's own
	width int
}

func newPainter(out *stage.Stage, fps int) *painter {
	return &painter{out: out, gap: time.Second / time.Duration(fps), wake: make(chan struct{}, 1)}
}

// show makes f what is painted next.
func (p *painter) show(f picture) {
	p.mu.Lock()
	same := f == p.next
	f.whole = f.whole || p.next.whole
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
func (p *painter) run(done <-chan struct{}) {
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
		case <-time.After(max(settle, p.gap-time.Since(last))):
		}
		last = time.Now()
		p.paint()
	}
}

func (p *painter) paint() {
	p.mu.Lock()
	f := p.next
	p.next.whole = false
	p.mu.Unlock()
	var out bytes.Buffer
	lines := strings.Split(f.view, "\n")
	if f.whole {
		if f.width != p.width || len(lines) != len(p.shown) {
			out.WriteString(ansi.EraseEntireScreen) // lines of another size may have been broken
		}
		p.shown = nil
	}
	for i, line := range lines {
		if i < len(p.shown) && p.shown[i] == line {
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
	p.shown, p.width = lines, f.width
	p.out.Frame(out.Bytes())
}
