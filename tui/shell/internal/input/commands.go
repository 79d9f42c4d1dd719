package input

import (
	"maps"
	"time"

	"bincard/tui"

	"github.com/charmbracelet/bubbles/spinner"
	tea "github.com/charmbracelet/bubbletea"
)

const (
	spinAfter = 150 * time.Millisecond // quick answers show no spinner
	spinEvery = 100 * time.Millisecond
	lateGrace = 500 * time.Millisecond // for the screen's own message about a timeout
)

// Cause is why a command runs, which decides what waits for it.
type Cause int

// The causes, the strongest last.
const (
	None    Cause = iota // nothing waits
	Opening              // a screen's Init: scans wait
	Scan                 // a scan: scans wait, and so do keys that change something
)

// A Source is a screen, and the supervisor who approved what it does; "" if none did.
type Source struct {
	Screen     int
	ApprovedBy string
}

// Options say how commands run.
type Options struct {
	Clock      tui.Clock
	Limit      time.Duration         // after which a command is reported
	Work       func(tea.Cmd) tea.Cmd // wraps the work of Env.Do; may be nil
	Background func(tea.Cmd) tea.Cmd // wraps a command that may wait forever; may be nil
}

// Commands are the pending commands. Only the shell's turns use them.
type Commands struct {
	opts        Options
	next        int
	running     map[int]command
	cause       Cause // of the commands that start now
	source      Source
	checkDue    bool // a Check is scheduled
	spinnerStep int  // 0 without a spinner
}

type command struct {
	screen   int
	start    time.Time
	reported bool // as too slow
	cause    Cause

	approvedBy string
}

// NewCommands returns no commands.
func NewCommands(opts Options) *Commands { return &Commands{opts: opts, running: map[int]command{}} }

// Empty reports whether every command has answered.
func (p *Commands) Empty() bool { return len(p.running) == 0 }

// Answered removes the command of an answer and runs fn, which handles it. What fn does has
// the cause and the source of the command.
func (p *Commands) Answered(a Answer, fn func() tea.Cmd) tea.Cmd {
	c := p.running[a.Command]
	delete(p.running, a.Command)
	return p.From(Source{c.screen, c.approvedBy}, func() tea.Cmd { return p.WithCause(c.cause, fn) })
}

// RemoveScreen removes the commands of a closed screen.
func (p *Commands) RemoveScreen(screen int) {
	maps.DeleteFunc(p.running, func(_ int, c command) bool { return c.screen == screen })
}

// WithCause runs fn; the commands it starts have the cause.
func (p *Commands) WithCause(c Cause, fn func() tea.Cmd) tea.Cmd {
	before := p.cause
	p.cause = c
	defer func() { p.cause = before }()
	return fn()
}

// Source returns the source of what is done now.
func (p *Commands) Source() Source { return p.source }

// ApprovedBy returns the supervisor who approved what a screen does now; "" if none did.
func (p *Commands) ApprovedBy(screen int) string {
	if p.source.Screen != screen {
		return ""
	}
	return p.source.ApprovedBy
}

// From runs fn as done by a source. The source also has the commands of its screen that
// start now, and what follows from their answers: nothing else is approved. Input waits for
// what is approved as for a scan.
func (p *Commands) From(s Source, fn func() tea.Cmd) tea.Cmd {
	before, cause := p.source, p.cause
	p.source = s
	if s.ApprovedBy != "" {
		cause = Scan
	}
	defer func() { p.source = before }()
	return p.WithCause(cause, fn)
}

// StrongestCause returns the strongest cause of the pending commands. A scan may end in an
// error, so nothing overtakes it.
func (p *Commands) StrongestCause() Cause {
	strongest := None
	for _, c := range p.running {
		strongest = max(strongest, c.cause)
	}
	return strongest
}

// CheckMsg arrives when Check is due.
type CheckMsg struct{}

func (p *Commands) checkAfter(d time.Duration) tea.Cmd {
	p.checkDue = true
	return p.opts.Clock.Tick(d, func(time.Time) tea.Msg { return CheckMsg{} })
}

// Check starts, moves or stops the spinner. It returns the screens whose commands are
// later than the limit, each once, and waits for the next Check.
func (p *Commands) Check() (late []int, next tea.Cmd) {
	p.checkDue = false
	if p.Empty() {
		p.spinnerStep = 0
		return nil, nil
	}

	now := p.opts.Clock.Now()
	oldest := time.Duration(0)
	for id, c := range p.running {
		age := now.Sub(c.start)
		oldest = max(oldest, age)
		if age >= p.opts.Limit+lateGrace && !c.reported {
			c.reported = true
			p.running[id] = c
			late = append(late, c.screen)
		}
	}

	if oldest < spinAfter {
		return late, p.checkAfter(spinAfter - oldest)
	}

	p.spinnerStep++

	return late, p.checkAfter(spinEvery)
}

// Spinner returns the current frame of the spinner, or "".
func (p *Commands) Spinner() string {
	if p.spinnerStep == 0 || p.Empty() {
		return ""
	}
	frames := spinner.MiniDot.Frames
	return frames[p.spinnerStep%len(frames)]
}
