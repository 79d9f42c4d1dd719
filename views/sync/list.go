package sync

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

const mostRows = 500

// shown is which work the list shows.
type shown int

const (
	showOpen shown = iota
	showDecide
	showGone
)

// list is the screen of what is not in the service.
type list struct {
	follower
	rows widget.List[api.Work]
	show shown
	more bool
	none bool // nothing is kept here at all
	err  error
	top  int
}

type rowsMsg struct {
	rows  []api.Work
	more  bool
	stamp string
	err   error
}

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.rows = widget.NewList(func(w api.Work) string { return w.Key })
	return tea.Batch(s.reload(), s.look())
}

func (s *list) reload() tea.Cmd {
	show := s.show
	return s.fetch(func(ctx context.Context) tea.Msg {
		st, err := s.site.Stand(ctx)
		if err != nil {
			return rowsMsg{err: err}
		}
		rows, more, err := load(ctx, s.site, show)
		return rowsMsg{rows, more, stamp(&st), err}
	})
}

// load reads work: what is to be decided first, then the rest in order.
func load(ctx context.Context, site *dock.Site, show shown) (rows []api.Work, more bool, err error) {
	states := map[shown][]api.WorkState{showOpen: {""}, showDecide: {api.WorkRefused, api.WorkHeld},
		showGone: {api.WorkDropped, api.WorkReplaced}}[show]
	limit := int64(mostRows)
	for i := 0; i < len(states); i++ {
		page, err := dock.AskNode(ctx, site, api.ListWork, api.ListWorkInput{State: states[i], Limit: &limit})
		if err != nil {
			return nil, false, err
		}
		for _, w := range page.Items {
			if !slices.ContainsFunc(rows, func(x api.Work) bool { return x.Key == w.Key }) {
				rows = append(rows, w)
			}
		}
		if page.NextCursor == nil {
			continue
		}
		more = true
		if states[i] == "" { // those to be decided may be further on
			states = append(states, api.WorkRefused, api.WorkHeld)
		}
	}
	slices.SortStableFunc(rows, func(a, b api.Work) int {
		if x, y := undecided(&a), undecided(&b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return int(a.N - b.N)
	})
	return rows, more, nil
}

func (s *list) Title() string    { return nameScreen }
func (s *list) Refresh() tea.Cmd { return s.reload() }

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if cmd, mine := s.follows(msg, s.reload); mine {
		return s, cmd
	}
	switch msg := msg.(type) {
	case rowsMsg:
		s.answered(msg.stamp, msg.err)
		if s.err, s.none = msg.err, dock.Missing(msg.err); msg.err == nil {
			s.rows.SetRows(msg.rows)
			s.more = msg.more
		}
		s.ended = s.none
	case filedMsg:
		s.busy = false
		return s, tea.Batch(msg.told(), s.reload())
	case tea.KeyMsg:
		s.rows.Key(msg)
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
			s.rows.Click(msg.Y - s.top)
		}
	}
	return s, nil
}

func (s *list) Actions() []tui.Action {
	none := func() string {
		switch {
		case s.read.IsZero() && s.asking:
			return offReading
		case s.rows.Len() == 0:
			return offEmpty
		}
		return ""
	}
	nowhere := func() string {
		switch {
		case s.none:
			return offNotSync
		case s.busy:
			return offBusy
		}
		return ""
	}
	next := (s.show + 1) % (showGone + 1)
	actions := []tui.Action{
		{ID: "sync.open", Keys: []string{"enter"}, Label: labelOpen, Help: helpOpen, Command: tui.DoConfirm, Disabled: none, Run: func() tea.Cmd {
			w, _ := s.rows.Selected()
			return tui.Open(routeOf(w.Key))
		}},
		tryAction(nowhere, func() tea.Cmd { s.busy = true; return try(s.env, s.site) }),
		{ID: "sync.show", Keys: []string{"f4"}, Label: [...]string{labelShowAll, labelShowOpen, labelShowGone}[next], Help: helpShow,
			Disabled: func() string {
				if s.none {
					return offNotSync
				}
				return ""
			}, Run: func() tea.Cmd { return s.turn(next) }},
		{ID: "sync.export", Keys: []string{"f10"}, Label: labelHand, Short: shortHand, Help: helpHand,
			Disabled: s.filing(nowhere), Run: func() tea.Cmd { s.busy = true; return hand(s.env, s.site, "") }},
		{ID: "sync.import", Keys: []string{"f7"}, Label: labelTake, Help: helpTake, Supervisor: true,
			Disabled: s.filing(nowhere), Run: func() tea.Cmd { return take(s.env, s.site, func() { s.busy = true }) }},
		{ID: "sync.reload", Keys: []string{"ctrl+r"}, Label: labelReload, NoFooter: s.err == nil || s.none, Run: s.reload},
	}
	return actions
}

// turn shows other work, and none before it is read.
func (s *list) turn(to shown) tea.Cmd {
	s.show, s.more, s.read = to, false, time.Time{}
	s.rows.SetRows(nil)
	return s.reload()
}

func (s *list) filing(also func() string) func() string {
	return func() string {
		if s.site.Exports() == "" {
			return offNoFiles
		}
		return also()
	}
}
