package shell

import (
	"errors"
	"net/url"
	"os"
	"strings"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell/internal/alert"

	tea "github.com/charmbracelet/bubbletea"
)

// operatorChanged shows the operator in the header and tells Login.OnChange. The screens of
// another operator close: openSession opens those of the new one.
func (m *Model) operatorChanged(name string) {
	if name != "" && name != m.operator {
		m.leaveSession()
		m.operator = name
	}
	m.status.Operator = name
	if m.opts.Login.OnChange != nil {
		m.opts.Login.OnChange(name)
	}
}

// leaveSession closes everything that belongs to the operator and saves the drafts.
func (m *Model) leaveSession() {
	m.dialogs.Close() // they, and the right to answer them, are those of the operator
	m.approval = nil
	if m.operator != "" {
		m.lastOpen[m.operator] = m.Routes()
		m.alerts.fault = alert.Fault{}
	}
	for len(m.screens) > 0 {
		m.dispose(m.top())
	}
	if n := m.input.Discard(); n > 0 {
		m.opts.Log.Warn("scans discarded: another operator signed in", "count", n)
	}
	m.firstID = m.nextID + 1
	m.searching = false
	m.savedSession = ""
}

// openSession opens the operator's first screens, if none is open.
func (m *Model) openSession() tea.Cmd {
	if len(m.screens) > 0 {
		return nil
	}
	var cmds []tea.Cmd
	routes, saved := m.startRoutes()
	for _, route := range routes {
		if saved && m.othersHave(route) {
			continue // somebody took it over
		}
		cmds = append(cmds, m.openRoute(tui.OpenMsg{Route: route}))
	}
	return tea.Batch(cmds...)
}

// startRoutes returns the routes to open, and whether a session saved them. The first one
// is home, which is all that is open until somebody has signed in.
func (m *Model) startRoutes() (routes []string, saved bool) {
	home := m.opts.Registry.Home()
	if m.login.Enabled() && m.operator == "" {
		return []string{home}, false
	}
	if routes = m.opts.Start; m.started || len(routes) == 0 {
		routes, saved = m.savedRoutes(), true
	}
	m.started = true
	if len(routes) == 0 || routes[0] != home {
		routes = append([]string{home}, routes...)
	}
	return routes, saved
}

// savedRoutes returns the known routes that the operator left, here or in an earlier
// session.
func (m *Model) savedRoutes() []string {
	if routes := m.lastOpen[m.operator]; len(routes) > 0 || !m.opts.Restore || m.opts.Session == "" {
		return routes
	}
	raw, err := os.ReadFile(m.sessionFile())
	if errors.Is(err, os.ErrNotExist) && !m.started && m.operator == m.opts.Login.Current {
		raw, err = os.ReadFile(m.opts.Session) // of an earlier version
	}
	if err != nil {
		if !errors.Is(err, os.ErrNotExist) {
			m.opts.Log.Warn("session not restored", "error", err)
		}
		return nil
	}
	var routes []string
	for _, line := range strings.Split(string(raw), "\n") {
		if _, _, err := m.opts.Registry.Find(line); line != "" && err == nil {
			routes = append(routes, line)
		}
	}
	return routes
}

// sessionFile returns the file with the operator's open routes.
func (m *Model) sessionFile() string {
	if m.operator == "" {
		return m.opts.Session
	}
	return m.opts.Session + "@" + url.PathEscape(m.operator)
}

// saveSession writes the operator's open routes to the session file, one per line.
func (m *Model) saveSession() {
	text := strings.Join(m.Routes(), "\n")
	if m.opts.Session == "" || text == m.savedSession || m.login.Enabled() && m.operator == "" {
		return
	}
	if err := drafts.WriteFile(m.sessionFile(), []byte(text)); err != nil {
		m.opts.Log.Warn("session not saved", "error", err)
		return
	}
	m.savedSession = text
}
