package reports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/listsort"
	"bincard/views/paging"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// kind holds what differs between reports.
type kind[T any] struct {
	route, title, noun string
	shortTitle         string // for small screens; title if empty
	start              filter // of a route without one; see startFilter
	days               int    // default period of a route with a filter
	balances           bool   // the report lists balances: the filter has stock status and time
	keepRows           bool   // loaded rows never change
	key                func(row T) string
	columns            func(env tui.Env, size tui.Size, rows []T) []widget.Column[T]
	// fetch returns a page of the filtered rows.
	fetch         func(ctx context.Context, site *session.Site, f filter, ids resolvedIDs, env tui.Env, cursor string) ([]T, *string, error)
	open          func(f filter, row T) string          // the route that explains a row
	documentRoute func(row T) (route, operation string) // document of a row; nil if rows have none
	detail        func(env tui.Env, row T, size tui.Size) string
	summary       func(env tui.Env, row T, size tui.Size) string // the selected row in one line of a small screen; nil for none
	cells         func(row T) []string                           // for the clipboard
	exportColumns []export.Column[T]
	parts         []grouping[T] // groupings of the totals
	chart         *chart[T]     // nil for none
	orders        []listsort.Order[T]
	inOrder       func(a, b *T) int // the default order; nil for that of the service
}

// screen is one report.
type screen[T any] struct {
	kind[T]
	env           tui.Env
	site          *session.Site
	filter        filter
	form          *widget.Form
	pages         *paging.Pages[T]
	totals        totals[T]
	exporter      export.Exporter
	sorter        listsort.Sorter[T]
	saved         []namedFilter // that the operator sees
	lastQuery     string        // the last filter that the operator used
	loadErr       error         // reading the saved filters failed
	finding       bool          // a scan is being looked up
	dayCounts     []dayCount    // of the loaded rows
	dayCountRows  int           // number of rows in dayCounts
	seekDirection int           // nonzero while the previous day is searched in pages to come
	top           int           // lines above the list in the last view
}

func newFactory[T any](site *session.Site, make func(t *i18n.Translator) kind[T]) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		k := make(env.T)
		s := &screen[T]{kind: k, site: site, env: env}
		s.loadSaved()
		s.filter = filterOf(env.Route.Query, k.days)
		if len(env.Route.Query) == 0 {
			s.filter = s.startFilter()
		}
		s.pages = paging.New("rows", k.noun, k.key)
		s.sorter = listsort.New(site, k.route, k.orders)
		return s, nil
	}
}

// startFilter returns the last filter used if it has a name, else the one that the report
// starts with, for the operator's location.
func (s *screen[T]) startFilter() filter {
	for _, n := range s.saved {
		if n.Query == s.lastQuery {
			return filterOfQuery(n.Query, s.days)
		}
	}
	f := s.start
	f.Location = s.site.Location().Code
	return f
}

func (s *screen[T]) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.exporter.Init(env, s.site)
	s.totals.groupings, s.totals.chart = s.parts, s.chart
	s.totals.begin(env, s.filter, s.fetchPage(), s.noun, s.balances)
	return s.loadRows()
}

func (s *screen[T]) Refresh() tea.Cmd { s.loadSaved(); return s.pages.Refresh() }

// Busy reports whether a scan is being looked up; the next scan waits.
func (s *screen[T]) Busy() bool { return s.finding }

// CanLeave reports whether no export is in progress.
func (s *screen[T]) CanLeave() (bool, string) { return s.exporter.CanLeave() }

// fetchPage returns a function that loads pages of the filter and resolves its codes
// only once.
func (s *screen[T]) fetchPage() paging.Fetch[T] {
	f, site, env, fetch := s.filter, s.site, s.env, s.fetch
	var ids atomic.Pointer[resolvedIDs] // an earlier request may still be running
	return func(ctx context.Context, cursor string) ([]T, *string, error) {
		if ids.Load() == nil {
			found, err := f.resolve(ctx, site)
			if err != nil {
				return nil, nil, err
			}
			ids.Store(&found)
		}
		return fetch(ctx, site, f, *ids.Load(), env, cursor)
	}
}

func (s *screen[T]) Title() string {
	switch {
	case s.form != nil:
		return s.env.T.Get("%s › filter", s.title)
	case s.totals.open:
		return s.env.T.Get("%s › totals › %s", s.title, s.filter.text(s.env.T, s.balances))
	}
	return s.title + s.countText() + " › " + s.filter.text(s.env.T, s.balances)
}

