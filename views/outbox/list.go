package outbox

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

const maxRows = 500

// A filter selects the work that the list shows.
type filter int

const (
	showOpen filter = iota
	showDecide
	showDone
)

// list is the screen of the unsynced work.
type list struct {
	refresher
	rows        widget.List[api.Work]
	filter      filter
	more        bool
	unsupported bool // there is no node
	err         error
	top         int
}

type rowsMsg struct {
	rows      []api.Work
	more      bool
	statusKey string
	err       error
}

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.rows = widget.NewList(func(w api.Work) string { return w.Key })
	return tea.Batch(s.reload(), s.poll())
}

func (s *list) reload() tea.Cmd {
	show := s.filter
	return s.fetch(func(ctx context.Context) tea.Msg {
		st, err := s.site.FetchSyncStatus(ctx)
		if err != nil {
			return rowsMsg{err: err}
		}
		rows, more, err := loadWork(ctx, s.site, show)
		return rowsMsg{rows, more, statusKeyOf(&st), err}
	})
}

// loadWork reads work: first what needs a decision, then the rest in order.
func loadWork(ctx context.Context, site *session.Site, show filter) (rows []api.Work, more bool, err error) {
	states := map[filter][]api.WorkState{showOpen: {""}, showDecide: {api.WorkRefused, api.WorkHeld},
		showDone: {api.WorkDiscarded, api.WorkReplaced}}[show]
	limit := int64(maxRows)
	for i := 0; i < len(states); i++ {
		page, err := session.CallNode(ctx, site, api.ListWork, api.ListWorkInput{State: states[i], Limit: &limit})
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
		if states[i] == "" { // work to decide may be on later pages
			states = append(states, api.WorkRefused, api.WorkHeld)
		}
	}
	slices.SortStableFunc(rows, func(a, b api.Work) int {
		if x, y := needsDecision(&a), needsDecision(&b); x != y {
			if x {
				return -1
			}
			return 1
		}
		return int(a.N - b.N)
	})
	return rows, more, nil
}

func (s *list) Title() string    { return s.site.T().Get("Sync") }
func (s *list) Refresh() tea.Cmd { return s.reload() }

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if cmd, handled := s.handle(msg, s.reload); handled {
		return s, cmd
	}
	switch msg := msg.(type) {
	case rowsMsg:
		s.loaded(msg.statusKey, msg.err)
		if s.err, s.unsupported = msg.err, session.IsUnsupported(msg.err); msg.err == nil {
			s.rows.SetRows(msg.rows)
			s.more = msg.more
		}
		s.unavailable = s.unsupported
	case fileMsg:
		s.busy = false
		return s, tea.Batch(msg.notify(s.site.T()), s.reload())
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
	t := s.site.T()

	cannotOpen := func() string {
		switch {
		case s.loadedAt.IsZero() && s.loading:
			return t.Get("Still loading. Wait a moment")
		case s.rows.Len() == 0:
			return t.Get("There is nothing to open")
		}
		return ""
	}
	cannotSync := func() string {
		switch {
		case s.unsupported:
			return t.Get("Offline mode is off")
		case s.busy:
			return t.Get("Already in progress")
		}
		return ""
	}
	next := (s.filter + 1) % (showDone + 1)
	actions := []tui.Action{
		{ID: "sync.open", Keys: []string{"enter"}, Label: t.GetC("open", "verb"), Help: t.Get("Show what was done, the service's answer and the options"), Command: tui.DoConfirm, Disabled: cannotOpen, Run: func() tea.Cmd {
			w, _ := s.rows.Selected()
			return tui.Open(routeOf(w.Key))
		}},
		retryAction(t, cannotSync, func() tea.Cmd { s.busy = true; return retryNow(s.env, s.site) }),
		{ID: "sync.show", Keys: []string{"f4"}, Label: [...]string{t.Get("all"), t.Get("to decide"), t.Get("resolved")}[next], Short: [...]string{"", t.Get("decide"), ""}[next], Help: t.Get("Switch between all pending work, work to decide, and discarded or replaced work"),
			Disabled: func() string {
				if s.unsupported {
					return t.Get("Offline mode is off")
				}
				return ""
			}, Run: func() tea.Cmd { return s.setFilter(next) }},
		{ID: "sync.export", Keys: []string{"f10"}, Label: t.Get("export"), Short: t.Get("file"), Help: t.Get("Export the work to a file for another terminal. Both may send it; it is booked once"),
			Disabled: s.fileAction(cannotSync), Run: func() tea.Cmd { s.busy = true; return exportWork(s.env, s.site, "") }},
		{ID: "sync.import", Keys: []string{"f7"}, Label: t.Get("import"), Help: t.Get("Import exported work. Importing a file twice is safe"), Supervisor: true,
			Disabled: s.fileAction(cannotSync), Run: func() tea.Cmd { return importWork(s.env, s.site, func() { s.busy = true }) }},
		{ID: "sync.reload", Keys: []string{"ctrl+r"}, Label: t.Get("refresh"), NoFooter: s.err == nil || s.unsupported, Run: s.reload},
	}
	return actions
}

// setFilter shows other work. It clears the rows until that is loaded.
func (s *list) setFilter(to filter) tea.Cmd {
	s.filter, s.more, s.loadedAt = to, false, time.Time{}
	s.rows.SetRows(nil)
	return s.reload()
}

func (s *list) fileAction(also func() string) func() string {
	return func() string {
		if s.site.Exports() == "" {
			return s.site.T().Get("This terminal cannot read or write files")
		}
		return also()
	}
}
