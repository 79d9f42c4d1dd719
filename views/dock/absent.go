package dock

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Absent paints a screen whose document is not here: being read, or not
// readable for the reason given.
func Absent(t theme.Theme, size tui.Size, name, fault string) string {
	if fault == "" {
		return indent(t.Muted.Render(widget.Clip(fmt.Sprintf(wordReading, name), size.Width)), size)
	}
	var lines []string
	for _, line := range widget.Wrap(widget.Clean(fault), size.Width-4) {
		lines = append(lines, t.Warn(line))
	}
	lines = append(lines, "", widget.QuestionMarker+t.Ask(widget.Clip(askRetry, size.Width-3)))
	return indent(strings.Join(lines, "\n"), size)
}

// Follow goes where a scan leads: to the one target, or asks which.
func Follow(site *Site, targets []Target) tea.Cmd {
	open := func(t *Target) tea.Cmd {
		if t.Route != "" {
			return tui.Open(t.Route)
		}
		site.SetPlace(t.Place)
		return tea.Batch(tui.Toast(t.Label), Moved(t.Place))
	}
	return tea.Batch(tui.Accepted(), Which(askTarget, targets, func(t *Target) string { return t.Label }, open))
}

// MovedMsg tells a screen that the place was changed on it.
type MovedMsg struct{ Place Place }

// Headline has the header tell the place at once.
func (MovedMsg) ChangesHeader() {}

// Moved is the command that brings a MovedMsg.
func Moved(p Place) tea.Cmd { return func() tea.Msg { return MovedMsg{p} } }
