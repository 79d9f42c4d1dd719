package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// A Clock tells the time and waits. Everything in the shell that depends on
// time goes through it.
type Clock interface {
	Now() time.Time
	// Tick is a command that ends after d with the message fn makes.
	Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd
}

// wallClock is the machine's own clock.
type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	return tea.Tick(d, fn)
}
