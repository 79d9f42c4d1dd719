package shell

import (
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// scanner is the input of the terminal.
type scanner struct {
	collector *scan.Collector
	queue     []scan.Event // scans that wait for the screen, and keys after them
}

func newScanner(now func() time.Time) scanner {
	return scanner{collector: scan.NewCollector(now)}
}

func (s *scanner) empty() bool { return len(s.queue) == 0 }

// pendingScans returns how many scans wait.
func (s *scanner) pendingScans() int {
	n := 0
	for _, e := range s.queue {
		if e.Scan != nil {
			n++
		}
	}
	return n
}

// discardKeys discards keys that wait after a scan which ended in a message: the operator
// pressed them before reading it.
func (s *scanner) discardKeys() {
	s.queue = slices.DeleteFunc(s.queue, func(e scan.Event) bool { return e.Scan == nil })
}

// scanTickMsg arrives after the Wait of a scan.Step.
type scanTickMsg struct{}

// collectKey handles every key of the terminal; the collector finds the scans among them.
func (m *Model) collectKey(key tea.KeyMsg) tea.Cmd {
	return m.handleStep(m.scans.collector.Key(key))
}

func (m *Model) collectTick() tea.Cmd {
	return m.handleStep(m.scans.collector.Tick())
}

func (m *Model) handleStep(step scan.Step) tea.Cmd {
	var cmds []tea.Cmd
	if step.Wait > 0 {
		cmds = append(cmds, m.opts.Clock.Tick(step.Wait, func(time.Time) tea.Msg { return scanTickMsg{} }))
	}
	for _, e := range step.Events {
		if e.Scan != nil {
			cmds = append(cmds, m.onScan(m.withScreenTime(*e.Scan)))
		} else {
			cmds = append(cmds, m.handleKey(e.Key))
		}
	}
	return tea.Batch(cmds...)
}

// onScan handles a scan: a badge, a command, an answer to what is above the screen, or a
// scan for the screen, now or later.
func (m *Model) onScan(s scan.Scan) tea.Cmd {
	m.login.lastInput = m.opts.Clock.Now()
	if m.loginRequired() {
		return m.loginScan(s.Text)
	}
	if o := m.operatorByBadge(s.Text); o != nil {
		return m.presentBadge(o)
	}
	if c, known, isCommand := parseCommand(s.Text); known {
		return m.runCommand(c)
	} else if isCommand {
		return m.showFault(0, tui.FailMsg{Text: m.t.Get("Unknown command %s. Reprint the command sheet", string(c))})
	}
	if m.dialog != nil {
		if cmd, done := m.dialogScan(s); done {
			return cmd
		}
	}
	if m.fault.active() {
		if !m.fault.confirmScan {
			m.fault.note = m.t.Get("Scan ignored. Press enter to clear the message first")
			m.notify(Notice{Kind: NoticeRefusedScan, Text: m.fault.note})
			return m.ring(2)
		}
		onYes, confirmed, f := m.fault.onYes, m.fault.code == s.Raw, m.frame(m.fault.screen)
		m.fault.clear()
		if confirmed && onYes != nil && f != nil {
			return m.pending.withCause(causeScan, func() tea.Cmd { return m.run(f, onYes()) })
		}
	}
	if s.Kind == scan.KindRefused {
		return m.showFault(0, tui.FailMsg{Text: m.t.Get("Too much text for a code. Nothing was counted")})
	}
	m.scans.queue = append(m.scans.queue, scan.Event{Scan: &s})
	return m.drain()
}

// keyMustWait reports whether a key waits for earlier scans: enter after a scan books that
// scan too, even on a slow connection. Keys that only navigate do not wait.
func (m *Model) keyMustWait(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyEsc, tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd:
		return false
	}
	return !m.scans.empty() || m.pending.strongestCause() == causeScan
}

// drain delivers waiting scans, and the keys after them, as long as the screen takes them.
func (m *Model) drain() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.scans.queue) > 0 {
		e := m.scans.queue[0]
		if e.Scan == nil && m.pending.strongestCause() == causeScan || e.Scan != nil && !m.canTakeScan() {
			break
		}
		m.scans.queue = m.scans.queue[1:]
		if e.Scan != nil {
			cmds = append(cmds, m.pending.withCause(causeScan, func() tea.Cmd { return m.deliverScan(*e.Scan) }))
		} else {
			cmds = append(cmds, m.screenKey(e.Key))
		}
	}
	return tea.Batch(cmds...)
}

// canTakeScan reports whether the screen on top can take a scan now: it is not busy, and
// the previous scan is done.
func (m *Model) canTakeScan() bool {
	f := m.top()
	if f == nil || m.loginRequired() || m.fault.active() || m.dialog != nil || m.pending.strongestCause() > causeNone {
		return false
	}
	w, ok := f.screen.(tui.Busy)
	return !ok || !w.Busy()
}

// deliverScan sends a scan to the screen on top, as text if the screen has only an input
// for text.
func (m *Model) deliverScan(s scan.Scan) tea.Cmd {
	f := m.top()
	if screen, ok := f.screen.(tui.Scanner); ok {
		return m.run(f, screen.OnScan(s))
	}
	text := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s.Text), Paste: true}
	if t, ok := f.screen.(tui.TextInput); ok && t.AcceptsKey(text) {
		return m.update(f, text)
	}
	return tea.Batch(m.ring(2), m.showToast(tui.ToastMsg{Text: m.t.Get("This screen does not accept scans. Nothing was counted"), Warn: true}))
}
