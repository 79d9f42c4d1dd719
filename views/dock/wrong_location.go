package dock

import (
	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// wrongLocation tells that the goods are handled at another place than one stands at.
func (b *CountPanel) wrongLocation() bool {
	here := b.Site.Location()
	return b.Location.IsSet() && here.IsSet() && here.ID != b.Location.ID
}

// LocationWarning is the line that says where the goods are when one stands elsewhere,
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

// switchLocation makes a place that where one stands.
func (b *CountPanel) switchLocation(p Location) tui.Action {
	t := b.T()

	return tui.Action{ID: "dock.there", Keys: []string{"f6"}, Label: t.Get("work at %s", p.Code), Short: p.Code, Help: t.Get("Switch to this location"),
		Run: func() tea.Cmd {
			return Navigate(b.Site, []Destination{{Label: t.Get("Work at %s", p), Location: p}})
		}}
}

// abroad asks once whether to book at another place than one stands at; nil
// when there is nothing to ask.
func (b *CountPanel) confirmWrongLocation(then func() tea.Cmd) tea.Cmd {
	if !b.wrongLocation() || b.confirmedLocation == b.Location {
		return nil
	}
	return tui.Confirm(tui.Question{Text: b.T().Get("This is at %s, but you are at %s. Book it there?", b.Location, b.Site.Location()), Yes: b.Verb, OnYes: func() tea.Cmd {
		b.confirmedLocation = b.Location
		return then()
	}})
}
