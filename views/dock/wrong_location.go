package dock

import (
	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// wrongLocation reports whether the items are handled at another location than the
// operator's.
func (b *CountPanel) wrongLocation() bool {
	here := b.Site.Location()
	return b.Location.IsSet() && here.IsSet() && here.ID != b.Location.ID
}

// LocationWarning returns a warning line if the items are handled at another location,
// or "".
func (b *CountPanel) LocationWarning(size tui.Size) string {
	if !b.wrongLocation() {
		return ""
	}
	text := b.T().Get("At %s, but you are at %s: F6 to switch", b.Location, b.Site.Location().Code)
	if size.Small() {
		text = b.T().Get("at %s, not here", b.Location.Code)
	}
	return indent(b.Env.Theme.Warn(widget.Clip(text, size.Width-2-margin(size))), size)
}

// switchLocation returns the action that switches to a location.
func (b *CountPanel) switchLocation(p Location) tui.Action {
	t := b.T()

	return tui.Action{ID: "dock.there", Keys: []string{"f6"}, Label: t.Get("work at %s", p.Code), Short: p.Code, Help: t.Get("Switch to this location"),
		Run: func() tea.Cmd {
			return Navigate(b.Site, []Destination{{Label: t.Get("Work at %s", p), Location: p}})
		}}
}

// confirmWrongLocation asks once whether to book at another location than the
// operator's. It returns nil if there is nothing to ask.
func (b *CountPanel) confirmWrongLocation(then func() tea.Cmd) tea.Cmd {
	if !b.wrongLocation() || b.confirmedLocation == b.Location {
		return nil
	}
	return tui.Confirm(tui.Question{Text: b.T().Get("This is at %s, but you are at %s. Book it there?", b.Location, b.Site.Location()), Yes: b.Verb, OnYes: func() tea.Cmd {
		b.confirmedLocation = b.Location
		return then()
	}})
}
