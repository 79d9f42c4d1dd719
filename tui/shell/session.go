package shell

import (
	"errors"
	"os"
	"strings"
)

// startRoutes returns the routes to open at the start. The first one is home.
func (m *Model) startRoutes() []string {
	routes := m.opts.Start
	if len(routes) == 0 && m.opts.Restore {
		routes = m.savedRoutes()
	}
	home := m.opts.Registry.Home()
	if len(routes) == 0 || routes[0] != home {
		routes = append([]string{home}, routes...)
	}
	return routes
}

// savedRoutes returns the known routes of the session file.
func (m *Model) savedRoutes() []string {
	if m.opts.Session == "" {
		return nil
	}
	raw, err := os.ReadFile(m.opts.Session)
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

// saveSession writes the open routes to the session file, one per line.
func (m *Model) saveSession() {
	text := strings.Join(m.Routes(), "\n")
	if m.opts.Session == "" || text == m.savedSession {
		return
	}
	if err := replaceFile(m.opts.Session, []byte(text)); err != nil {
		m.opts.Log.Warn("session not saved", "error", err)
		return
	}
	m.savedSession = text
}
