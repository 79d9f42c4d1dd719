package shell

import (
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell/internal/input"
	"bincard/tui/shell/internal/keys"
	"bincard/tui/shell/internal/pending"

	tea "github.com/charmbracelet/bubbletea"
)

// drain delivers waiting scans, and the keys after them, as long as the screen takes them.
func (m *Model) drain() tea.Cmd {
	if m.alerts.fault.Active() {
		m.input.DiscardKeys()
	}
	var cmds []tea.Cmd
	for !m.input.Empty() {
		e := m.input.First()
		if e.Scan == nil && m.pending.StrongestCause() == pending.Scan || e.Scan != nil && !m.canTakeScan() {
			break
		}
		m.input.RemoveFirst()
		if e.Scan != nil {
			cmds = append(cmds, m.pending.WithCause(pending.Scan, func() tea.Cmd { return m.deliverScan(*e.Scan) }))
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
	return !m.input.Empty() || m.pending.StrongestCause() == pending.Scan
}

// deliverScan sends a scan to the screen on top, as text if the screen has only an input
// for text.
func (m *Model) deliverScan(scanned scan.Scan) tea.Cmd {
	top := m.screens.top()
	if cmd, typed := m.typeBurst(top, scanned); typed {
		return cmd
	}
	if screen, ok := top.screen.(tui.Scanner); ok {
		return m.screens.run(top, screen.OnScan(scanned))
	}
	text := input.Text(scanned.Text)
	if top.accepts(text) {
		return m.screens.update(top, text)
	}
	return m.alerts.refuse(m.t.Get("This screen does not accept scans. Nothing was counted"))
}

// screenKey handles a key of the screen on top: its input first, then its actions, then
// its Update.
func (m *Model) screenKey(k tea.KeyMsg) tea.Cmd {
	top, key := m.screens.top(), keys.Of(k)
	if top == nil {
		return nil
	}
	if top.accepts(k) {
		return m.screens.update(top, k)
	}
	a, ok := keys.ActionFor(m.opts.Keys, top.screen.Actions(), key)
	if m.typed.Contains(k, ok, m.opts.Clock.Now()) {
		return m.alerts.warn(m.t.Get("Nothing was done. Press F2 to type a code"))
	}
	if ok {
		return m.runAction(top, a)
	}
	switch key {
	case "?":
		return m.showHelp()
	case "esc":
		return m.screens.back()
	}
	return m.screens.update(top, k)
}

// burstWindow is how long after a burst of text a burst with an end key is still text.
const burstWindow = 2 * time.Second

// typeBurst types a burst into the focused field of a form, if it is text that a person
// typed over a slow connection: no key ended it, or it follows such a burst. A code that
// only a scanner sends is not text.
func (m *Model) typeBurst(top *openScreen, scanned scan.Scan) (cmd tea.Cmd, typed bool) {
	if !m.isTyped(scanned, top.id) {
		return nil, false
	}
	text := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(scanned.Raw)}
	if !top.accepts(tea.KeyMsg{Type: tea.KeyTab}) || !top.accepts(text) {
		return nil, false
	}
	m.startBurst(top.id)
	cmd = m.screens.update(top, text)
	if !scanned.Unterminated {
		cmd = tea.Batch(cmd, m.screenKey(tea.KeyMsg{Type: tea.KeyEnter}))
	}
	return cmd, true
}

// dialogBurst stands for the dialog on top in place of the screen of a burst.
const dialogBurst = -1

// typeDialogBurst is typeBurst for the input of the dialog on top.
func (m *Model) typeDialogBurst(scanned scan.Scan) (cmd tea.Cmd, typed bool) {
	text, ok := m.dialogs.Input()
	if text == "" && m.lastBurstScreen == dialogBurst {
		m.lastBurst = time.Time{} // it was typed into another dialog
	}
	if !ok || !m.isTyped(scanned, dialogBurst) {
		return nil, false
	}
	m.startBurst(dialogBurst)
	cmd = m.handleKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(scanned.Raw)})
	if !scanned.Unterminated {
		cmd = tea.Batch(cmd, m.handleKey(tea.KeyMsg{Type: tea.KeyEnter}))
	}
	return cmd, true
}

// isTyped reports whether a person may have typed a burst: no key ended it, or it follows
// such a burst into the same input.
func (m *Model) isTyped(scanned scan.Scan, screen int) bool {
	follows := m.lastBurstScreen == screen && m.opts.Clock.Now().Sub(m.lastBurst) <= burstWindow
	return (scanned.Unterminated || follows) && (scanned.Kind == scan.KindPlain || !scanned.OK())
}

// startBurst records a burst that was typed. It is no scan.
func (m *Model) startBurst(screen int) {
	m.lastBurst, m.lastBurstScreen = m.opts.Clock.Now(), screen
	m.lastScan = time.Time{}
}
