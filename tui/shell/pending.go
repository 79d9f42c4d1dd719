package shell

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// pendingCommands are the commands that have not answered yet. Only the shell's turns
// use it.
type pendingCommands struct {
	next     int
	commands map[int]pendingCommand
	cause    cause // of the commands that start now
}

// cause is why a command runs, which decides what waits for it.
type cause int

const (
	causeNone    cause = iota // nothing waits
	causeOpening              // a screen's Init: scans wait
	causeScan                 // a scan: scans wait, and so do keys that change something
)

type pendingCommand struct {
	screen   int
	start    time.Time
	reported bool // as too slow
	cause    cause
}

func (p *pendingCommands) add(screen int, now time.Time) int {
	p.next++
	p.commands[p.next] = pendingCommand{screen: screen, start: now, cause: p.cause}
	return p.next
}

// withCause runs fn; the commands it starts have the cause.
func (p *pendingCommands) withCause(c cause, fn func() tea.Cmd) tea.Cmd {
	before := p.cause
	p.cause = c
	defer func() { p.cause = before }()
	return fn()
}

// strongestCause returns the strongest cause of the pending commands. A scan may end in an
// error, so nothing overtakes it.
func (p *pendingCommands) strongestCause() cause {
	strongest := causeNone
	for _, c := range p.commands {
		strongest = max(strongest, c.cause)
	}
	return strongest
}
