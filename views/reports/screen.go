package reports

import (
	"context"
	"sync/atomic"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/panel"
	"bincard/views/session"
)

// screen is one report.
type screen struct {
	kind
	panel.ScanLookup
	tui.Env
	site          *session.Site
	filter        filter
	form          *widget.Form
	pages         *listscreen.Pages
	totals        totals
	exporter      export.Exporter
	sorter        listscreen.Sorter
	saved         []namedFilter // that the operator sees
	lastQuery     string        // the last filter that the operator used
	loadErr       error         // reading the saved filters failed
	dayCounts     []dayCount    // of the loaded rows
	dayCountRows  int           // number of rows in dayCounts
	seekDirection int           // nonzero while the previous day is searched in pages to come
	top           int           // lines above the list in the last view
}

func newFactory(site *session.Site, make func(env tui.Env) kind) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		k := make(env)
		s := &screen{kind: k, site: site, Env: env}
		s.loadSaved()
		s.filter = filterOf(env.Route.Query, k.days)
		if len(env.Route.Query) == 0 {
			s.filter = s.startFilter()
		}

		s.pages = listscreen.NewPages("rows", k.noun, k.key)
		s.sorter = listscreen.NewSorter(site, k.route, s.sizedColumns)

		return s, nil
	}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.exporter.Init(env, s.site)
	s.totals.groupings, s.totals.chart = s.parts, s.chart
	s.totals.begin(env, s.filter, s.fetchPage(), s.noun, s.balances)
	return s.loadRows()
}

// sizedColumns returns the columns for a size.
func (s *screen) sizedColumns(size tui.Size) []widget.Column[any] {
	return s.columns(s.Env, size, s.pages.List.Rows())
}

func (s *screen) Refresh() tea.Cmd { s.loadSaved(); return s.pages.Refresh() }

// CanLeave reports whether no export is in progress.
func (s *screen) CanLeave() (bool, string) { return s.exporter.CanLeave() }

// fetchPage returns a function that loads pages of the filter and resolves its codes
// only once.
func (s *screen) fetchPage() listscreen.Fetch[any] {
	f, site, env, fetch := s.filter, s.site, s.Env, s.fetch
	var stock atomic.Pointer[api.StockFilter] // an earlier request may still be running

	return func(ctx context.Context, cursor string) ([]any, *string, error) {
		if stock.Load() == nil {
			found, err := f.resolve(ctx, site)
			if err != nil {
				return nil, nil, err
			}
			stock.Store(&found)
		}

		return fetch(ctx, site, f, *stock.Load(), env, cursor)
	}
}

func (s *screen) AcceptsKey(k tea.KeyMsg) bool { return s.form != nil && s.form.AcceptsKey(k) }

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return s, s.key(msg)
	case tea.MouseMsg:
		return s, s.pages.Mouse(msg, s.top)
	case savedMsg:
		s.loadSaved()
		return s, nil
	}

	if cmd, handled := s.exporter.Update(msg); handled {
		return s, cmd
	}
	if cmd, handled := s.Found(s.site, msg); handled {
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

func (s *screen) key(k tea.KeyMsg) tea.Cmd {
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

// exportContent returns the rows of the report, or the totals if they are open.
func (s *screen) exportContent() export.Content {
	if !s.totals.open {
		return export.Content{Name: s.route, Title: s.noun, Source: s.source(s.fetchPage())}
	}

	p := s.parts[s.totals.current]

	return export.Content{
		Name:  s.route + " " + p.title,
		Title: s.noun + " " + p.title,
		Source: export.FromRows([]export.Column[flow]{
			export.Text(p.header, func(l *flow) string { return l.Name }),
			export.Quantity("rows", func(l *flow) int64 { return l.Rows }),
			export.Quantity("in", func(l *flow) int64 { return l.In }),
			export.Quantity("out", func(l *flow) int64 { return l.Out }),
			export.Quantity("net", func(l *flow) int64 { return l.netQuantity() }),
		}, s.totals.list.Rows()),
	}
}
