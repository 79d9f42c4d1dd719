package reports

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"
	"bincard/views/reports/paging"

	tea "github.com/charmbracelet/bubbletea"
)

// kind is what makes one report different from another.
type kind[T any] struct {
	route, title, noun string
	days               int  // of the period when the route names none
	balances           bool // the filter knows what a balance holds, and when
	lasting            bool // a row that was read never changes
	key                func(row T) string
	columns            func(env tui.Env, size tui.Size, rows []T) []widget.Column[T]
	// fetch answers a page of what the filter names.
	fetch    func(ctx context.Context, site *dock.Site, f filter, of ids, env tui.Env, cursor string) ([]T, *string, error)
	open     func(row T) string                    // the route that explains a row
	document func(row T) (route, operation string) // behind a row; nil where there is none
	detail   func(row T) string
	does     func(row T) string   // what the row chosen says in a line of 20 cells; nil says nothing
	cells    func(row T) []string // for the clipboard
	sheet    []export.Column[T]
	parts    []part[T] // ways to add up
	chart    *chart[T] // nil where there is none
}

// screen is one report.
type screen[T any] struct {
	kind[T]
	env     tui.Env
	site    *dock.Site
	filter  filter
	form    *widget.Form
	pages   *paging.Pages[T]
	totals  totals[T]
	desk    export.Desk
	saved   saved
	unread  error   // what is saved could not be read
	finding bool    // a scan is being looked up
	tallies []tally // of the rows that were read
	tallied int     // how many rows those are
	seeking int     // a day before is looked for among rows not read yet
	top     int     // lines above the list, as last painted
}

func open[T any](site *dock.Site, k kind[T]) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &screen[T]{kind: k, site: site}
		s.remember()
		s.filter = filterOf(env.Route.Query, k.days)
		if len(env.Route.Query) == 0 && s.saved.Last != "" {
			s.filter = filterOfQuery(s.saved.Last, k.days)
		}
		s.pages = paging.New("rows", k.noun, k.key)
		s.pages.Lasting = k.lasting
		return s, nil
	}
}

func (s *screen[T]) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.desk.Open(env, s.site)
	s.totals.parts, s.totals.chart = s.parts, s.chart
	s.totals.begin(env, s.filter, s.reader(), s.noun)
	return s.pages.Load(env, s.reader())
}

func (s *screen[T]) Refresh() tea.Cmd { s.remember(); return s.pages.Fresh() }

// Busy tells whether a scan is being looked up: the next one waits.
func (s *screen[T]) Busy() bool { return s.finding }

// CanLeave tells whether a file is being written.
func (s *screen[T]) CanLeave() (bool, string) { return s.desk.CanLeave() }

// reader answers the pages of the filter; what it names by code is looked up once.
func (s *screen[T]) reader() paging.Fetch[T] {
	f, site, env, fetch := s.filter, s.site, s.env, s.fetch
	var of atomic.Pointer[ids] // an earlier question may still be under way
	return func(ctx context.Context, cursor string) ([]T, *string, error) {
		if of.Load() == nil {
			found, err := f.find(ctx, site)
			if err != nil {
				return nil, nil, err
			}
			of.Store(&found)
		}
		return fetch(ctx, site, f, *of.Load(), env, cursor)
	}
}

func (s *screen[T]) Title() string {
	switch {
	case s.form != nil:
		return fmt.Sprintf(saidFilter, s.title)
	case s.totals.open:
		return fmt.Sprintf(saidTotals, s.title, s.filter.words())
	}
	return s.title + " › " + s.filter.words()
}

// ShortTitle is the report's name.
func (s *screen[T]) ShortTitle() string { return s.title }

func (s *screen[T]) AcceptsKey(k tea.KeyMsg) bool { return s.form != nil && s.form.AcceptsKey(k) }

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
	case savedMsg:
		s.remember()
		return s, nil
	}
	if cmd, mine := s.desk.Take(msg); mine {
		return s, cmd
	}
	if cmd, mine := s.totals.take(msg); mine {
		return s, cmd
	}
	if s.pages.Take(msg) {
		if s.pages.Err() != nil {
			s.seeking = 0
			return s, tui.Bell(2)
		}
		s.count()
	}
	return s, s.follow()
}

// count brings the chart up to the rows that were read.
func (s *screen[T]) count() {
	rows := s.pages.List.Rows()
	switch {
	case s.chart == nil:
	case s.pages.Grown() && s.tallied < len(rows):
		s.tallies = earlier(s.chart.tallies(s.env, rows[s.tallied:]), s.tallies)
	default:
		s.tallies = s.chart.tallies(s.env, rows)
	}
	s.tallied = len(rows)
}

// follow asks for the next page near the end, and goes on to the day that is
// looked for.
func (s *screen[T]) follow() tea.Cmd {
	if s.seeking != 0 {
		s.another(s.seeking)
	}
	return s.pages.Follow()
}

// another goes to the day before (1) or after (-1). The day before may not be read
// yet: then it is looked for as pages come.
func (s *screen[T]) another(way int) {
	at, there := s.chart.day(s.env, s.pages.List.Rows(), s.pages.List.Cursor(), way)
	s.seeking = 0
	s.pages.List.MoveTo(at)
	if !there && way > 0 && !s.pages.Complete() {
		s.seeking = way
	}
}

