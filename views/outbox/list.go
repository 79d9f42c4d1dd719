package outbox

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/listscreen"
	"bincard/views/session"
	"bincard/views/submit"
)

const maxRows = 500

// A filter selects the work that the list shows.
type filter int

const (
	showOpen filter = iota
	showDecide
	showDone
)

// list is the list of the unsynced work.
type list struct {
	*listscreen.Screen
	filter    filter
	statusKey string // of the sync status before the last load
	busy      bool
}

// update handles the results of the actions.
func (s *list) update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	switch msg := msg.(type) {
	case interface {
		notify(t *i18n.Translator) tea.Cmd
	}:
		s.busy = false
		return tea.Batch(msg.notify(s.T), s.Reload()), true
	case acknowledgedMsg:
		s.busy = false
		return tea.Batch(notify(s.T, msg.err, msg.done), s.Reload()), true
	}

	return nil, false
}

// notify shows that an action was done, or its error.
func notify(t *i18n.Translator, err error, text string) tea.Cmd {
	if err != nil {
		return tui.Fail(userError(t, err))
	}
	return tea.Batch(tui.Toast(text), tui.Accepted())
}

// userError returns err with the text that the operator reads.
func userError(t *i18n.Translator, err error) error { return errors.New(submit.UserMessage(t, err)) }

// loadWork reads work: first what needs a decision, then the rest in order.
func loadWork(ctx context.Context, site *session.Site, show filter) (rows []api.Work, more bool, err error) {
	states := map[filter][]api.WorkState{showOpen: {""}, showDecide: api.UndecidedStates,
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
			states = append(states, api.UndecidedStates...)
		}
	}

	slices.SortStableFunc(rows, func(a, b api.Work) int {
		if x, y := a.State.NeedsDecision(), b.State.NeedsDecision(); x != y {
			if x {
				return -1
			}
			return 1
		}

		return int(a.N - b.N)
	})

	return rows, more, nil
}

func (s *list) actions() []tui.Action {
	t := s.T

	cannotSync := func() string {
		switch {
		case s.Unsupported:
			return t.Get("Offline mode is off")
		case s.busy:
			return t.Get("Already in progress")
		}

		return ""
	}

	next := (s.filter + 1) % (showDone + 1)
	actions := []tui.Action{
		syncNowAction(t, cannotSync, func() tea.Cmd { s.busy = true; return syncNow(s.Env, s.Site) }),
		{
			ID:    "sync.show",
			Key:   "f3",
			Label: [...]string{t.Get("all"), t.Get("to decide"), t.Get("resolved")}[next],
			Short: [...]string{"", t.Get("decide"), ""}[next],
			Help:  t.Get("Switch between all pending entries, entries to decide, and discarded or replaced entries"),
			Disabled: func() string {
				if s.Unsupported {
					return t.Get("Offline mode is off")
				}
				return ""
			},
			Run: func() tea.Cmd { return s.setFilter(next) },
		},
		{
			ID:    "sync.export",
			Key:   "f10",
			Label: t.Get("export"),
			Short: t.Get("file"),
			Help: t.Get(
				"Export the entries to a file for another terminal. Both may send them; each is recorded once.",
			),
			Disabled: s.fileAction(cannotSync),
			Run:      func() tea.Cmd { s.busy = true; return exportWork(s.Env, s.Site, "") },
		},
		{
			ID:       "sync.import",
			Key:      "ctrl+o",
			Label:    t.Get("import"),
			Help:     t.Get("Import exported entries. Importing a file twice is safe."),
			Disabled: s.fileAction(cannotSync),
			Run:      func() tea.Cmd { return importWork(s.Env, s.Site, func() { s.busy = true }) },
		},
		{
			ID:       "sync.reload",
			Key:      "ctrl+r",
			Label:    t.Get("refresh"),
			Help:     t.Get("Load the latest data"),
			NoFooter: s.Err == nil || s.Unsupported,
			Run:      s.Reload,
		},
	}

	actions = append(actions, s.bulkActions(cannotSync)...)
	acknowledge := s.acknowledgeAction(cannotSync)
	if !acknowledge.NoFooter {
		return append([]tui.Action{acknowledge}, actions...)
	}

	return append(actions, acknowledge)
}

// setFilter shows other work. It clears the rows until that is loaded.
func (s *list) setFilter(to filter) tea.Cmd {
	s.filter = to
	s.Clear()
	return s.Reload()
}

func (s *list) fileAction(also func() string) func() string {
	return func() string {
		if s.Site.Exports() == "" {
			return s.T.Get("This terminal cannot read or write files")
		}
		return also()
	}
}
