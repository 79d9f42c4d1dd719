package tui

import (
	"time"

	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// scanner is what the shell knows of the device in the worker's hand.
type scanner struct {
	collector *scan.Collector
	queue     []scan.Scan // came while the screen was busy, in order
}

func newScanner(now func() time.Time) scanner {
	return scanner{collector: scan.NewCollector(now)}
}

// scanTickMsg is the call the collector asked for.
type scanTickMsg struct{}

// heard takes every key of the terminal: the collector tells scans from keys.
func (m *Model) heard(key tea.KeyMsg) tea.Cmd {
	return m.steps(m.scans.collector.Key(key))
}

// silence tells the collector that time has passed.
func (m *Model) silence() tea.Cmd {
	return m.steps(m.scans.collector.Tick())
}

func (m *Model) steps(step scan.Step) tea.Cmd {
	var cmds []tea.Cmd
	if step.Wait > 0 {
		cmds = append(cmds, m.opts.Clock.Tick(step.Wait, func(time.Time) tea.Msg { return scanTickMsg{} }))
	}
	for _, e := range step.Events {
		if e.Scan != nil {
			cmds = append(cmds, m.onScan(*e.Scan))
		} else {
			cmds = append(cmds, m.pressed(e.Key))
		}
	}
	return tea.Batch(cmds...)
}

// onScan decides what becomes of a scan: refused aloud, kept for later, or
// handed to the screen.
func (m *Model) onScan(s scan.Scan) tea.Cmd {
	if m.dialog != nil {
		if cmd, done := m.dialogScan(s); done {
			return cmd
		}
	}
	if m.faults.standing() {
		if !m.faults.doubt {
			m.faults.note = m.words.Say("scan.refused")
			return m.ring(2)
		}
		yes := m.faults.yes
		same := m.faults.code == s.Raw
		owner := m.frame(m.faults.screen)
		m.faults.clear()
		if same && yes != nil && owner != nil {
			return m.flights.during(true, func() tea.Cmd { return m.run(owner, yes()) })
		}
	}
	if s.Kind == scan.KindRefused {
		return m.fail(0, failMsg{text: m.words.Say("scan.toomuch")})
	}
	m.scans.queue = append(m.scans.queue, s)
	return m.drain()
}

// drain hands waiting scans to the screen as long as it takes them.
func (m *Model) drain() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.scans.queue) > 0 && m.receptive() {
		s := m.scans.queue[0]
		m.scans.queue = m.scans.queue[1:]
		cmds = append(cmds, m.flights.during(true, func() tea.Cmd { return m.hand(s) }))
	}
	return tea.Batch(cmds...)
}

// receptive reports whether the screen on top can take a scan now: it is not
// busy, and the scan before is finished with.
func (m *Model) receptive() bool {
	f := m.top()
	if f == nil || m.faults.standing() || m.dialog != nil || m.flights.scanning() {
		return false
	}
	w, ok := f.screen.(Worker)
	return !ok || !w.Busy()
}

// hand gives the screen on top one scan; one that takes no scans may have a
// text field that takes its text.
func (m *Model) hand(s scan.Scan) tea.Cmd {
	f := m.top()
	if taker, ok := f.screen.(Scanner); ok {
		return m.run(f, taker.OnScan(s))
	}
	text := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s.Text), Paste: true}
	if t, ok := f.screen.(Typist); ok && t.Types(text) {
		return m.update(f, text)
	}
	return tea.Batch(m.ring(2), m.say(toastMsg{text: m.words.Say("scan.nowhere"), warn: true}))
}
