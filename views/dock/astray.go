package dock

import (
	"fmt"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// astray tells that the goods are handled at another place than one stands at.
func (b *Bench) astray() bool {
	here := b.Site.Place()
	return b.Where.Chosen() && here.Chosen() && here.ID != b.Where.ID
}

// Warning is the line that says where the goods are when one stands elsewhere,
// or "".
func (b *Bench) Warning(size tui.Size) string {
	if !b.astray() {
		return ""
	}
	text := fmt.Sprintf(astrayWords, b.Where, b.Site.Place().Code)
	if size.Small() {
		text = fmt.Sprintf(astrayShort, b.Where.Code)
	}
	return indent(b.Env.Theme.Warn(widget.Clip(text, size.Width-2-margin(size))), size)
}

// goThere makes a place that where one stands.
func (b *Bench) goThere(p Place) tui.Action {
	return tui.Action{ID: "dock.there", Keys: []string{"f6"}, Label: fmt.Sprintf(labelThere, p.Code), Short: p.Code, Help: helpThere,
		Run: func() tea.Cmd { return Follow(b.Site, []Target{{Label: fmt.Sprintf(leadPlace, p), Place: p}}) }}
}

// abroad asks once whether to book at another place than one stands at; nil
// when there is nothing to ask.
func (b *Bench) askAbroad(then func() tea.Cmd) tea.Cmd {
	if !b.astray() || b.abroad == b.Where {
		return nil
	}
	return tui.Confirm(tui.Question{Text: fmt.Sprintf(askAbroad, b.Where, b.Site.Place()), Yes: b.Verb, OnYes: func() tea.Cmd {
		b.abroad = b.Where
		return then()
	}})
}
