package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// A Clock tells the time and waits. Screens and the shell use it in place of package
// time, so that tests and pictures control both.
type Clock interface {
	Now() time.Time
	// Tick returns a command that waits for d and returns fn's message.
	Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd
}
