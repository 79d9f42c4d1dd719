package dock

import (
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// LoadingView paints a screen whose document is not here: being read, or not
// readable for the reason given.
func LoadingView(t *i18n.Translator, th theme.Theme, size tui.Size, name, fault string) string {
	if fault == "" {
		return indent(th.Muted.Render(widget.Clip(t.Get("loading %s…", name), size.Width)), size)
	}
	var lines []string
	for _, line := range widget.Wrap(widget.Clean(fault), size.Width-4) {
		lines = append(lines, th.Warn(line))
	}
	lines = append(lines, "", widget.QuestionMarker+th.Ask(widget.Clip(t.Get("enter to retry"), size.Width-3)))
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
	return tea.Batch(tui.Accepted(), Choose(site.T().Get("What do you want to do?"), targets, func(t *Destination) string { return t.Label }, open))
}

// LocationChangedMsg tells a screen that the place was changed on it.
type LocationChangedMsg struct{ Location Location }

// ChangesHeader has the header tell the place at once.
func (LocationChangedMsg) ChangesHeader() {}

// LocationChanged is the command that brings a MovedMsg.
func LocationChanged(p Location) tea.Cmd { return func() tea.Msg { return LocationChangedMsg{p} } }
