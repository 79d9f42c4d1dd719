package home

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
)

const (
	refreshEvery     = 30 * time.Second
	slowRefreshEvery = 10 // in refreshes
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.Env = env
	s.counts = map[string]countState{}
	s.loadEntries()
	s.overdue = widget.NewList(
		func(l lateDocument) string { return l.Route },
		widget.Column[lateDocument]{Title: "", Width: 13, Cell: func(l lateDocument) string { return l.Name }},
		widget.Column[lateDocument]{Title: "", Rank: 3, Cell: func(l lateDocument) string { return l.Summary }},
		widget.Column[lateDocument]{
			Title: "",
			Width: 6,
			Right: true,
			Rank:  1,
			Cell:  func(l lateDocument) string { return env.T.Count(l.Pending) },
		},
		widget.Column[lateDocument]{
			Title: "",
			Width: 14,
			Rank:  4,
			Cell:  func(l lateDocument) string { return l.Party },
		},
		widget.Column[lateDocument]{Title: "", Width: 16, Rank: 2, Cell: func(l lateDocument) string {
			return env.T.Get("since %s", env.T.TimeOrDay(l.Since, s.Now()))
		}},
	)

	s.overdue.NoTitles = true
	s.makePanes()
	s.loadUnsent()

	return tea.Batch(s.loadCounts(true), s.checkSetup(), s.tick(), s.pollStatus())
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case countMsg:
		s.countLoaded(msg)
	case setupMsg:
		if msg.err == nil {
			s.setup, s.setupDone = msg.step, msg.step == nil
		}
	case pollMsg:
		return s, tea.Batch(s.showStatus(), s.pollStatus())
	case refreshMsg:
		s.refreshes++
		return s, tea.Batch(s.loadCounts(s.refreshes%slowRefreshEvery == 0), s.checkSetup(), s.tick())
	case panel.LocationChangedMsg:
		return s, s.loadCounts(true)
	case tea.KeyMsg:
		s.chosen = s.overdue.Key(msg) || s.chosen
	}

	cmd, _ := s.Found(s.site, msg)

	return s, cmd
}

func (s *screen) tick() tea.Cmd {
	return s.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

func (s *screen) Refresh() tea.Cmd {
	s.loadUnsent()
	return tea.Batch(s.loadCounts(true), s.checkSetup())
}

// OnScan opens what was scanned.
func (s *screen) OnScan(got scan.Scan) tea.Cmd {
	r := count.ParseLabel(s.T, got)
	return s.LookUp(s.Env, func(ctx context.Context) (func() tea.Cmd, error) {
		destinations, err := s.site.Resolve(ctx, r)
		return func() tea.Cmd { return panel.Navigate(s.site, s.reachable(destinations)) }, err
	})
}

// reachable returns the destinations whose routes are registered. If none is, it
// returns all, and opening one reports the error.
func (s *screen) reachable(destinations []session.Destination) []session.Destination {
	var out []session.Destination
	for _, t := range destinations {
		if _, _, err := s.routes.Find(t.Route); t.Route == "" || err == nil {
			out = append(out, t)
		}
	}

	if len(out) == 0 {
		return destinations
	}

	return out
}
