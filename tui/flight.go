package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// flights counts the commands under way. It is touched only in the shell's turn.
type flights struct {
	next  int
	since map[int]flight
	cause cause // of what departs now
}

// cause is what a command belongs to, as far as the next scan is concerned.
type cause int

const (
	byItself cause = iota // the next scan need not wait for it
	opening               // a screen's first questions: scans wait
	scanned               // a scan's: scans wait, and keys that work on the goods
)

type flight struct {
	screen int
	start  time.Time
	told   bool // that it takes too long
	cause  cause
}

func (f *flights) depart(screen int, now time.Time) int {
	f.next++
	f.since[f.next] = flight{screen: screen, start: now, cause: f.cause}
	return f.next
}

// during tells the cause of what departs while fn runs.
func (f *flights) during(why cause, fn func() tea.Cmd) tea.Cmd {
	before := f.cause
	f.cause = why
	defer func() { f.cause = before }()
	return fn()
}

// behind is the strongest cause under way: a scan that is not finished with may
// end in an error, and nothing must overtake it.
func (f *flights) behind() cause {
	most := byItself
	for _, fl := range f.since {
		most = max(most, fl.cause)
	}
	return most
}
