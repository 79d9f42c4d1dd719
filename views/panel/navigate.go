package panel

import (
	"bincard/tui"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// Navigate goes to the only destination, or asks which one.
func Navigate(site *session.Site, destinations []session.Destination) tea.Cmd {
	open := func(d *session.Destination) tea.Cmd {
		if d.Route != "" {
			return tui.Open(d.Route)
		}
		site.SetLocation(d.Location)
		return tea.Batch(tui.Toast(d.Label), LocationChanged(d.Location))
	}
	return tea.Batch(tui.Accepted(), Choose(site.T().Get("What do you want to do?"), destinations, func(d *session.Destination) string { return d.Label }, open))
}

// A LocationChangedMsg notifies a screen that the operator's location was changed on
// it.
type LocationChangedMsg struct{ Location session.Location }

// ChangesHeader makes the shell update the header.
func (LocationChangedMsg) ChangesHeader() {}

// LocationChanged returns a command that sends a LocationChangedMsg.
func LocationChanged(p session.Location) tea.Cmd {
	return func() tea.Msg { return LocationChangedMsg{p} }
}
