package shell

import (
	"strings"
	"time"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

const ctrlCWindow = 3 * time.Second

// interrupt handles ctrl+c. Some scanners send it around a code, so it takes two to quit.
func (m *Model) interrupt(now time.Time) tea.Cmd {
	if !m.lastCtrlC.IsZero() && now.Sub(m.lastCtrlC) <= ctrlCWindow {
		m.lastCtrlC = time.Time{}
		return m.askQuit()
	}
	m.lastCtrlC = now
	return m.showToast(tui.ToastMsg{Text: m.t.Get("Press ctrl+c again to quit"), Warn: true})
}

// askQuit ends the session, or asks first if work is unsent.
func (m *Model) askQuit() tea.Cmd {
	var reasons, drafts []string
	for _, f := range m.frames {
		m.saveDraft(f)
		if w, ok := f.screen.(tui.Busy); ok && w.Busy() {
			reasons = append(reasons, m.t.Get("Still sending: %s. Quit anyway?", m.shortTitle(f)))
		} else if l, ok := f.screen.(tui.Leaver); ok {
			if ok, reason := l.CanLeave(); !ok {
				reasons = append(reasons, m.t.Get("%s Quit anyway?", reason))
			}
		}
		if f.hasDraft {
			drafts = append(drafts, m.shortTitle(f))
		}
	}
	if len(drafts) > 0 {
		reasons = append(reasons, m.t.Get("Unsent drafts are saved: %s. Quit?", joinWords(drafts)))
	}
	if len(reasons) == 0 {
		return m.end()
	}
	return m.openDialog(0, tui.DialogMsg{Question: &tui.Question{Text: strings.Join(reasons, " "),
		Yes: m.t.Get("quit"), OnYes: func() tea.Cmd { return func() tea.Msg { return endMsg{} } }}})
}

type endMsg struct{}

// end saves the drafts and the open routes and stops the program.
func (m *Model) end() tea.Cmd {
	m.ended = true
	m.saveAll()
	m.cancel()
	return tea.Quit
}

type hangupMsg struct{}

// hangup ends the session without a question because the connection is gone.
func (m *Model) hangup() tea.Cmd {
	m.opts.Log.Info("hung up: drafts and open screens are kept")
	return m.end()
}

// saveAll saves all drafts and the open routes. A screen that panics keeps its previous
// draft.
func (m *Model) saveAll() {
	for _, f := range m.frames {
		func() {
			defer func() {
				if cause := recover(); cause != nil {
					m.opts.Log.Error("draft not taken", "route", f.env.Route.Path, "cause", cause)
				}
			}()
			m.saveDraft(f)
		}()
	}
	m.saveSession()
}

func joinWords(words []string) string { return strings.Join(words, ", ") }
