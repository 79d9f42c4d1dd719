package labels

import (
	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/views/session"
)

// PrintKey is the key of the actions that print labels, on all screens.
const PrintKey = "ctrl+k"

// PrintActions returns the action that opens the screen to print a label. It returns no
// action on a terminal without labels. request returns the label to print, or the reason why
// nothing can be printed now.
func PrintActions(site *session.Site, request func() (r Request, none string)) []tui.Action {
	if site.Labels() == nil {
		return nil
	}

	t := site.T()

	return []tui.Action{
		{
			ID:       "labels.print",
			Key:      PrintKey,
			Label:    t.Get("print label"),
			Short:    t.GetC("label", "print"),
			Help:     t.Get("Print a label of it"),
			NoFooter: !site.HasPrinter(),
			Disabled: func() string { _, none := request(); return none },
			Run:      func() tea.Cmd { r, _ := request(); return tui.Open(r.Route()) },
		},
	}
}

// Always returns a request as PrintActions takes it.
func Always(r Request) func() (Request, string) {
	return func() (Request, string) { return r, "" }
}
