package panel

import (
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// wrongLocation reports whether the items are handled at another location than the
// operator's.
func (p *CountPanel) wrongLocation() bool {
	here := p.Site.Location()
	return p.Location.IsSet() && here.IsSet() && here.ID != p.Location.ID
}

// LocationWarning returns a warning line if the items are handled at another location,
// or "".
func (p *CountPanel) LocationWarning(size tui.Size) string {
	if !p.wrongLocation() {
		return ""
	}
	text := p.T().Get("At %s, but you are at %s: F6 to switch", p.Location, p.Site.Location().Code)
	if size.Small() {
		text = p.T().Get("at %s, not here", p.Location.Code)
	}
	return indent(p.Env.Theme.Warn(widget.Clip(text, size.Width-2-margin(size))), size)
}

// switchLocation returns the action that switches to a location.
func (p *CountPanel) switchLocation(location session.Location) tui.Action {
	t := p.T()

	return tui.Action{ID: "dock.there", Keys: []string{"f6"}, Label: t.Get("work at %s", location.Code), Short: location.Code, Help: t.Get("Switch to this location"),
		Run: func() tea.Cmd {
			return Navigate(p.Site, []session.Destination{{Label: t.Get("Work at %s", location), Location: location}})
		}}
}

// confirmWrongLocation asks once whether to book at another location than the
// operator's. It returns nil if there is nothing to ask.
func (p *CountPanel) confirmWrongLocation(then func() tea.Cmd) tea.Cmd {
	if !p.wrongLocation() || p.confirmedLocation == p.Location {
		return nil
	}
	return tui.Confirm(tui.Question{Text: p.T().Get("This is at %s, but you are at %s. Book it there?", p.Location, p.Site.Location()), Yes: p.Verb, OnYes: func() tea.Cmd {
		p.confirmedLocation = p.Location
		return then()
	}})
}
