package dock

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// LoadingView paints a screen whose document is not here: being read, or not
// readable for the reason given.
func LoadingView(t theme.Theme, size tui.Size, name, fault string) string {
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

// Navigate goes where a scan leads: to the one target, or asks which.
func Navigate(site *Site, targets []Destination) tea.Cmd {
	open := func(t *Destination) tea.Cmd {
		if t.Route != "" {
			return tui.Open(t.Route)
		}
		site.SetLocation(t.Location)
		return tea.Batch(tui.Toast(t.Label), LocationChanged(t.Location))
	}
	return tea.Batch(tui.Accepted(), Choose(askTarget, targets, func(t *Destination) string { return t.Label }, open))
}

// LocationChangedMsg tells a screen that the place was changed on it.
type LocationChangedMsg struct{ Location Location }

// ChangesHeader has the header tell the place at once.
func (LocationChangedMsg) ChangesHeader() {}

// LocationChanged is the command that brings a MovedMsg.
func LocationChanged(p Location) tea.Cmd { return func() tea.Msg { return LocationChangedMsg{p} } }
