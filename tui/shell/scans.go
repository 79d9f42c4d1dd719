package shell

import (
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// scanner is what the shell knows of the device in the worker's hand.
type scanner struct {
	collector *scan.Collector
	queue     []scan.Event // what waits for the screen, in order: scans, and keys behind them
}

func newScanner(now func() time.Time) scanner {
	return scanner{collector: scan.NewCollector(now)}
}

func (s *scanner) empty() bool { return len(s.queue) == 0 }

// pendingScans counts the scans that wait.
func (s *scanner) pendingScans() int {
	n := 0
	for _, e := range s.queue {
		if e.Scan != nil {
			n++
		}
	}
	return n
}

// discardKeys drops keys that wait behind a scan which ended in a message: they
// were pressed before anybody could read it.
func (s *scanner) discardKeys() {
	s.queue = slices.DeleteFunc(s.queue, func(e scan.Event) bool { return e.Scan == nil })
}

// scanTickMsg is the call the collector asked for.
type scanTickMsg struct{}

// collectKey takes every key of the terminal: the collector tells scans from keys.
func (m *Model) collectKey(key tea.KeyMsg) tea.Cmd {
	return m.handleStep(m.scans.collector.Key(key))
}

// collectTick tells the collector that time has passed.
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

// onScan decides what becomes of a scan: refused aloud, kept for later, or
// handed to the screen.
func (m *Model) onScan(s scan.Scan) tea.Cmd {
	m.login.lastInput = m.opts.Clock.Now()
	if m.loginRequired() {
		return m.loginScan(s.Text)
	}
	if o := m.operatorByBadge(s.Text); o != nil {
		return m.presentBadge(o)
	}
	if c, known, mine := parseCommand(s.Text); known {
		return m.runCommand(c)
	} else if mine {
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
		yes := m.fault.yes
		same := m.fault.code == s.Raw
		owner := m.frame(m.fault.screen)
		m.fault.clear()
		if same && yes != nil && owner != nil {
			return m.pending.withCause(causeScan, func() tea.Cmd { return m.run(owner, yes()) })
		}
	}
	if s.Kind == scan.KindRefused {
		return m.showFault(0, tui.FailMsg{Text: m.t.Get("Too much text for a code. Nothing was counted")})
	}
	m.scans.queue = append(m.scans.queue, scan.Event{Scan: &s})
	return m.drain()
}

// keyMustWait reports whether a key must stay behind scans that are not finished with:
// enter pressed after a scan books it too, however slow the link is. Keys that
// only look around, leave or steer the shell do not wait.
func (m *Model) keyMustWait(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyEsc, tea.KeyUp, tea.KeyDown, tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd:
		return false
	}
	return !m.scans.empty() || m.pending.strongestCause() == causeScan
}

// drain hands waiting scans, and the keys behind them, to the screen as long as
// it takes them.
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

// canTakeScan reports whether the screen on top can take a scan now: it is not
// busy, and the scan before is finished with.
func (m *Model) canTakeScan() bool {
	f := m.top()
	if f == nil || m.loginRequired() || m.fault.active() || m.dialog != nil || m.pending.strongestCause() > causeNone {
		return false
	}
	w, ok := f.screen.(tui.Busy)
	return !ok || !w.Busy()
}

// deliverScan gives the screen on top one scan; one that takes no scans may have a
// text field that takes its text.
func (m *Model) deliverScan(s scan.Scan) tea.Cmd {
	f := m.top()
	if taker, ok := f.screen.(tui.Scanner); ok {
		return m.run(f, taker.OnScan(s))
	}
	text := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s.Text), Paste: true}
	if t, ok := f.screen.(tui.TextInput); ok && t.AcceptsKey(text) {
		return m.update(f, text)
	}
	return tea.Batch(m.ring(2), m.showToast(tui.ToastMsg{Text: m.t.Get("This screen does not accept scans. Nothing was counted"), Warn: true}))
}
