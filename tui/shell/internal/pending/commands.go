// Package pending has the commands of screens that have not answered yet, and how their
// answers come back to their screens.
package pending

import (
	"time"

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

// Commands are the pending commands. Only the shell's turns use them.
type Commands struct {
	now         func() time.Time
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

// New returns no commands.
func New(now func() time.Time) Commands { return Commands{now: now, running: map[int]command{}} }

// Empty reports whether every command has answered.
func (p *Commands) Empty() bool { return len(p.running) == 0 }

// add adds a command of a screen and returns its ID.
func (p *Commands) add(screen int) int {
	p.next++
	p.running[p.next] = command{screen: screen, start: p.now(), cause: p.cause, approvedBy: p.ApprovedBy(screen)}
	return p.next
}

// Remove removes a command that answered and returns its cause and its source.
func (p *Commands) Remove(id int) (Cause, Source) {
	c := p.running[id]
	delete(p.running, id)
	return c.cause, Source{c.screen, c.approvedBy}
}

// RemoveScreen removes the commands of a closed screen.
func (p *Commands) RemoveScreen(screen int) {
	for id, c := range p.running {
		if c.screen == screen {
			delete(p.running, id)
		}
	}
}

// Cause returns the cause of the commands that start now.
func (p *Commands) Cause() Cause { return p.cause }

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
// start now, and what follows from their answers: nothing else is approved.
func (p *Commands) From(s Source, fn func() tea.Cmd) tea.Cmd {
	before := p.source
	p.source = s
	defer func() { p.source = before }()
	return fn()
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

// ScheduleCheck returns how long to wait before Check, or 0 if one is scheduled.
func (p *Commands) ScheduleCheck() time.Duration {
	if p.checkDue {
		return 0
	}
	p.checkDue = true
	return spinAfter
}

// Check starts, moves or stops the spinner. It returns the screens whose commands are
// later than limit, each once, and how long to wait before the next Check, or 0.
func (p *Commands) Check(limit time.Duration) (late []int, wait time.Duration) {
	p.checkDue = false
	if p.Empty() {
		p.spinnerStep = 0
		return nil, 0
	}
	now := p.now()
	oldest := time.Duration(0)
	for id, c := range p.running {
		age := now.Sub(c.start)
		oldest = max(oldest, age)
		if age >= limit+lateGrace && !c.reported {
			c.reported = true
			p.running[id] = c
			late = append(late, c.screen)
		}
	}
	p.checkDue = true
	if oldest < spinAfter {
		return late, spinAfter - oldest
	}
	p.spinnerStep++
	return late, spinEvery
}

// Spinner returns the current frame of the spinner, or "".
func (p *Commands) Spinner() string {
	if p.spinnerStep == 0 || p.Empty() {
		return ""
	}
	frames := spinner.MiniDot.Frames
	return frames[p.spinnerStep%len(frames)]
}
