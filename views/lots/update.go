package lots

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/panel"
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.Env = env
	s.exporter.Init(env, s.site)
	return s.lookUp()
}

func (s *screen) Refresh() tea.Cmd {
	if s.trace == nil {
		return nil
	}
	return s.pages.Refresh()
}

// OnScan opens what was scanned.
func (s *screen) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	r := count.ParseLabel(s.T, got)
	return s.Do(func(ctx context.Context) tea.Msg {
		destinations, err := s.site.Resolve(ctx, r)
		return foundMsg{destinations, err}
	})
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		s.key(msg)
		return s, nil
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
			s.click(msg.Y - s.top)
		}
		return s, nil
	case candidatesMsg:
		return s, s.showCandidates(msg)
	case partiesMsg:
		s.loadingParties = false
		for route, name := range msg {
			s.partyNames[route] = name
		}
		s.fillLists()
		return s, s.loadParties()

	case foundMsg:
		s.finding = false
		if msg.err != nil {
			return s, panel.FailScan(s.site, msg.err)
		}
		return s, panel.Navigate(s.site, msg.destinations)
	}

	if cmd, handled := s.exporter.Update(msg); handled {
		return s, cmd
	}
	if !s.pages.Handle(msg) {
		return s, nil
	}
	if s.pages.Err() != nil {
		return s, tui.Bell(2)
	}

	s.trace = s.source.last()
	s.totals = totalsOf(s.T, s.movements())
	s.fillLists()
	if !s.pages.Complete() {
		return s, s.pages.More() // the totals need all steps
	}

	return s, s.loadParties()
}

// movements returns the loaded movements.
func (s *screen) movements() []api.Movement { return widget.Values[api.Movement](s.pages.List.Rows()) }

// fillLists fills the lists from the loaded movements.
func (s *screen) fillLists() {
	list := steps(s.T, s.movements())
	if s.newest {
		slices.Reverse(list)
	}

	s.steps.SetRows(list)
	if s.trace != nil {
		s.here.SetRows(s.trace.holdings)
	}

	s.from.SetRows(s.withNames(s.totals.from, s.trace.kits.from))
	s.out.SetRows(s.withNames(s.totals.out, s.trace.kits.out))
}

// showCandidates loads the lot or serial that was found, or asks which of several to
// load.
func (s *screen) showCandidates(m candidatesMsg) tea.Cmd {
	read := func(c candidate) tea.Cmd {
		s.source.id = c.id
		return s.pages.Load(s.Env, listscreen.Boxed(s.source.fetch))
	}
	switch {
	case m.err != nil:
		s.loadErr = m.err
		return tui.Bell(2)
	case len(m.list) == 1:
		return read(m.list[0])
	}

	options := make([]string, len(m.list))
	for i, c := range m.list {
		options[i] = c.name
	}

	ask := s.T.Get("%s is a lot of several products. Which one?", s.query)
	if s.source.serial {
		ask = s.T.Get("%s is a serial of several products. Which one?", s.query)
	}

	return tui.Choose(tui.Choice{Text: ask, Options: options, OnChoice: func(i int) tea.Cmd { return read(m.list[i]) }})
}

func (s *screen) key(k tea.KeyMsg) {
	switch {
	case k.Type == tea.KeyLeft:
		s.switchTab(-1)
	case k.Type == tea.KeyRight:
		s.switchTab(1)
	case s.tab == tabSteps:
		s.steps.Key(k)
	case s.tab == tabSources:
		s.from.Key(k)
	case s.tab == tabHere:
		s.here.Key(k)
	default:
		s.out.Key(k)
	}
}

func (s *screen) click(y int) {
	switch s.tab {
	case tabSteps:
		s.steps.Click(y)
	case tabSources:
		s.from.Click(y)
	case tabHere:
		s.here.Click(y)
	default:
		s.out.Click(y)
	}
}

// switchTab switches to another tab; a serial has only steps.
func (s *screen) switchTab(direction int) {
	if !s.source.serial {
		s.tab = tab((int(s.tab) + direction + len(tabs(s.T))) % len(tabs(s.T)))
	}
}
