package shell

import (
	"errors"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// openRoute opens a screen above the one on top, or in its place.
func (m *Model) openRoute(path string, replace bool) tea.Cmd {
	if path == m.Route() && !replace && path != "" {
		return nil
	}
	entry, route, err := m.opts.Registry.Find(path)
	if err != nil {
		return m.showFault(0, tui.FailMsg{Text: m.t.Message(err.Error())})
	}
	m.nextID++
	env, cancel := tui.Env{Theme: m.opts.Theme, Keys: m.opts.Keys, Clock: m.opts.screenClock(), Log: m.opts.Log,
		Role: m.opts.Role, T: m.t, Route: route, Drafts: m.opts.Drafts}.Bind(m.ctx, m.nextID, m.opts.Limit)
	screen, err := buildScreen(entry, env)
	if err != nil {
		cancel()
		return m.showFault(0, tui.FailMsg{Text: m.t.Message(err.Error())})
	}
	if replace && len(m.frames) > 0 {
		m.dispose(m.top())
	}
	f := &frame{id: m.nextID, cancel: cancel, env: env, screen: screen}
	if draft, ok := env.Draft(); ok {
		f.draft, f.hasDraft = string(draft), true
	}
	m.frames = append(m.frames, f)
	cmd := m.pending.withCause(causeOpening, func() tea.Cmd { return m.route(f.id, screen.Init(env)) })
	m.saveDraft(f)
	m.saveSession()
	return tea.Batch(cmd, m.checkKeys())
}

func buildScreen(entry tui.Entry, env tui.Env) (tui.Screen, error) {
	if entry.Denied != nil {
		if reason := entry.Denied(env); reason != "" {
			return nil, errors.New(reason)
		}
	}
	return entry.Factory(env)
}

// dispose removes a screen with its pending commands and dialogs. Its draft stays.
func (m *Model) dispose(f *frame) {
	m.saveDraft(f)
	f.cancel()
	for i, other := range m.frames {
		if other == f {
			m.frames = append(m.frames[:i:i], m.frames[i+1:]...)
			break
		}
	}
	for id, c := range m.pending.commands {
		if c.screen == f.id {
			delete(m.pending.commands, id)
		}
	}
	if m.fault.screen == f.id {
		m.fault.detach()
	}
	if m.dialog != nil && m.dialog.screen == f.id {
		m.dialog = nil
	}
}

// back closes the screen on top, or says why it cannot be closed.
func (m *Model) back() tea.Cmd {
	f := m.top()
	if f == nil || len(m.frames) == 1 {
		return nil
	}
	if reason := m.cannotLeave(f); reason != "" {
		return m.showToast(tui.ToastMsg{Text: reason, Warn: true})
	}
	return m.closeScreen(f.id)
}

// cannotLeave returns why a screen cannot be closed now, or "".
func (m *Model) cannotLeave(f *frame) string {
	if w, ok := f.screen.(tui.Busy); ok && w.Busy() {
		return m.t.Get("Still sending. Wait a moment")
	}
	if l, ok := f.screen.(tui.Leaver); ok {
		if ok, reason := l.CanLeave(); !ok {
			return reason
		}
	}
	return ""
}

// closeScreen closes the screen with an ID, or the one on top if id is 0. The last screen
// stays.
func (m *Model) closeScreen(id int) tea.Cmd {
	f := m.frame(id)
	if id == 0 {
		f = m.top()
	}
	if f == nil || len(m.frames) == 1 {
		return nil
	}
	wasTop := f == m.top()
	m.dispose(f)
	m.saveSession()
	var cmds []tea.Cmd
	if f.hasDraft {
		cmds = append(cmds, m.showToast(tui.ToastMsg{Text: m.t.Get("Draft saved: %s", m.shortTitle(f))}))
	}
	if wasTop {
		cmds = append(cmds, m.refreshTop())
	}
	return tea.Batch(append(cmds, m.drain())...)
}

func (m *Model) refreshTop() tea.Cmd {
	f := m.top()
	if r, ok := f.screen.(tui.Refresher); ok {
		return m.run(f, r.Refresh())
	}
	return nil
}

func (m *Model) goHome() tea.Cmd {
	if len(m.frames) < 2 {
		return nil
	}
	for len(m.frames) > 1 {
		if reason := m.cannotLeave(m.top()); reason != "" {
			return tea.Batch(m.showToast(tui.ToastMsg{Text: reason, Warn: true}), m.refreshTop())
		}
		m.dispose(m.top())
	}
	m.saveSession()
	return m.refreshTop()
}

// saveDraft saves or discards a screen's draft if it has changed.
func (m *Model) saveDraft(f *frame) {
	saver, ok := f.screen.(tui.DraftSaver)
	if !ok {
		return
	}
	data := saver.Snapshot()
	route := f.env.Route.Path
	var err error
	switch {
	case data == nil && f.hasDraft:
		err = m.opts.Drafts.Discard(route)
	case data != nil && (!f.hasDraft || string(data) != f.draft):
		err = m.opts.Drafts.Save(route, data)
	default:
		return
	}
	if err != nil {
		m.opts.Log.Error("draft not saved", "route", route, "error", err)
		m.toast.set(m.t.Get("Draft not saved: %v", err), true)
		m.notify(Notice{Kind: NoticeWarning, Text: m.toast.text})
		return
	}
	f.draft, f.hasDraft = string(data), data != nil
}
