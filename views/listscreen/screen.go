package listscreen

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/panel"
	"bincard/views/session"
)

// refreshEvery is the interval at which the rows are refreshed.
const refreshEvery = 30 * time.Second

// A Screen is the screen of a list. It keeps the old rows while it loads new ones.
type Screen struct {
	tui.Env
	Site *session.Site
	// List holds the rows that match the filter.
	List widget.Table
	Top  int // line of the first row, for clicks

	State

	kind       *Kind[any]
	exporter   export.Exporter
	sorter     Sorter
	loadedRows []any // all, in the default order
	rows       []any // all, in display order
	toTop      bool  // select the first row after loading
	filter     widget.Input
	filtering  bool
	scans      panel.ScanLookup
	marks      marks
	preview    previewState
}

// A State says what is known of the rows of a list.
type State struct {
	More        bool // there are rows that are not loaded
	Loading     bool // rows are being loaded
	Err         error
	Unsupported bool // the service has no such list

	loadedAt time.Time
}

// Loaded reports whether the rows were loaded at least once.
func (s *State) Loaded() bool { return !s.loadedAt.IsZero() }

type (
	loadedMsg struct {
		rows []any
		more bool
		err  error
	}
	refreshMsg struct{}
	tickMsg    struct{}
)

func (s *Screen) Init(env tui.Env) tea.Cmd {
	s.exporter.Init(env, s.Site)
	if list, _, _ := strings.Cut(env.Route.Path, "?"); !s.kind.Unsorted {
		s.sorter = NewSorter(s.Site, list, s.kind.Columns)
	}
	return tea.Batch(s.Reload(), s.refreshLater(), s.tick())
}

// Reload loads the rows; the old ones stay meanwhile.
func (s *Screen) Reload() tea.Cmd {
	s.Loading = true
	load := s.kind.Load()
	return s.Latest("rows", func(ctx context.Context) tea.Msg {
		rows, more, err := load(ctx)
		return loadedMsg{rows, more, err}
	})
}

func (s *Screen) refreshLater() tea.Cmd {
	return s.After(refreshEvery, func(time.Time) tea.Msg { return refreshMsg{} })
}

func (s *Screen) tick() tea.Cmd {
	if s.kind.Tick == nil {
		return nil
	}
	return s.After(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

func (s *Screen) Title() string { return s.kind.Texts().Title }

func (s *Screen) ShortTitle() string {
	texts := s.kind.Texts()
	return cmp.Or(texts.ShortTitle, texts.Title)
}

func (s *Screen) Refresh() tea.Cmd {
	s.marks.load(s.Env)
	return s.Reload()
}

func (s *Screen) Busy() bool { return s.scans.Busy() || s.kind.Busy != nil && s.kind.Busy() }

func (s *Screen) CanLeave() (bool, string) { return s.exporter.CanLeave() }

func (s *Screen) AcceptsKey(k tea.KeyMsg) bool {
	if s.kind.Input != nil {
		return s.kind.Input.AcceptsKey(k)
	}
	return s.filtering && s.filter.AcceptsKey(k)
}

// Rows returns all rows of a list, ignoring the filter.
func Rows[R any](s *Screen) []R { return widget.Unboxed[R](s.rows) }

// Selected returns the selected row of a list of pointers to E; ok is false if the list is
// empty.
func Selected[E any](s *Screen) (row E, ok bool) {
	selected, ok := s.List.Selected().(*E)
	if ok {
		row = *selected
	}
	return row, ok
}

// Len returns the number of rows, ignoring the filter.
func (s *Screen) Len() int { return len(s.rows) }

// Age returns how long ago the rows were loaded.
func (s *Screen) Age() time.Duration { return s.Now().Sub(s.loadedAt) }

// Clear removes the rows, for a different query.
func (s *Screen) Clear() {
	s.loadedRows, s.rows, s.More, s.loadedAt = nil, nil, false, time.Time{}
	s.List.SetRows(nil)
}

// sort puts the rows in the chosen order, if they are all loaded.
func (s *Screen) sort() {
	s.rows = slices.Clone(s.loadedRows)
	if !s.More {
		s.sorter.Sort(s.rows)
	}
	s.ApplyFilter()
}

// ReadLimit returns how many rows Load should read: more than usual if they are sorted.
func (s *Screen) ReadLimit() int {
	if s.sorter.Active() {
		return SortLimit
	}
	return ReadLimit
}

// sorted shows the rows in another order. It reads the others first if the list can.
func (s *Screen) sorted() tea.Cmd {
	s.sort()
	s.List.MoveTo(0)
	s.toTop = s.More && s.kind.ReadsAhead && s.sorter.Active()
	if s.toTop {
		return s.Reload()
	}
	return s.readPreview(false)
}

// whyUnsorted says why the rows cannot be sorted, or returns "".
func (s *Screen) whyUnsorted() string {
	switch {
	case s.List.Len() < 2:
		return s.T.Get("There is nothing to sort")
	case !s.More || s.sorter.Active() || s.kind.ReadsAhead && len(s.rows) < SortLimit:
		return ""
	}

	return s.T.Get("More than %s rows cannot be sorted. Show fewer of them.", s.T.Count(int64(len(s.rows))))
}
