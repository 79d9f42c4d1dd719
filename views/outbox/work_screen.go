package outbox

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// workScreen is the screen of one operation.
type workScreen struct {
	tui.Env
	site        *session.Site
	key         string
	work        *api.Work
	loadedAt    time.Time
	statusKey   string // of the sync status when it was loaded
	loading     bool
	gone        bool // there is nothing to load again
	busy        bool
	errText     string
	unsupported bool // the operation is not listed
	formOpen    bool // a replacement form was opened
	top         int  // first row shown
}

type (
	pollMsg struct{}
	workMsg struct {
		work      *api.Work // nil if not listed
		statusKey string
		err       error
	}
)

func newWorkScreen(site *session.Site, key string) *workScreen {
	return &workScreen{site: site, key: key}
}

func (s *workScreen) Init(env tui.Env) tea.Cmd {
	s.Env = env
	return tea.Batch(s.reload(), s.poll())
}

// poll checks every second whether the operation changed.
func (s *workScreen) poll() tea.Cmd {
	return s.After(time.Second, func(time.Time) tea.Msg { return pollMsg{} })
}

func (s *workScreen) reload() tea.Cmd {
	s.loading = true

	return s.Latest("work", func(ctx context.Context) tea.Msg {
		st, err := s.site.FetchSyncStatus(ctx)
		if err != nil {
			return workMsg{err: err}
		}
		w, err := findWork(ctx, s.site, s.key)
		return workMsg{w, statusKeyOf(&st), err}
	})
}

// findWork returns the work with a key, or nil if there is none.
func findWork(ctx context.Context, site *session.Site, key string) (*api.Work, error) {
	list, err := session.CallNode(ctx, site, api.ListWork, api.ListWorkInput{Key: key})
	if err != nil || len(list.Items) == 0 {
		return nil, err
	}
	return &list.Items[0], nil
}

func (s *workScreen) Title() string {
	if s.work == nil {
		return s.T.Get("Sync")
	}
	return s.T.Get("Sync") + " › " + workTitle(s.T, s.work)
}

func (s *workScreen) ShortTitle() string { return s.T.Get("Sync") }
func (s *workScreen) Refresh() tea.Cmd   { return s.reload() }

// Busy reports whether scans must wait for an action.
func (s *workScreen) Busy() bool { return s.busy }

func (s *workScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case pollMsg:
		switch {
		case s.gone:
			return s, nil
		case !s.loading && outdated(s.site, s.statusKey, s.Now().Sub(s.loadedAt)):
			return s, tea.Batch(s.reload(), s.poll())
		}

		return s, s.poll()

	case syncStartedMsg:
		s.busy = false
		return s, tea.Batch(msg.notify(s.T), s.reload())
	case workMsg:
		if s.loading = false; msg.err == nil {
			s.statusKey, s.loadedAt = msg.statusKey, s.Now()
		}

		s.gone = session.IsUnsupported(msg.err) || msg.err == nil && msg.work == nil
		switch {
		case msg.err != nil:
			s.errText = submit.UserMessage(s.T, msg.err)
			if session.IsUnsupported(msg.err) {
				s.errText = noQueueText(s.site)
			}
		case msg.work == nil:
			s.errText = s.T.Get(
				"This entry is no longer listed: resolved entries are removed after a week. Press esc to go back.")
			s.unsupported = true
		default:
			s.work, s.errText = msg.work, ""
			if s.formOpen && msg.work.State == api.WorkReplaced {
				s.formOpen = false
				return s, s.decide("", func(context.Context, string, api.Option) error { return nil })
			}
		}

	case fileMsg:
		s.busy = false
		return s, msg.notify(s.T)
	case decidedMsg:
		return s, s.decided(msg)
	case tea.KeyMsg:
		switch msg.Type {
		case tea.KeyUp, tea.KeyPgUp:
			s.top--
		case tea.KeyDown, tea.KeyPgDown:
			s.top++
		}
	}

	return s, nil
}