// countText returns the number of rows in parentheses, or "" until they are loaded.
func (s *screen[T]) countText() string {
	if !s.pages.Loaded() {
		return ""
	}
	return " (" + s.rowCount() + ")"
}

func (s *screen[T]) rowCount() string {
	n := s.pages.List.Len()
	return s.pages.Count(n, n)
}

// ShortTitle returns the time of a snapshot, what the filter selects besides the
// operator's location, and the name of the report. If that is all, it starts with the
// number of rows.
func (s *screen[T]) ShortTitle() string {
	f := s.filter
	if f.Location == s.site.Location().Code {
		f.Location = ""
	}
	parts := f.conditions(s.env.T)
	switch {
	case f.AsOf != "":
		parts = append([]string{f.AsOf}, parts...)
	case f.From != "" || f.To != "":
		parts = append([]string{f.periodText(s.env.T)}, parts...)
	}
	if parts = append(parts, cmp.Or(s.shortTitle, s.title)); len(parts) == 1 && s.pages.Loaded() && s.form == nil && !s.totals.open {
		parts[0] = s.rowCount() + " " + parts[0]
	}
	return widget.Clean(strings.Join(parts, " · "))
}

func (s *screen[T]) AcceptsKey(k tea.KeyMsg) bool { return s.form != nil && s.form.AcceptsKey(k) }

func (s *screen[T]) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	return lookUpScan(s.env, s.site, got)
}

func (s *screen[T]) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return s, s.key(msg)
	case tea.MouseMsg:
		return s, s.pages.Mouse(msg, s.top)
	case matchMsg:
		s.finding = false
		return s, s.applyMatch(msg)
	case savedMsg:
		s.loadSaved()
		return s, nil
	}
	if cmd, handled := s.exporter.Update(msg); handled {
		return s, cmd
	}
	if cmd, handled := s.totals.handle(msg); handled {
		return s, cmd
	}
	empty := s.pages.List.Len() == 0
	if s.pages.Handle(msg) {
		if s.pages.Err() != nil {
			s.seekDirection = 0
			return s, tui.Bell(2)
		}
		s.countDays()
		if s.sortRows(); empty {
			s.pages.List.MoveTo(0)
		}
		if s.sorter.Active() && !s.pages.Complete() && s.pages.Err() == nil {
			return s, tui.Warn(s.pages.WhyUnsorted())
		}
	}
	return s, s.loadNear()
}

// countDays updates the chart to the loaded rows.
func (s *screen[T]) countDays() {
	rows := s.pages.List.Rows()
	switch {
	case s.chart == nil:
	case s.pages.Appended() && s.dayCountRows < len(rows):
		s.dayCounts = prependDays(s.chart.dayCounts(s.env, rows[s.dayCountRows:]), s.dayCounts)
	default:
		s.dayCounts = s.chart.dayCounts(s.env, rows)
	}
	s.dayCountRows = len(rows)
}

// loadNear continues the search for a day, and requests the next page near the end.
func (s *screen[T]) loadNear() tea.Cmd {
	if s.seekDirection != 0 {
		s.moveDay(s.seekDirection)
	}
	return s.pages.LoadNear()
}

// moveDay selects the previous day (1) or the next one (-1). If the previous day is
// not loaded yet, the search continues as pages arrive.
func (s *screen[T]) moveDay(direction int) {
	at, found := s.chart.day(s.env, s.pages.List.Rows(), s.pages.List.Cursor(), direction)
	s.seekDirection = 0
	s.pages.List.MoveTo(at)
	if !found && direction > 0 && !s.pages.Complete() {
		s.seekDirection = direction
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
			s.totals.switchGrouping(-1)
		case tea.KeyRight:
			s.totals.switchGrouping(1)
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
		s.seekDirection = 0
	}
	return cmd
}

// day moves a day back (1) or forward (-1): the time of a snapshot, the period of a
// filter for one day, or else the selected row.
func (s *screen[T]) day(back int) tea.Cmd {
	now := s.env.Now()
	if s.balances {
		return s.moveAsOf(back)
	}
	day, ok := s.filter.singleDay(now)
	if !ok && s.sorter.Active() {
		return tui.Warn(s.env.T.Get("Choose the default order (F9) to move by day."))
	}
	if !ok {
		s.moveDay(back)
		return s.loadNear()
	}
	day = day.AddDate(0, 0, -back)
	if day.After(startOfDay(now)) {
		return tui.Warn(s.env.T.Get("This is already today"))
	}
	return s.reopen(s.filter.forDay(day))
}

