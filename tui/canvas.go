package tui

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

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
}

func (c canvas) Init() tea.Cmd { return c.shell.Init() }

func (c canvas) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, resized := msg.(tea.WindowSizeMsg); resized {
		c.painter.forget()
	}
	_, cmd := c.shell.Update(msg)
	return c, cmd
}

func (c canvas) View() string {
	view := c.shell.View()
	if view == "" {
		return view
	}
	c.painter.show(view, c.shell.width)
	header, _, _ := strings.Cut(view, "\n")
	return header
}

// settle is how long a frame waits for the next one: what a key changes and what
// a quick answer changes right after it are painted together.
const settle = time.Millisecond

// painter paints the lines that changed, at most so often.
type painter struct {
	out  *stage
	gap  time.Duration // the least between two frames
	wake chan struct{} // has one while there is something to paint

	mu      sync.Mutex
	next    string
	width   int
	unknown bool // what is on the terminal may be anything

	shown []string // of the last frame; the painting goroutine's own
}

func newPainter(out *stage, fps int) *painter {
	return &painter{out: out, gap: time.Second / time.Duration(fps), wake: make(chan struct{}, 1), unknown: true}
}

// show makes a view the next frame.
func (p *painter) show(view string, width int) {
	p.mu.Lock()
	same := view == p.next && !p.unknown
	p.next, p.width = view, width
	p.mu.Unlock()
	if same {
		return
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// forget paints every line with the next frame.
func (p *painter) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unknown = true
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
	view, width, all := p.next, p.width, p.unknown
	p.unknown = false
	p.mu.Unlock()
	var frame bytes.Buffer
	lines := strings.Split(view, "\n")
	for i, line := range lines {
		if !all && i < len(p.shown) && p.shown[i] == line {
			continue
		}
		frame.WriteString(ansi.CursorPosition(1, i+1))
		frame.WriteString(line)
		if ansi.StringWidth(line) < width { // past the last column it would erase that
			frame.WriteString(ansi.EraseLineRight)
		}
	}
	if frame.Len() == 0 {
		return
	}
	if len(lines) < len(p.shown) {
		frame.WriteString(ansi.CursorPosition(1, len(lines)+1) + ansi.EraseScreenBelow)
	}
	frame.WriteString(ansi.CursorPosition(1, len(lines)))
	p.shown = lines
	p.out.frame(frame.Bytes())
}

// stage is the terminal's output: one write at a time, so that no bell falls
// into a frame, and no frame after the alternate screen was left.
type stage struct {
	mu   sync.Mutex
	to   io.Writer
	left bool
}

// Write passes on what Bubble Tea and bells write.
func (s *stage) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if bytes.Contains(p, []byte(ansi.ResetAltScreenSaveCursorMode)) {
		s.left = true
	}
	n, err := s.to.Write(p)
	if err != nil {
		err = fmt.Errorf("write to the terminal: %w", err)
	}
	return n, err
}

// frame writes a frame; one that cannot be written is painted anew by what
// comes next, or the line is gone and Bubble Tea finds that out.
func (s *stage) frame(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.left {
		_, _ = s.to.Write(p)
	}
}

// fileStage is a stage on a terminal of the machine, of which the size and the
// modes can be asked.
type fileStage struct {
	*os.File
	stage *stage
}

func (f fileStage) Write(p []byte) (int, error) { return f.stage.Write(p) }
