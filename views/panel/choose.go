package panel

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// Choose opens the only row, or asks which one. line describes a row in the list.
func Choose[T any](question string, rows []T, line func(row *T) string, open func(row *T) tea.Cmd) tea.Cmd {
	if len(rows) == 1 {
		return open(&rows[0])
	}
	options := make([]string, len(rows))
	for i := range rows {
		options[i] = line(&rows[i])
	}
	return tui.Choose(tui.Choice{Text: question, Options: options, OnChoice: func(i int) tea.Cmd { return open(&rows[i]) }})
}
