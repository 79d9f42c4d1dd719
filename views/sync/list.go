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

const (
	// lookEvery is how often it is looked whether anything has changed, and
	// readEvery how old the rows get when nothing seems to have.
	lookEvery = time.Second
	readEvery = 15 * time.Second
	mostRows  = 500
)

// shown is which work the list shows.
type shown int

const (
	showOpen shown = iota
	showDecide
	showGone
)

// list is the screen of what is not in the service.
type list struct {
	site  *dock.Site
	env   tui.Env
	rows  widget.List[api.Work]
	show  shown
	more  bool
	none  bool // nothing is kept here at all
	err   error
	read  time.Time // zero before it was
	stamp string
	busy  bool
	top   int
}

type (
	rowsMsg struct {
		rows  []api.Work
		more  bool
		stamp string
		err   error
	}
	lookMsg  struct{}
	triedMsg struct{ err error }
)

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.rows = widget.NewList(func(w api.Work) string { return w.Key })
	return tea.Batch(s.reload(), s.look())
}

func (s *list) look() tea.Cmd {
	return s.env.After(lookEvery, func(time.Time) tea.Msg { return lookMsg{} })
}

func (s *list) reload() tea.Cmd {
	show := s.show
	return s.env.Latest("work", func(ctx context.Context) tea.Msg {
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

func (s *list) Title() string  { return nameScreen }
func (s *list) Shown() tea.Cmd { return s.reload() }
func (s *list) Busy() bool     { return s.busy }

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case rowsMsg:
		if s.err, s.none = msg.err, dock.Missing(msg.err); msg.err == nil {
			s.rows.SetRows(msg.rows)
			s.more, s.stamp, s.read = msg.more, msg.stamp, s.env.Now()
		}
	case lookMsg:
		if s.none {
			return s, nil
		}
		if stamp(s.site.Stands()) != s.stamp || s.env.Now().Sub(s.read) >= readEvery {
			return s, tea.Batch(s.reload(), s.look())
		}
		return s, s.look()
	case triedMsg:
		s.busy = false
		return s, tea.Batch(told(msg.err, doneTry), s.reload())
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

// told says that something was done, or why not.
func told(err error, words string) tea.Cmd {
	if err != nil {
		return tui.Fail(worded(err))
	}
	return tea.Batch(tui.Toast(words), tui.Accepted())
}

// try has the service tried at once.
func try(env tui.Env, site *dock.Site) tea.Cmd {
	return env.Do(func(ctx context.Context) tea.Msg {
		_, err := dock.AskNode(ctx, site, api.TrySync, api.SyncInput{})
		return triedMsg{err}
	})
}

func (s *list) Actions() []tui.Action {
	none := func() string {
		if s.rows.Len() == 0 {
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
			}, Run: func() tea.Cmd { s.show = next; return s.reload() }},
		{ID: "sync.export", Keys: []string{"f10"}, Label: labelHand, Short: shortHand, Help: helpHand,
			Disabled: s.filing(nowhere), Run: func() tea.Cmd { s.busy = true; return hand(s.env, s.site, "") }},
		{ID: "sync.import", Keys: []string{"f7"}, Label: labelTake, Help: helpTake, Supervisor: true,
			Disabled: s.filing(nowhere), Run: func() tea.Cmd { return take(s.env, s.site, func() { s.busy = true }) }},
		{ID: "sync.reload", Keys: []string{"ctrl+r"}, Label: labelReload, Quiet: s.err == nil || s.none, Run: s.reload},
	}
	return actions
}

func (s *list) filing(also func() string) func() string {
	return func() string {
		if s.site.Exports() == "" {
			return offNoFiles
		}
		return also()
	}
}

func tryAction(off func() string, run func() tea.Cmd) tui.Action {
	return tui.Action{ID: "sync.try", Keys: []string{"f5"}, Label: labelTry, Short: shortTry, Help: helpTry, Disabled: off, Run: run}
}
