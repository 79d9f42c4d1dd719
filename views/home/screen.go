package home

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	refreshEvery = 30 * time.Second
	seldomEvery  = 10 // refreshes
)

// screen is the first screen.
type screen struct {
	site    *dock.Site
	routes  *tui.Registry
	env     tui.Env
	jobs    []job
	tallies map[string]counted // by route
	late    widget.List[late]
	unsent  []dock.Unsent
	finding bool
	rounds  int
	lack    *first // what an empty company needs first
	stamp   string // of how the way to the service was when it was last looked at

	furnished bool // there is a place and a product: it stays so
}

// counted is the state of one job's count.
type counted struct {
	tally
	missing bool  // the service cannot count it
	err     error // the counts are those of before
	known   bool
}

type (
	countMsg struct {
		route string
		tally tally
		err   error
	}
	refreshMsg struct{}
	foundMsg   struct {
		targets []dock.Target
		err     error
	}
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.tallies = map[string]counted{}
	s.offer()
	s.late = widget.NewList(func(l late) string { return l.route },
		widget.Column[late]{Title: "", Width: 13, Cell: func(l late) string { return l.name }},
		widget.Column[late]{Title: "", Rank: 3, Cell: func(l late) string { return l.goods }},
		widget.Column[late]{Title: "", Width: 6, Right: true, Rank: 1, Cell: func(l late) string { return widget.Count(l.pending) }},
		widget.Column[late]{Title: "", Width: 14, Rank: 4, Cell: func(l late) string { return l.from }},
		widget.Column[late]{Title: "", Width: 16, Rank: 2, Cell: func(l late) string { return fmt.Sprintf(wordSince, since(l.since, s.env.Now())) }})
	s.late.NoTitles = true
	s.remember()
	return tea.Batch(s.count(true), s.lacks(), s.tick(), s.look())
}

// offer takes the jobs that can be done here.
func (s *screen) offer() {
	s.jobs = nil
	for _, j := range jobs() {
		if _, _, err := s.routes.Find(j.route); err == nil && (j.route != "sync" || s.site.Stands() != nil) {
			s.jobs = append(s.jobs, j)
		}
	}
}

// remember looks which work was begun and not sent.
func (s *screen) remember() {
	var err error
	if s.unsent, err = dock.Unsents(s.env.Drafts); err != nil {
		s.env.Log.Error("drafts not listed", "error", err)
	}
}

// resume asks which work to go on with.
func (s *screen) resume() tea.Cmd {
	options := make([]string, len(s.unsent))
	for i, u := range s.unsent {
		options[i] = u.Name
		switch {
		case u.Waiting:
			options[i] += "   " + wordNoAnswer
		case u.Pieces > 0:
			options[i] += "   " + fmt.Sprintf(saidCounted, widget.Count(u.Pieces))
		}
	}
	list := s.unsent
	return tui.Choose(tui.Choice{Text: askUnsent, Options: options,
		OnChoice: func(i int) tea.Cmd { return tui.Open(list[i].Route) }})
}

func (s *screen) tick() tea.Cmd {
	return s.env.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

// since is the moment today, else the day.
func since(at, now time.Time) string {
	if !widget.Today(at, now) {
		return widget.Day(at, now)
	}
	return at.In(now.Location()).Format("15:04")
}

// count reads the counts of the jobs anew, each by itself.
func (s *screen) count(all bool) tea.Cmd {
	var cmds []tea.Cmd
	for _, j := range s.jobs {
		if j.count == nil || j.seldom && !all || s.tallies[j.route].missing {
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
func (s *screen) ShortTitle() string { return s.site.Place().Code }
func (s *screen) Refresh() tea.Cmd   { s.remember(); return tea.Batch(s.count(true), s.lacks()) }
func (s *screen) Busy() bool         { return s.finding }

// OnScan goes to whatever was scanned.
func (s *screen) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	r := dock.Read(got)
	return s.env.Do(func(ctx context.Context) tea.Msg {
		targets, err := s.site.Resolve(ctx, r)
		return foundMsg{targets, err}
	})
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case countMsg:
		s.counted(msg)
	case lackMsg:
		if msg.err == nil {
			s.lack, s.furnished = msg.first, msg.first == nil
		}
	case lookMsg:
		return s, tea.Batch(s.stood(), s.look())
	case refreshMsg:
		s.rounds++
		return s, tea.Batch(s.count(s.rounds%seldomEvery == 0), s.lacks(), s.tick())
	case dock.MovedMsg:
		return s, s.count(true)
	case foundMsg:
		s.finding = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(dock.Words(msg.err)))
		}
		return s, dock.Follow(s.site, s.known(msg.targets))
	case tea.KeyMsg:
		s.late.Key(msg)
	}
	return s, nil
}

// known keeps the targets whose screens there are; one that cannot be opened
// says so by itself.
func (s *screen) known(targets []dock.Target) []dock.Target {
	var out []dock.Target
	for _, t := range targets {
		if _, _, err := s.routes.Find(t.Route); t.Route == "" || err == nil {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return targets
	}
	return out
}

func (s *screen) counted(m countMsg) {
	c := s.tallies[m.route]
	c.missing, c.err = dock.Missing(m.err), m.err
	if m.err == nil {
		c.tally, c.known = m.tally, true
	}
	s.tallies[m.route] = c
	var rows []late
	for _, j := range s.jobs {
		rows = append(rows, s.tallies[j.route].docs...)
	}
	slices.SortStableFunc(rows, func(a, b late) int { return a.since.Compare(b.since) })
	s.late.SetRows(rows)
}

func (s *screen) Actions() []tui.Action {
	actions := []tui.Action{{ID: "home.digits", Keys: []string{digits(s.jobs)}, Label: labelOpen}}
	if s.lack != nil {
		actions = append([]tui.Action{s.lack.action()}, actions...)
	}
	if s.late.Len() > 0 {
		actions = append(actions, tui.Action{ID: "home.late", Keys: []string{"enter"}, Label: labelLate, Short: toldLate,
			Help: helpLate, Run: func() tea.Cmd {
				l, _ := s.late.Selected()
				return tui.Open(l.route)
			}})
	}
	if len(s.unsent) > 0 {
		actions = append(actions, tui.Action{ID: "home.unsent", Keys: []string{"f4"}, Label: fmt.Sprintf(labelUnsent, widget.Count(int64(len(s.unsent)))),
			Short: shortUnsent, Help: helpUnsent, Run: s.resume})
	}
	for _, j := range s.jobs {
		actions = append(actions, tui.Action{ID: "home." + j.route, Keys: []string{j.digit}, Label: j.label, NoFooter: true,
			Run: func() tea.Cmd { return s.open(j) }})
	}
	return append(actions, dock.ChoosePlace(s.site, s.env),
		tui.Action{ID: "home.reload", Keys: []string{"ctrl+r"}, Label: labelCount, NoFooter: true, Run: func() tea.Cmd { return s.count(true) }})
}

// open opens a job; where there are several it asks which.
func (s *screen) open(j job) tea.Cmd {
	var known []job
	for _, x := range j.menu {
		if _, _, err := s.routes.Find(x.route); err == nil {
			known = append(known, x)
		}
	}
	if len(known) == 0 {
		return tui.Open(j.route)
	}
	return dock.Which(j.label+": "+j.hint, known, func(x *job) string { return x.label }, func(x *job) tea.Cmd { return tui.Open(x.route) })
}

// digits are the keys of the jobs as the footer writes them: "1-8".
func digits(list []job) string {
	if len(list) == 0 {
		return ""
	}
	return list[0].digit + "-" + list[len(list)-1].digit
}
