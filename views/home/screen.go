package home

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	refreshEvery     = 30 * time.Second
	slowRefreshEvery = 10 // in refreshes
)

// screen is the home screen.
type screen struct {
	site      *session.Site
	routes    *tui.Registry
	env       tui.Env
	entries   []menuEntry
	counts    map[string]countState // by route
	overdue   widget.List[overdue]
	unsent    []panel.UnsentDraft
	finding   bool
	refreshes int
	setup     *setupStep // next setup step of an empty company
	syncStamp string     // sync status at the last poll

	small     bool // the last view was on a small terminal
	setupDone bool // a location and a product exist; never reset
}

// countState is the state of a count.
type countState struct {
	counts
	missing bool  // the service does not support it
	err     error // set if the counts are old
	loaded  bool
}

type (
	countMsg struct {
		route  string
		counts counts
		err    error
	}
	refreshMsg struct{}
	foundMsg   struct {
		destinations []session.Destination
		err          error
	}
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.counts = map[string]countState{}
	s.loadEntries()
	s.overdue = widget.NewList(func(l overdue) string { return l.route },
		widget.Column[overdue]{Title: "", Width: 13, Cell: func(l overdue) string { return l.name }},
		widget.Column[overdue]{Title: "", Rank: 3, Cell: func(l overdue) string { return l.sku }},
		widget.Column[overdue]{Title: "", Width: 6, Right: true, Rank: 1, Cell: func(l overdue) string { return env.T.Count(l.pending) }},
		widget.Column[overdue]{Title: "", Width: 14, Rank: 4, Cell: func(l overdue) string { return l.party }},
		widget.Column[overdue]{Title: "", Width: 16, Rank: 2, Cell: func(l overdue) string { return env.T.Get("since %s", timeOrDate(env.T, l.since, s.env.Now())) }})
	s.overdue.NoTitles = true
	s.loadUnsent()
	return tea.Batch(s.loadCounts(true), s.checkSetup(), s.tick(), s.pollStatus())
}

// loadEntries sets the jobs whose routes are registered.
func (s *screen) loadEntries() {
	s.entries = nil
	for _, j := range menuEntries(s.site.T()) {
		if _, _, err := s.routes.Find(j.route); err == nil && (j.route != "sync" || s.site.SyncStatus() != nil) {
			s.entries = append(s.entries, j)
		}
	}
}

// loadUnsent loads the list of unsent drafts.
func (s *screen) loadUnsent() {
	var err error
	if s.unsent, err = panel.UnsentDrafts(s.env.Drafts); err != nil {
		s.env.Log.Error("cannot list drafts", "error", err)
	}
}

// resume asks which draft to continue.
func (s *screen) resume() tea.Cmd {
	t := s.site.T()

	options := make([]string, len(s.unsent))
	for i, u := range s.unsent {
		saved := u.Name
		if saved == u.Route {
			saved = ""
		}
		options[i] = names.Draft(t, u.Route, saved)
		switch {
		case u.AwaitingAnswer:
			options[i] += "   " + t.Get("sent, no answer yet")
		case u.Pieces > 0:
			options[i] += "   " + t.Get("%s counted", t.Count(u.Pieces))
		}
	}
	list := s.unsent
	return tui.Choose(tui.Choice{Text: t.Get("Continue which draft?"), Options: options,
		OnChoice: func(i int) tea.Cmd { return tui.Open(list[i].Route) }})
}

