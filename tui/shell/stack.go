package shell

import (
	"errors"

	"bincard/tui"
	"bincard/tui/shell/internal/pending"

	tea "github.com/charmbracelet/bubbletea"
)

// openRoute opens a screen above the one on top, or in its place. If another operator has
// the draft that it would open, it asks first.
func (m *Model) openRoute(msg tui.OpenMsg) tea.Cmd {
	entry, route, err := m.opts.Registry.Find(msg.Route)
	if err != nil {
		return m.alerts.error(m.t.Message(err.Error()))
	}
	replace := msg.Replace
	if route.Path == m.Route() && !replace {
		return nil
	}
	m.nextID++
	id := m.nextID
	env, cancel := tui.Env{Theme: m.opts.Theme, Keys: m.opts.Keys, Clock: m.opts.screenClock(), Log: m.opts.Log,
		Supervisor: m.login.Supervisor, Limited: m.login.Limited, Allowed: m.login.Allows, Approver: func() string { return m.pending.ApprovedBy(id) }, Operator: m.operator, T: m.t, Route: route, Drafts: m.opts.Drafts}.Bind(m.ctx, id, m.opts.Limit)
	if entry.Denied == nil || entry.Denied(env) == "" {
		switch d, asks, err := m.claimDraft(entry, route.Path, msg.DraftOf); {
		case err != nil:
			cancel()
			return m.alerts.error(m.t.Get("Cannot open the draft: %v", err))
		case asks:
			cancel()
			return m.askTakeOver(d, msg)
		}
	}
	screen, err := buildScreen(entry, env)
	if err != nil {
		cancel()
		return m.alerts.error(m.t.Message(err.Error()))
	}
	if replace && len(m.screens) > 0 {
		m.dispose(m.top())
		m.disposeRoute(route.Path)
	}
	s := &openScreen{id: id, cancel: cancel, env: env, screen: screen}
	if d, ok, err := m.opts.Drafts.Load(route.Path, m.operator); ok && err == nil {
		s.draft, s.hasDraft, s.from = string(d.Data), true, d.From
	}
	m.screens = append(m.screens, s)
	init := m.pending.From(pending.Source{Screen: id, ApprovedBy: m.pending.Source().ApprovedBy}, func() tea.Cmd { return screen.Init(env) })
	cmd := m.pending.WithCause(pending.Opening, func() tea.Cmd { return m.pending.Start(id, init) })
	m.saveDraft(s)
	m.saveSession()
	if s.from != "" {
		cmd = tea.Batch(cmd, m.alerts.success(m.t.Get("Taken over from %s", s.from)))
	}
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
func (m *Model) dispose(s *openScreen) {
	m.saveDraft(s)
	s.cancel()
	for i, other := range m.screens {
		if other == s {
			m.screens = append(m.screens[:i:i], m.screens[i+1:]...)
			break
		}
	}
	m.pending.RemoveScreen(s.id)
	if m.alerts.fault.Screen == s.id {
		m.alerts.fault.Detach()
	}
	m.dialogs.CloseScreen(s.id)
}

// disposeRoute removes the screen with a route below a new one, so that only one screen
// writes the draft of the route. The first screen stays.
func (m *Model) disposeRoute(path string) {
	for _, s := range m.screens {
		if s.env.Route.Path == path && s != m.screens[0] {
			m.dispose(s)
			return
		}
	}
}

// back closes the screen on top, or says why it cannot be closed.
func (m *Model) back() tea.Cmd {
	s := m.top()
	if s == nil || len(m.screens) == 1 {
		return nil
	}
	if reason := m.cannotLeave(s); reason != "" {
		return m.alerts.warn(reason)
	}
	return m.closeScreen(s.id)
}

// cannotLeave returns why a screen cannot be closed now, or "".
func (m *Model) cannotLeave(s *openScreen) string {
	if s.busy() {
		return m.t.Get("Still sending. Wait a moment")
	}
	if l, ok := s.screen.(tui.Leaver); ok {
		if ok, reason := l.CanLeave(); !ok {
			return reason
		}
	}
	return ""
}

// closeScreen closes the screen with an ID, or the one on top if id is 0. The last screen
// stays.
func (m *Model) closeScreen(id int) tea.Cmd {
	s := m.open(id)
	if id == 0 {
		s = m.top()
	}
	if s == nil || len(m.screens) == 1 {
		return nil
	}
	wasTop := s == m.top()
	m.dispose(s)
	m.saveSession()
	var cmds []tea.Cmd
	if s.hasDraft {
		cmds = append(cmds, m.alerts.success(m.t.Get("Draft saved: %s", m.draftName(tui.Draft{Route: s.env.Route.Path, Owner: s.env.Operator, Data: []byte(s.draft)}))))
	}
	if wasTop {
		cmds = append(cmds, m.refreshTop())
	}
	return tea.Batch(cmds...)
}

func (m *Model) refreshTop() tea.Cmd {
	s := m.top()
	if r, ok := s.screen.(tui.Refresher); ok {
		return m.run(s, r.Refresh())
	}
	return nil
}

func (m *Model) goHome() tea.Cmd {
	if len(m.screens) < 2 {
		return nil
	}
	for len(m.screens) > 1 {
		if reason := m.cannotLeave(m.top()); reason != "" {
			return tea.Batch(m.alerts.warn(reason), m.refreshTop())
		}
		m.dispose(m.top())
	}
	m.saveSession()
	return m.refreshTop()
}
