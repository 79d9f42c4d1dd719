package shell

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// pendingCommands counts the commands under way. It is touched only in the shell's turn.
type pendingCommands struct {
	next     int
	commands map[int]pendingCommand
	cause    cause // of what departs now
}

// cause is what a command belongs to, as far as the next scan is concerned.
type cause int

const (
	causeNone    cause = iota // the next scan need not wait for it
	causeOpening              // a screen's first questions: scans wait
	causeScan                 // a scan's: scans wait, and keys that work on the goods
)

type pendingCommand struct {
	screen   int
	start    time.Time
	reported bool // that it takes too long
	cause    cause
}

func (f *pendingCommands) add(screen int, now time.Time) int {
	f.next++
	f.commands[f.next] = pendingCommand{screen: screen, start: now, cause: f.cause}
	return f.next
}

// withCause tells the cause of what departs while fn runs.
func (f *pendingCommands) withCause(why cause, fn func() tea.Cmd) tea.Cmd {
	before := f.cause
	f.cause = why
	defer func() { f.cause = before }()
	return fn()
}

// strongestCause is the strongest cause under way: a scan that is not finished with may
// end in an error, and nothing must overtake it.
func (f *pendingCommands) strongestCause() cause {
	most := causeNone
	for _, fl := range f.commands {
		most = max(most, fl.cause)
	}
	return most
}
