package shell

import (
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell/internal/input"

	tea "github.com/charmbracelet/bubbletea"
)

// drain delivers waiting scans, and the keys after them, as long as the screen takes them.
func (m *Model) drain() tea.Cmd {
	if m.hasFault() {
		m.input.DiscardKeys()
	}

	var cmds []tea.Cmd
	for !m.input.Empty() {
		e := m.input.First()
		if e.Scan == nil && m.pending.StrongestCause() == input.Scan || e.Scan != nil && !m.canTakeScan() {
			break
		}

		m.unchanged = false
		m.input.RemoveFirst()
		if e.Scan != nil {
			cmds = append(cmds, m.pending.WithCause(input.Scan, func() tea.Cmd { return m.deliverScan(*e.Scan) }))
		} else {
			cmds = append(cmds, m.screenKey(e.Key))
		}
	}

	return tea.Batch(cmds...)
}

// keyMustWait reports whether a key waits for earlier scans: enter after a scan books that
// scan too, even on a slow connection. Keys that only navigate do not wait.
func (m *Model) keyMustWait(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyEsc, tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd:
		return false
	}
	return !m.input.Empty() || m.pending.StrongestCause() == input.Scan
}

// deliverScan sends a scan to the screen on top, as text if the screen has only an input
// for text.
func (m *Model) deliverScan(scanned scan.Scan) tea.Cmd {
	top := m.screens.top()
	form := top.accepts(tea.KeyMsg{Type: tea.KeyTab}) &&
		top.accepts(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(scanned.Raw)})
	if cmd, typed := m.typeBurst(top.id, form, scanned, m.screenKey); typed {
		return cmd
	}
	if screen, ok := top.screen.(tui.Scanner); ok {
		return m.screens.run(top, screen.OnScan(scanned))
	}

	text := input.Text(scanned.Text)
	if top.accepts(text) {
		return m.screens.update(top, text)
	}

	return m.alerts.refuse(m.t.Get("This screen does not accept scans. Nothing was counted."))
}

// screenKey handles a key of the screen on top: its input first, then its actions, then
// its Update.
func (m *Model) screenKey(k tea.KeyMsg) tea.Cmd {
	top, key := m.screens.top(), input.KeyOf(k)
	if top == nil {
		return nil
	}
	if top.accepts(k) {
		return m.screens.update(top, k)
	}

	a, ok := input.ActionFor(m.opts.Keys, top.screen.Actions(), key)
	if m.timing.InCode(k, ok) {
		return m.alerts.warn(m.t.Get("Nothing was done. Press F2 to type a code."))
	}
	if ok {
		return m.actions.run(top.id, a)
	}

	switch key {
	case "?":
		return m.actions.help()
	case "esc":
		return m.screens.back()
	}

	return m.screens.update(top, k)
}

// dialogBurst stands for the dialog on top in place of the screen of a burst.
const dialogBurst = -1

// typeBurst types a burst into an input, if a person typed it and the input takes it. press
// handles a key of the input.
func (m *Model) typeBurst(
	input int,
	takes bool,
	scanned scan.Scan,
	press func(tea.KeyMsg) tea.Cmd,
) (cmd tea.Cmd, typed bool) {
	if !takes || !m.timing.TypedBurst(scanned, input) {
		return nil, false
	}
	cmd = press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(scanned.Raw)})
	if !scanned.Unterminated {
		cmd = tea.Batch(cmd, press(tea.KeyMsg{Type: tea.KeyEnter}))
	}
	return cmd, true
}
