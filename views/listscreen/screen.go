package listscreen

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/listsort"
	"bincard/views/paging"
	"bincard/views/session"
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
	sorter      listsort.Sorter[T]
	loadedRows  []T // all, in the default order
	rows        []T // all, in display order
	more        bool
	loadedAt    time.Time
	loading     bool
	err         error
	unsupported bool // the service has no such list
	toTop       bool // select the first row after loading
	filter      widget.Input
	filtering   bool
	finding     bool              // a scan is being looked up
	marks       map[string]string // the texts of the documents with a draft, by route
	preview     previewState
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
	list, _, _ := strings.Cut(env.Route.Path, "?")
	s.sorter = listsort.New(s.Site, list, s.kind.Orders)
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

func (s *Screen[T]) Refresh() tea.Cmd {
	s.loadMarks()
	return s.Reload()
}

func (s *Screen[T]) Busy() bool { return s.finding || s.kind.Busy != nil && s.kind.Busy() }

func (s *Screen[T]) CanLeave() (bool, string) { return s.exporter.CanLeave() }

func (s *Screen[T]) AcceptsKey(k tea.KeyMsg) bool {
	if s.kind.Input != nil {
		return s.kind.Input.AcceptsKey(k)
	}
	return s.filtering && s.filter.AcceptsKey(k)
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
	s.loadedRows, s.rows, s.more, s.loadedAt = nil, nil, false, time.Time{}
	s.List.SetRows(nil)
}

// sort puts the rows in the chosen order, if they are all loaded.
func (s *Screen[T]) sort() {
	s.rows = slices.Clone(s.loadedRows)
	if !s.more {
		s.sorter.Sort(s.rows)
	}
	s.ApplyFilter()
}

// ReadLimit returns how many rows Load should read: more than usual if they are sorted.
func (s *Screen[T]) ReadLimit() int {
	if s.sorter.Active() {
		return paging.SortLimit
	}
	return paging.ReadLimit
}

// sorted shows the rows in another order. It reads the others first if the list can.
func (s *Screen[T]) sorted() tea.Cmd {
	s.sort()
	s.List.MoveTo(0)
	if s.toTop = s.more && s.kind.ReadsAhead && s.sorter.Active(); s.toTop {
		return s.Reload()
	}
	return s.readPreview(false)
}

// whyUnsorted says why the rows cannot be sorted, or returns "".
func (s *Screen[T]) whyUnsorted() string {
	switch {
	case s.List.Len() < 2:
		return s.T().Get("There is nothing to sort")
	case !s.more || s.sorter.Active() || s.kind.ReadsAhead && len(s.rows) < paging.SortLimit:
		return ""
	}
	return s.T().Get("More than %s rows cannot be sorted. Show fewer of them.", s.T().Count(int64(len(s.rows))))
}
