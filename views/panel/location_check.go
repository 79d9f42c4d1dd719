package panel

import (
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// A locationCheck warns if items are handled at another location than the operator's,
// and asks once before they are booked there.
type locationCheck struct {
	site      *session.Site
	confirmed session.Location // other location that was confirmed
}

// wrong reports whether at is another location than the operator's.
func (c *locationCheck) wrong(at session.Location) bool {
	here := c.site.Location()
	return at.IsSet() && here.IsSet() && here.ID != at.ID
}

// warning returns a warning line if at is another location, or "".
func (c *locationCheck) warning(th theme.Theme, size tui.Size, at session.Location) string {
	if !c.wrong(at) {
		return ""
	}
	t := c.site.T()
	text := t.Get("At %s, but you are at %s: F6 to switch", at, c.site.Location().Code)
	if size.Small() {
		text = t.Get("at %s, not here", at.Code)
	}
	return indent(th.Warn(widget.Clip(text, size.Width-2-margin(size))), size)
}

// question asks whether to book at another location. It returns nil if there is nothing
// to ask.
func (c *locationCheck) question(at session.Location, verb string, then func() tea.Cmd) tea.Cmd {
	if !c.wrong(at) || c.confirmed == at {
		return nil
	}
	return tui.Confirm(tui.Question{Text: c.site.T().Get("This is at %s, but you are at %s. Record it there?", at, c.site.Location()), Yes: verb, OnYes: func() tea.Cmd {
		c.confirmed = at
		return then()
	}})
}

// switchAction returns the action that makes at the operator's location.
func (c *locationCheck) switchAction(at session.Location) tui.Action {
	t := c.site.T()
	return tui.Action{ID: "panel.switch", Keys: []string{"f6"}, Label: t.Get("work at %s", at.Code), Short: at.Code, Help: t.Get("Switch to this location"),
		Run: func() tea.Cmd {
			return Navigate(c.site, []session.Destination{{Label: t.Get("Work at %s", at), Location: at}})
		}}
}
