package tui

import (
	"context"
	"errors"
	"time"

	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// fault is the error, or the doubt, that stands until it is acknowledged.
type fault struct {
	text    string
	note    string // what was refused because of it
	screen  int    // whose it is; 0 is the shell's
	actions []Action
	doubt   bool
	code    string
	yes     func() tea.Cmd
	waiting []failMsg // errors that came while this one stood
}

func (f *fault) standing() bool { return f.text != "" }

func (f *fault) clear() { *f = fault{waiting: f.waiting} }

// orphaned keeps an error standing whose screen is closed, without what only
// that screen could do.
func (f *fault) orphaned() {
	if f.doubt {
		f.clear()
		return
	}
	f.screen, f.actions = 0, nil
}

// words of an error; a limit that passed is told as people say it.
func (m *Model) wordsOf(msg failMsg) string {
	if errors.Is(msg.err, context.DeadlineExceeded) {
		return m.words.Say("slow", int(m.opts.Limit.Seconds()))
	}
	return widget.Clean(msg.text)
}

// fail shows an error with two bells. One that stands already is not painted
// over: the next comes when it is acknowledged.
func (m *Model) fail(screen int, msg failMsg) tea.Cmd {
	text := m.wordsOf(msg)
	if text == "" {
		return nil
	}
	if m.faults.standing() && !m.faults.doubt {
		if m.faults.text != text {
			m.faults.waiting = append(m.faults.waiting, msg)
		}
		return m.ring(2)
	}
	m.faults = fault{text: text, screen: screen, actions: msg.actions,
		doubt: msg.doubt, code: msg.code, yes: msg.yes, waiting: m.faults.waiting}
	m.scans.forgetKeys()
	kind := VerdictFault
	if msg.doubt {
		kind = VerdictDoubt
	}
	m.witness(Verdict{Kind: kind, Text: text})
	m.opts.Log.Info("shown to the operator", "error", m.faults.text)
	return m.ring(2)
}

// notes tells at the start what is wrong with the settings: the first of it, as
// the settings screen tells all.
func (m *Model) notes() tea.Cmd {
	if len(m.opts.Notes) == 0 {
		return nil
	}
	text := m.opts.Notes[0]
	if more := len(m.opts.Notes) - 1; more > 0 {
		text += " " + m.words.Say("notes.more", more)
	}
	return m.fail(0, failMsg{text: text})
}

// acknowledge takes the standing error away; the next one may come.
func (m *Model) acknowledge() tea.Cmd {
	rest := m.faults.waiting
	screen := m.faults.screen
	m.faults = fault{}
	if len(rest) > 0 {
		m.faults.waiting = rest[1:]
		return m.fail(screen, rest[0])
	}
	return m.drain()
}

// faultKey handles a key while an error stands: enter, esc and the error's own
// actions; everything else is swallowed, so that nobody works on blindly.
func (m *Model) faultKey(key string) tea.Cmd {
	for _, a := range m.faults.actions {
		if a.Off() == "" && contains(m.opts.Keys.Of(a), key) {
			owner := m.frame(m.faults.screen)
			if owner == nil {
				owner = m.top()
			}
			return tea.Batch(m.acknowledge(), m.runAction(owner, a))
		}
	}
	if key == "enter" || key == "esc" {
		return m.acknowledge()
	}
	return nil
}

// toast is a line that goes away by itself.
type toast struct {
	id   int
	text string
	warn bool
}

const toastStays = 4 * time.Second

type toastEndMsg struct{ id int }

func (t *toast) set(text string, warn bool) int {
	t.id++
	t.text, t.warn = widget.Clean(text), warn
	return t.id
}

func (t *toast) end(id int) {
	if id == t.id {
		t.text = ""
	}
}

// say shows a toast.
func (m *Model) say(msg toastMsg) tea.Cmd {
	id := m.toast.set(msg.text, msg.warn)
	kind := VerdictDone
	if msg.warn {
		kind = VerdictWarn
	}
	m.witness(Verdict{Kind: kind, Text: m.toast.text})
	return m.opts.Clock.Tick(toastStays, func(time.Time) tea.Msg { return toastEndMsg{id} })
}

// Fault is the error that stands, or "", for tests and plain mode.
func (m *Model) Fault() string { return m.faults.text }

// Toast is the line that says what succeeded, or "", for tests and plain mode.
func (m *Model) Toast() string { return m.toast.text }
