package reports

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/reports/paging"

	tea "github.com/charmbracelet/bubbletea"
)

// kind is what makes one report different from another.
type kind[T any] struct {
	route, title, noun string
	days               int  // of the period when the route names none
	status             bool // the filter knows what a balance holds
	key                func(row T) string
	columns            func(env tui.Env, size tui.Size, rows []T) []widget.Column[T]
	// fetch answers a page of what the filter names.
	fetch  func(ctx context.Context, site *dock.Site, f filter, of ids, env tui.Env, cursor string) ([]T, *string, error)
	open   func(row T) string // the route that explains a row
	detail func(row T) string
	cells  func(row T) []string // for the clipboard
	chart  *chart[T]            // nil where there is none
}

// screen is one report.
type screen[T any] struct {
	kind[T]
	env     tui.Env
	site    *dock.Site
	filter  filter
	form    *widget.Form
	pages   *paging.Pages[T]
	finding bool    // a scan is being looked up
	tallies []tally // of the rows that were read
	top     int     // lines above the list, as last painted
}

func open[T any](site *dock.Site, k kind[T]) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &screen[T]{kind: k, site: site, filter: filterOf(env.Route.Query, k.days)}
		s.pages = paging.New("rows", k.noun, widget.NewList(k.key))
		return s, nil
	}
}

func (s *screen[T]) Init(env tui.Env) tea.Cmd {
	s.env = env
	return s.load()
}

func (s *screen[T]) Shown() tea.Cmd { return s.pages.Fresh() }

// Busy tells whether a scan is being looked up: the next one waits.
func (s *screen[T]) Busy() bool { return s.finding }

// load asks for the newest page; what is shown stays until it comes.
func (s *screen[T]) load() tea.Cmd {
	f, site, env, fetch := s.filter, s.site, s.env, s.fetch
	var of atomic.Pointer[ids] // an earlier question may still be under way
	return s.pages.Load(env, func(ctx context.Context, cursor string) ([]T, *string, error) {
		if of.Load() == nil {
			found, err := f.find(ctx, site)
			if err != nil {
				return nil, nil, err
			}
			of.Store(&found)
		}
		return fetch(ctx, site, f, *of.Load(), env, cursor)
	})
}

func (s *screen[T]) Title() string {
	if s.form != nil {
		return s.title + " › filter"
	}
	return s.title + " › " + s.filter.words()
}

// ShortTitle is the report's name.
func (s *screen[T]) ShortTitle() string { return s.title }

func (s *screen[T]) Types(k tea.KeyMsg) bool { return s.form != nil && s.form.Types(k) }

func (s *screen[T]) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	return scanned(s.env, s.site, got)
}

func (s *screen[T]) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return s, s.key(msg)
	case tea.MouseMsg:
		return s, s.pages.Mouse(msg, s.top)
	case thingMsg:
		s.finding = false
		return s, s.thing(msg)
	}
	if s.pages.Take(msg) {
		if s.pages.Err() != nil {
			return s, tui.Bell(2)
		}
		if s.chart != nil {
			s.tallies = s.chart.tallies(s.env, s.pages.List.Rows())
		}
	}
	return s, s.pages.Follow()
}

func (s *screen[T]) key(k tea.KeyMsg) tea.Cmd {
	if s.form != nil {
		if s.form.Types(k) && s.form.Key(k) {
			return s.apply()
		}
		return nil
	}
	if s.pages.List.Key(k) {
		return s.pages.Follow()
	}
	if s.chart == nil {
		return nil
	}
	switch k.Type {
	case tea.KeyLeft:
		s.pages.List.Go(s.chart.day(s.env, s.pages.List.Rows(), s.pages.List.Cursor(), 1))
	case tea.KeyRight:
		s.pages.List.Go(s.chart.day(s.env, s.pages.List.Rows(), s.pages.List.Cursor(), -1))
	}
	return s.pages.Follow()
}

// thing narrows the report, or the form that stands, to what was scanned.
func (s *screen[T]) thing(m thingMsg) tea.Cmd {
	if m.err != nil {
		return tui.Fail(errors.New(dock.Words(m.err)))
	}
	f := s.filter
	if s.form != nil {
		f = read(s.form, s.filter)
	}
	f, err := f.narrowed(m.thing)
	switch {
	case err != nil:
		return tui.Fail(err)
	case s.form == nil:
		return tea.Batch(tui.Accepted(), s.reopen(f))
	}
	s.form.Fill("sku", f.SKU)
	s.form.Fill("place", f.Place)
	return tui.Accepted()
}

// reopen opens the report anew with another filter: the route is the filter.
func (s *screen[T]) reopen(f filter) tea.Cmd { return tui.Replace(s.route + "?" + f.query()) }

func (s *screen[T]) apply() tea.Cmd {
	if !s.form.Sound() {
		return tui.Bell(2)
	}
	f := read(s.form, s.filter)
	if f.From != "" && f.To != "" && f.From > f.To {
		s.form.Blame("to", errors.New("before the first day"))
		return tui.Bell(2)
	}
	s.form = nil
	return s.reopen(f)
}

func (s *screen[T]) Actions() []tui.Action {
	if s.form != nil {
		return []tui.Action{
			{ID: s.route + ".apply", Keys: []string{"f10", "ctrl+s"}, Label: "show", Help: "Show what fits the filter", Run: s.apply},
			{ID: s.route + ".leave", Keys: []string{"esc"}, Label: "leave the filter", Short: "back",
				Run: func() tea.Cmd { s.form = nil; return nil }},
		}
	}
	none := func() string {
		if s.pages.List.Len() == 0 {
			return "There is no row to choose"
		}
		return ""
	}
	actions := []tui.Action{
		{ID: s.route + ".explain", Keys: []string{"enter"}, Label: "explain", Help: "Why the balance of this row is what it is", Disabled: none,
			Run: func() tea.Cmd {
				row, _ := s.pages.List.Selected()
				return tui.Open(s.open(row))
			}},
		{ID: s.route + ".filter", Keys: []string{"f3"}, Label: "filter", Help: "Product, place, operation, state, period",
			Run: func() tea.Cmd { s.form = newForm(s.filter, s.status); return nil }},
		{ID: s.route + ".clear", Keys: []string{"f4"}, Label: "clear filter", Short: "clear", Disabled: func() string {
			if s.filter == (filter{Days: s.days}) {
				return "Nothing is filtered"
			}
			return ""
		}, Run: func() tea.Cmd { return s.reopen(filter{Days: s.days}) }},
		{ID: s.route + ".refresh", Keys: []string{"f5"}, Label: "refresh", Run: s.pages.Retry},
		{ID: s.route + ".copy", Keys: []string{"ctrl+y"}, Label: "copy row", Quiet: true, Disabled: none, Run: func() tea.Cmd {
			row, _ := s.pages.List.Selected()
			return tui.Copy(strings.Join(s.cells(row), "\t"))
		}},
	}
	if s.chart != nil {
		// The arrows are Update's: here they stand for the help.
		actions = append(actions, tui.Action{ID: s.route + ".day", Keys: []string{"left"}, Label: "day", Quiet: true,
			Help: "← the day before, → the day after", Run: func() tea.Cmd { return s.key(tea.KeyMsg{Type: tea.KeyLeft}) }})
	}
	return actions
}
