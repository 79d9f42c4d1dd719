// Package background sets the terminal's background to dark, so that Bubble Tea does not
// query the terminal for it.
//
// Bubble Tea queries the terminal in a package init, unless the background is set, and
// waits up to five seconds for a terminal that never answers: a serial line, expect, some
// handhelds. Go initializes packages that are ready in the order of their import paths, so
// this package must sort before github.com/charmbracelet/bubbletea and must import nothing
// that Bubble Tea does not import. A program imports it for this side effect; the actual
// background comes from the user's theme.
package background

import "github.com/charmbracelet/lipgloss"

func init() {
	lipgloss.SetHasDarkBackground(true)
}