func (s *screen[T]) key(k tea.KeyMsg) tea.Cmd {
	switch {
	case s.form != nil:
		if s.form.AcceptsKey(k) && s.form.Key(k) {
			return s.apply()
		}
		return nil
	case s.totals.open:
		switch k.Type {
		case tea.KeyLeft:
			s.totals.turn(-1)
		case tea.KeyRight:
			s.totals.turn(1)
		default:
			s.totals.list.Key(k)
		}
		return nil
	case k.Type == tea.KeyLeft:
		return s.day(1)
	case k.Type == tea.KeyRight:
		return s.day(-1)
	}
	cmd, moved := s.pages.Key(k)
	if moved {
		s.seeking = 0
	}
	return cmd
}

// day goes a day back (1) or on (-1): with a filter of one day, or of an
// instant, to that of the next one; else among the rows.
func (s *screen[T]) day(back int) tea.Cmd {
	now := s.env.Now()
	if s.balances {
		return s.instant(back)
	}
	day, ok := s.filter.only(now)
	if !ok {
		s.another(back)
		return s.follow()
	}
	day = day.AddDate(0, 0, -back)
	if day.After(midnight(now)) {
		return tui.Warn(noLaterDay)
	}
	return s.reopen(s.filter.on(day))
}

// instant shows the balances a day earlier (1) or later (-1).
func (s *screen[T]) instant(back int) tea.Cmd {
	now, f := s.env.Now(), s.filter
	at, err := f.asOf(now)
	if err != nil {
		return tui.Fail(err)
	}
	switch {
	case at == nil && back < 0:
		return tui.Warn(noLaterDay)
	case at == nil:
		f.AsOf = midnight(now).AddDate(0, 0, -1).Format(time.DateOnly)
	default:
		layout := time.DateOnly
		if len(f.AsOf) > len(layout) {
			layout = minute
		}
		moved := at.In(now.Location()).AddDate(0, 0, -back)
		if f.AsOf = moved.Format(layout); !moved.Before(now) || layout == time.DateOnly && !moved.Before(midnight(now)) {
			f.AsOf = ""
		}
	}
	return s.reopen(f)
}

// thing narrows the report, or the form that stands, to what was scanned.
func (s *screen[T]) thing(m thingMsg) tea.Cmd {
	if m.err != nil {
		return tui.Fail(errors.New(dock.Words(m.err)))
	}
	if route := m.thing.Trace(); route != "" && s.form == nil {
		return tea.Batch(tui.Accepted(), tui.Open(route))
	}
	f := s.filter
	if s.form != nil {
		f = read(s.form, s.filter)
	}
	f, err := f.narrowed(m.thing)
	switch {
	case err != nil:
		return tui.Fail(err)
	case s.form == nil && s.desk.Under():
		_, why := s.desk.CanLeave()
		return tui.Fail(errors.New(why))
	case s.form == nil:
		return tea.Batch(tui.Accepted(), s.reopen(f))
	}
	s.form.Fill("sku", f.SKU)
	s.form.Fill("place", f.Place)
	return tui.Accepted()
}

// reopen opens the report anew with another filter, which is the last one used
// from now on: the route is the filter.
func (s *screen[T]) reopen(f filter) tea.Cmd {
	if free, why := s.desk.CanLeave(); !free {
		return tui.Warn(why)
	}
	query := f.query()
	site, route, log := s.site, s.route, s.env.Log
	return func() tea.Msg {
		if err := keep(site, route, func(all *saved) { all.Last = query }); err != nil {
			log.Warn("the last filter is not kept", "error", err) // it is shown all the same
		}
		return tui.Replace(route + "?" + query)()
	}
}

func (s *screen[T]) apply() tea.Cmd {
	if !s.form.Validate() {
		return tui.Bell(2)
	}
	f := read(s.form, s.filter)
	from, to, err := f.period(s.env.Now())
	switch {
	case err == nil && from != nil && to != nil && !from.Before(*to):
		s.form.SetProblem("to", errors.New(beforeFirst))
		return tui.Bell(2)
	case f.AsOf != "" && f.Operation != "":
		s.form.SetProblem("asOf", errors.New(notWithAsOf))
		return tui.Bell(2)
	}
	s.form = nil
	return s.reopen(f)
}

// what is given away as a file: the rows, or what they add up to.
func (s *screen[T]) what() export.What {
	if !s.totals.open {
		return export.What{Name: s.route, Source: export.Of(s.sheet, export.Fetch[T](s.reader()))}
	}
	p := s.parts[s.totals.at]
	number := func(name string, of func(*flow) int64) export.Column[flow] {
		return export.Column[flow]{Name: name, Plain: true, Of: func(l *flow) string { return fmt.Sprint(of(l)) }}
	}
	return export.What{Name: s.route + " " + p.title, Source: export.Rows([]export.Column[flow]{
		{Name: p.head, Of: func(l *flow) string { return l.Name }}, number("rows", func(l *flow) int64 { return l.Rows }),
		number("in", func(l *flow) int64 { return l.In }), number("out", func(l *flow) int64 { return l.Out }),
		number("net", func(l *flow) int64 { return l.net() })}, s.totals.list.Rows())}
}