// moveAsOf shows the balances a day earlier (1) or later (-1).
func (s *screen[T]) moveAsOf(back int) tea.Cmd {
	now, f := s.env.Now(), s.filter
	at, err := f.asOf(s.env.T, now)
	if err != nil {
		return tui.Fail(err)
	}
	switch {
	case at == nil && back < 0:
		return tui.Warn(s.env.T.Get("This is already today"))
	case at == nil:
		f.AsOf = startOfDay(now).AddDate(0, 0, -1).Format(time.DateOnly)
	default:
		layout := time.DateOnly
		if len(f.AsOf) > len(layout) {
			layout = minute
		}
		moved := at.In(now.Location()).AddDate(0, 0, -back)
		if f.AsOf = moved.Format(layout); !moved.Before(now) || layout == time.DateOnly && !moved.Before(startOfDay(now)) {
			f.AsOf = ""
		}
	}
	return s.reopen(f)
}

// applyMatch adds the scanned product or location to the form or the filter.
func (s *screen[T]) applyMatch(m matchMsg) tea.Cmd {
	if m.err != nil {
		return tui.Fail(errors.New(submit.UserMessage(s.env.T, m.err)))
	}
	if route := m.match.TraceRoute(); route != "" && s.form == nil {
		return tea.Batch(tui.Accepted(), tui.Open(route))
	}
	f := s.filter
	if s.form != nil {
		f = readForm(s.form, s.filter, s.env.Now())
	}
	f, err := f.withMatch(s.env.T, m.match)
	switch {
	case err != nil:
		return tui.Fail(err)
	case s.form == nil && s.exporter.Active():
		_, why := s.exporter.CanLeave()
		return tui.Fail(errors.New(why))
	case s.form == nil:
		return tea.Batch(tui.Accepted(), s.reopen(f))
	}
	s.form.Fill("sku", f.SKU)
	s.form.Fill("location", f.Location)
	return tui.Accepted()
}

// reopen opens the report with another filter and saves it as the last one used.
func (s *screen[T]) reopen(f filter) tea.Cmd {
	if free, why := s.exporter.CanLeave(); !free {
		return tui.Warn(why)
	}
	query := f.query()
	site, route, operator, log := s.site, s.route, s.site.Operator(), s.env.Log
	return func() tea.Msg {
		if err := updateSaved(site, route, func(all *savedFilters) { all.setLast(operator, query) }); err != nil {
			log.Warn("cannot save last filter", "error", err) // the filter is applied anyway
		}
		return tui.Replace(route + "?" + query)()
	}
}

func (s *screen[T]) apply() tea.Cmd {
	if !s.form.Validate() {
		return tui.Bell(2)
	}
	f := readForm(s.form, s.filter, s.env.Now())
	from, to, err := f.period(s.env.T, s.env.Now())
	switch {
	case err == nil && from != nil && to != nil && !from.Before(*to):
		s.form.SetProblem("to", errors.New(s.env.T.Get("before the first day")))
		return tui.Bell(2)
	case f.AsOf != "" && f.Operation != "":
		s.form.SetProblem("asOf", errors.New(s.env.T.Get("cannot be combined with As of")))
		return tui.Bell(2)
	}
	s.form = nil
	return s.reopen(f)
}

// exportContent returns the rows of the report, or the totals if they are open.
func (s *screen[T]) exportContent() export.Content {
	if !s.totals.open {
		return export.Content{Name: s.route, Title: s.noun, Source: export.FromPages(s.exportColumns, export.Fetch[T](s.fetchPage()))}
	}
	p := s.parts[s.totals.current]
	number := func(name string, of func(*flow) int64) export.Column[flow] {
		return export.Column[flow]{Name: name, Literal: true, Value: func(l *flow) string { return fmt.Sprint(of(l)) }}
	}
	return export.Content{Name: s.route + " " + p.title, Title: s.noun + " " + p.title, Source: export.FromRows([]export.Column[flow]{
		{Name: p.header, Value: func(l *flow) string { return l.Name }}, number("rows", func(l *flow) int64 { return l.Rows }),
		number("in", func(l *flow) int64 { return l.In }), number("out", func(l *flow) int64 { return l.Out }),
		number("net", func(l *flow) int64 { return l.netQuantity() })}, s.totals.list.Rows())}
}
