package panel

import (
	"errors"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"

	tea "github.com/charmbracelet/bubbletea"
)

// unknownCodeActions records the code of an UnknownCodeError and offers the list of
// unknown codes.
func (p *CountPanel) unknownCodeActions(err error) []tui.Action {
	var unknown *count.UnknownCodeError
	if !errors.As(err, &unknown) {
		return nil
	}
	p.Site.AddUnknownCode(unknown.Code, widget.Clean(p.Document.Name), p.Env.Now())
	return []tui.Action{UnknownCodesAction(p.T())}
}

// UnknownCodesAction returns the action that opens the list of unknown codes.
func UnknownCodesAction(t *i18n.Translator) tui.Action {
	return tui.Action{ID: "dock.unknown", Keys: []string{"f11"}, Label: t.Get("unknown codes"), Short: t.Get("codes"), Help: t.Get("Show the unknown codes of this shift"),
		Run: func() tea.Cmd { return tui.Open("unknown") }}
}
