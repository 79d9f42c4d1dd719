// Package background answers, before anybody asks, whether the terminal is dark.
//
// Bubble Tea asks the terminal from its own package init and waits up to five
// seconds for one that never answers: a serial line, expect, some handhelds.
// The question is not asked when the answer stands already. Go initialises
// packages that are ready in the order of their import paths, so this package
// must sort before github.com/charmbracelet/bubbletea and must import nothing
// that Bubble Tea does not wait for as well. A program imports it for this
// effect; the real answer comes from the user's theme.
package background

import "github.com/charmbracelet/lipgloss"

func init() {
	lipgloss.SetHasDarkBackground(true)
}
