package shell

import (
	"errors"
	"os"
	"strings"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/widget"
)

// saveDraft saves or discards a screen's draft if it has changed.
func (m *Model) saveDraft(s *openScreen) {
	saver, ok := s.screen.(tui.DraftSaver)
	if !ok {
		return
	}
	data := saver.Snapshot()
	route := s.env.Route.Path
	var err error
	switch {
	case data == nil && s.hasDraft:
		err = m.opts.Drafts.Discard(route)
	case data != nil && (!s.hasDraft || string(data) != s.draft):
		err = m.opts.Drafts.Save(route, data)
	default:
		return
	}
	if err != nil {
		m.opts.Log.Error("draft not saved", "route", route, "error", err)
		m.toast.Set(m.t.Get("Draft not saved: %v", err), true)
		m.notify(Notice{Kind: NoticeWarning, Text: m.toast.Text})
		return
	}
	s.draft, s.hasDraft = string(data), data != nil
}

// draftName names the draft under a route.
func (m *Model) draftName(route string, data []byte) string {
	if m.opts.DraftName == nil {
		return route[strings.LastIndexByte(route, '/')+1:]
	}
	return widget.Clean(m.opts.DraftName(m.t, route, data))
}

// draftNames names all saved drafts, also those of screens that are not open.
func (m *Model) draftNames() (names []string) {
	routes, err := m.opts.Drafts.Routes()
	if err != nil {
		m.opts.Log.Error("cannot list drafts", "error", err)
	}
	for _, route := range routes {
		if data, ok, err := m.opts.Drafts.Load(route); err == nil && ok {
			names = append(names, m.draftName(route, data))
		}
	}
	return names
}

// saveAll saves all drafts and the open routes. A screen that panics keeps its previous
// draft.
func (m *Model) saveAll() {
	for _, s := range m.screens {
		func() {
			defer func() {
				if cause := recover(); cause != nil {
					m.opts.Log.Error("draft not taken", "route", s.env.Route.Path, "cause", cause)
				}
			}()
			m.saveDraft(s)
		}()
	}
	m.saveSession()
}

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
	if err := drafts.WriteFile(m.opts.Session, []byte(text)); err != nil {
		m.opts.Log.Warn("session not saved", "error", err)
		return
	}
	m.savedSession = text
}