func (s *screen) tick() tea.Cmd {
	return s.env.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

// timeOrDate formats a time of today, or the date of another day.
func timeOrDate(t *i18n.Translator, at, now time.Time) string {
	if !i18n.Today(at, now) {
		return t.Day(at, now)
	}
	return at.In(now.Location()).Format("15:04")
}

// loadCounts loads the count of each job in its own command.
func (s *screen) loadCounts(all bool) tea.Cmd {
	var cmds []tea.Cmd
	for _, j := range s.entries {
		if j.count == nil || j.slowRefresh && !all || s.counts[j.route].missing {
			continue
		}
		cmds = append(cmds, s.env.Latest(j.route, func(ctx context.Context) tea.Msg {
			t, err := j.count(ctx, s.site, s.env.Now())
			return countMsg{j.route, t, err}
		}))
	}
	return tea.Batch(cmds...)
}

func (s *screen) Title() string      { return "" }
func (s *screen) ShortTitle() string { return s.site.Location().Code }
func (s *screen) Refresh() tea.Cmd {
	s.loadUnsent()
	return tea.Batch(s.loadCounts(true), s.checkSetup())
}
func (s *screen) Busy() bool { return s.finding }

// OnScan opens what was scanned.
func (s *screen) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	r := count.ParseLabel(s.site.T(), got)
	return s.env.Do(func(ctx context.Context) tea.Msg {
		destinations, err := s.site.Resolve(ctx, r)
		return foundMsg{destinations, err}
	})
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
	case foundMsg:
		s.finding = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(submit.UserMessage(s.site.T(), msg.err)))
		}
		return s, panel.Navigate(s.site, s.reachable(msg.destinations))
	case tea.KeyMsg:
		s.overdue.Key(msg)
	}
	return s, nil
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

func (s *screen) countLoaded(m countMsg) {
	c := s.counts[m.route]
	c.missing, c.err = session.IsUnsupported(m.err), m.err
	if m.err == nil {
		c.counts, c.loaded = m.counts, true
	}
	s.counts[m.route] = c
	var rows []overdue
	for _, j := range s.entries {
		rows = append(rows, s.counts[j.route].overdue...)
	}
	slices.SortStableFunc(rows, func(a, b overdue) int { return a.since.Compare(b.since) })
	s.overdue.SetRows(rows)
}

func (s *screen) Actions() []tui.Action {
	t := s.site.T()

	actions := []tui.Action{{ID: "home.digits", Keys: []string{digitRange(s.entries)}, Label: t.GetC("open", "verb")}}
	if s.setup != nil {
		actions = append([]tui.Action{s.setup.createAction(t)}, actions...)
	}
	if len(s.unsent) > 0 {
		actions = append(actions, tui.Action{ID: "home.unsent", Keys: []string{"f4"}, Label: t.Get("unsent (%s)", t.Count(int64(len(s.unsent)))),
			Short: t.Get("unsent"), Help: t.Get("Continue a draft that was counted but not sent"), Run: s.resume})
	}
	if s.overdue.Len() > 0 {
		actions = append(actions, tui.Action{ID: "home.late", Keys: []string{"enter"}, Label: t.Get("open late"), Short: t.GetC("late", "footer"),
			Help: t.Get("Open the selected late document"), Run: func() tea.Cmd {
				if _, _, err := s.routes.Find("late"); s.small && err == nil {
					return tui.Open("late") // the selected one is not on the screen
				}
				l, _ := s.overdue.Selected()
				return tui.Open(l.route)
			}})
	}
	for _, j := range s.entries {
		id := "home." + j.route
		if len(j.menu) > 0 {
			id = "home.corrections" // the route of its first job opens that job
		}
		actions = append(actions, tui.Action{ID: id, Keys: []string{j.digit}, Label: j.label, NoFooter: true,
			Run: func() tea.Cmd { return s.open(j) }})
	}
	return append(actions, panel.ChooseLocation(s.site, s.env),
		tui.Action{ID: "home.reload", Keys: []string{"ctrl+r"}, Label: t.Get("refresh"), NoFooter: true, Run: func() tea.Cmd { return s.loadCounts(true) }})
}

// open opens a job, or asks which of its menu to open.
func (s *screen) open(j menuEntry) tea.Cmd {
	var known []menuEntry
	for _, x := range j.menu {
		if _, _, err := s.routes.Find(x.route); err == nil {
			known = append(known, x)
		}
	}
	if len(known) == 0 {
		return tui.Open(j.route)
	}
	return panel.Choose(j.label, known, func(x *menuEntry) string { return x.label }, func(x *menuEntry) tea.Cmd { return tui.Open(x.route) })
}

// digitRange returns the keys of the jobs for the footer: "1-9", or "1-7 9" without 8.
func digitRange(list []menuEntry) string {
	var runs []string
	for i := 0; i < len(list); {
		last := i
		for last+1 < len(list) && list[last+1].digit[0] == list[last].digit[0]+1 {
			last++
		}
		run := list[i].digit
		if last > i {
			run += "-" + list[last].digit
		}
		runs = append(runs, run)
		i = last + 1
	}
	return strings.Join(runs, " ")
}
