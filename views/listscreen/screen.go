package listscreen

import (
	"cmp"
	"context"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/panel"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// refreshEvery is the interval at which the rows are refreshed.
const refreshEvery = 30 * time.Second

// A Screen is the screen of a list. It keeps the old rows while it loads new ones.
type Screen[T any] struct {
	Site *session.Site
	Env  tui.Env
	// List holds the rows that match the filter.
	List widget.List[T]
	Top  int // line of the first row, for clicks

	kind        Kind[T]
	exporter    export.Exporter
	rows        []T // all, in display order
	more        bool
	loadedAt    time.Time
	loading     bool
	err         error
	unsupported bool // the service has no such list
	filter      widget.Input
	filtering   bool
	finding     bool // a scan is being looked up
}

type (
	loadedMsg[T any] struct {
		rows []T
		more bool
		err  error
	}
	refreshMsg struct{}
	tickMsg    struct{}
)

// T returns the translator of the session.
func (s *Screen[T]) T() *i18n.Translator { return s.Env.T }

func (s *Screen[T]) Init(env tui.Env) tea.Cmd {
	s.Env = env
	s.exporter.Init(env, s.Site)
	return tea.Batch(s.Reload(), s.refreshLater(), s.tick())
}

// Reload loads the rows; the old ones stay meanwhile.
func (s *Screen[T]) Reload() tea.Cmd {
	s.loading = true
	load := s.kind.Load()
	return s.Env.Latest("rows", func(ctx context.Context) tea.Msg {
		rows, more, err := load(ctx)
		return loadedMsg[T]{rows, more, err}
	})
}

func (s *Screen[T]) refreshLater() tea.Cmd {
	return s.Env.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

func (s *Screen[T]) tick() tea.Cmd {
	if s.kind.Tick == nil {
		return nil
	}
	return s.Env.After(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

func (s *Screen[T]) Title() string { return s.kind.Texts().Title }

func (s *Screen[T]) ShortTitle() string {
	texts := s.kind.Texts()
	return cmp.Or(texts.ShortTitle, texts.Title)
}

func (s *Screen[T]) Refresh() tea.Cmd { return s.Reload() }

func (s *Screen[T]) Busy() bool { return s.finding || s.kind.Busy != nil && s.kind.Busy() }

func (s *Screen[T]) CanLeave() (bool, string) { return s.exporter.CanLeave() }

func (s *Screen[T]) AcceptsKey(k tea.KeyMsg) bool {
	if s.kind.Input != nil {
		return s.kind.Input.AcceptsKey(k)
	}
	return s.filtering && s.filter.AcceptsKey(k)
}

func (s *Screen[T]) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return s.updated(s, msg) }

// updated handles a message of self, which is s or wraps it.
func (s *Screen[T]) updated(self tui.Screen, msg tea.Msg) (tui.Screen, tea.Cmd) {
	cmd := s.update(msg)
	if !s.unsupported || s.kind.Unsupported == nil {
		return self, cmd
	}
	other, err := s.kind.Unsupported(s.Env)
	if err != nil {
		return self, tui.Fail(err)
	}
	return other, other.Init(s.Env)
}

func (s *Screen[T]) update(msg tea.Msg) tea.Cmd {
	if s.kind.Update != nil {
		if cmd, handled := s.kind.Update(msg); handled {
			return cmd
		}
	}
	if cmd, handled := s.exporter.Update(msg); handled {
		return cmd
	}
	switch msg := msg.(type) {
	case loadedMsg[T]:
		s.loaded(msg)
	case foundMsg:
		return s.found(msg)
	case refreshMsg:
		return tea.Batch(s.Reload(), s.refreshLater())
	case tickMsg:
		return tea.Batch(s.kind.Tick(), s.tick())
	case panel.LocationChangedMsg:
		return s.Reload()
	case tea.KeyMsg:
		return s.key(msg)
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
			s.List.Click(msg.Y - s.Top)
		}
	}
	return nil
}

func (s *Screen[T]) loaded(msg loadedMsg[T]) {
	s.loading, s.err, s.unsupported = false, msg.err, session.IsUnsupported(msg.err)
	if msg.err != nil {
		return
	}
	s.rows, s.more, s.loadedAt = msg.rows, msg.more, s.Env.Now()
	s.ApplyFilter()
	if s.kind.Loaded != nil {
		s.kind.Loaded()
	}
}

func (s *Screen[T]) key(k tea.KeyMsg) tea.Cmd {
	switch {
	case !s.AcceptsKey(k):
		s.List.Key(k)
	case s.kind.Input != nil:
		return s.kind.Input.Key(k)
	default:
		s.filter.Key(k)
		s.ApplyFilter()
	}
	return nil
}

// Rows returns all rows, ignoring the filter.
func (s *Screen[T]) Rows() []T { return s.rows }

// More reports whether there are rows that are not loaded.
func (s *Screen[T]) More() bool { return s.more }

// Loaded reports whether the rows were loaded at least once.
func (s *Screen[T]) Loaded() bool { return !s.loadedAt.IsZero() }

// Loading reports whether rows are being loaded.
func (s *Screen[T]) Loading() bool { return s.loading }

// Age returns how long ago the rows were loaded.
func (s *Screen[T]) Age() time.Duration { return s.Env.Now().Sub(s.loadedAt) }

// Err returns the error of the last load.
func (s *Screen[T]) Err() error { return s.err }

// Unsupported reports whether the service has no such list.
func (s *Screen[T]) Unsupported() bool { return s.unsupported }

// Clear removes the rows, for a different query.
func (s *Screen[T]) Clear() {
	s.rows, s.more, s.loadedAt = nil, false, time.Time{}
	s.List.SetRows(nil)
}
