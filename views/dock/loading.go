package dock

import (
	"strings"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// LoadingView renders a screen whose document is loading, or could not be loaded
// because of fault.
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

// Navigate goes to the only destination, or asks which one.
func Navigate(site *Site, destinations []Destination) tea.Cmd {
	open := func(d *Destination) tea.Cmd {
		if d.Route != "" {
			return tui.Open(d.Route)
		}
		site.SetLocation(d.Location)
		return tea.Batch(tui.Toast(d.Label), LocationChanged(d.Location))
	}
	return tea.Batch(tui.Accepted(), Choose(site.T().Get("What do you want to do?"), destinations, func(d *Destination) string { return d.Label }, open))
}

// A LocationChangedMsg notifies a screen that the operator's location was changed on
// it.
type LocationChangedMsg struct{ Location Location }

// ChangesHeader makes the shell update the header.
func (LocationChangedMsg) ChangesHeader() {}

// LocationChanged returns a command that sends a LocationChangedMsg.
func LocationChanged(p Location) tea.Cmd { return func() tea.Msg { return LocationChangedMsg{p} } }
