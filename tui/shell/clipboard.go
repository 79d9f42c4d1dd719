package shell

import (
	"fmt"

	"bincard/tui"
	"bincard/tui/clip"

	tea "github.com/charmbracelet/bubbletea"
)

type copiedMsg struct {
	sequence string
	err      error
}

// copy copies text to the clipboard of the machine or the terminal.
func (m *Model) copy(text string) tea.Cmd {
	copier := m.opts.Copier
	if copier == nil {
		copier = clip.Remote
	}
	return func() tea.Msg {
		sequence, err := copier(text)
		return copiedMsg{sequence: sequence, err: err}
	}
}

func (m *Model) copied(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		return m.showFault(0, tui.FailMsg{Text: fmt.Sprintf(m.t.Get("Not copied: %v"), msg.err)})
	}
	cmd := m.showToast(tui.ToastMsg{Text: m.t.Get("Copied")})
	if msg.sequence != "" {
		cmd = tea.Batch(m.write(msg.sequence), cmd)
	}
	return cmd
}
