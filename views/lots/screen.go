package lots

import (
	"context"
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/export"
	"bincard/views/names"
	"bincard/views/paging"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Trace returns the factory of the trace of a lot. The route names the lot by ID or
// code.
func Trace(site *session.Site) tui.Factory { return newFactory(site, false, "lot") }

// Serial returns the factory of the history of a serial. The route names the serial
// by ID or serial number.
func Serial(site *session.Site) tui.Factory { return newFactory(site, true, "serial") }

func newFactory(site *session.Site, serial bool, param string) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &screen{env: env, site: site, query: env.Route.Param(param), source: &source{site: site, serial: serial}, partyNames: map[string]string{},
			pages: paging.New("movements", env.T.Get("movements"), func(m api.Movement) string { return m.ID.String() })}
		s.steps = widget.NewList(func(x step) string { return x.id })
		party := func(p Party) string { return p.Document + p.Op + p.Place }
		s.from, s.out = widget.NewList(party), widget.NewList(party)
		s.here = widget.NewList(func(h api.LotHolding) string { return h.BalanceID.String() })
		return s, nil
	}
}

// tab is a view of a lot.
type tab int

const (
	tabSteps tab = iota
	tabSources
	tabHere
	tabOut
)

// tabs returns the names of the tabs.
func tabs(t *i18n.Translator) []string {
	return []string{t.Get("steps"), t.Get("came from"), t.Get("in stock"), t.Get("went to")}
}

// screen shows the trace of a lot or the history of a serial.
type screen struct {
	env            tui.Env
	site           *session.Site
	query          string // lot or serial in the route
	source         *source
	pages          *paging.Pages[api.Movement]
	trace          *traceHead
	tab            tab
	newest         bool // newest first
	totals         totals
	steps          widget.List[step]
	from           widget.List[Party]
	here           widget.List[api.LotHolding]
	out            widget.List[Party]
	partyNames     map[string]string // suppliers and customers by route
	loadingParties bool              // party names are being loaded
	exporter       export.Exporter
	loadErr        error
	finding        bool
	top            int
}

type (
	candidatesMsg struct {
		list []candidate
		err  error
	}
	partiesMsg map[string]string
	foundMsg   struct {
		destinations []session.Destination
		err          error
	}
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.exporter.Init(env, s.site)
	return s.lookUp()
}

func (s *screen) lookUp() tea.Cmd {
	s.loadErr = nil
	source, text := s.source, s.query
	return s.env.Latest("subject", func(ctx context.Context) tea.Msg {
		list, err := source.find(ctx, text)
		return candidatesMsg{list, err}
	})
}

// showCandidates loads the lot or serial that was found, or asks which of several to
// load.
func (s *screen) showCandidates(m candidatesMsg) tea.Cmd {
	read := func(c candidate) tea.Cmd {
		s.source.id = c.id
		return s.pages.Load(s.env, s.source.fetch)
	}
	switch {
	case m.err != nil:
		s.loadErr = m.err
		return tui.Bell(2)
	case len(m.list) == 1:
		return read(m.list[0])
	}
	options := make([]string, len(m.list))
	for i, c := range m.list {
		options[i] = c.name
	}
	ask := s.env.T.Get("%s is a lot of several products. Which one?", s.query)
	if s.source.serial {
		ask = s.env.T.Get("%s is a serial of several products. Which one?", s.query)
	}
	return tui.Choose(tui.Choice{Text: ask, Options: options, OnChoice: func(i int) tea.Cmd { return read(m.list[i]) }})
}

func (s *screen) Refresh() tea.Cmd {
	if s.trace == nil {
		return nil
	}
	return s.pages.Refresh()
}

func (s *screen) Busy() bool               { return s.finding }
func (s *screen) CanLeave() (bool, string) { return s.exporter.CanLeave() }

func (s *screen) Title() string {
	kind := s.env.T.Get("Trace")
	if s.source.serial {
		kind = s.env.T.GetC("Serial", "lots")
	}
	title := kind + " › " + s.name()
	if s.trace != nil && s.trace.product != nil {
		title += " › " + s.trace.product.SKU + " " + s.trace.product.Name
	}
	return widget.Clean(title)
}

// ShortTitle returns the lot code or serial number.
func (s *screen) ShortTitle() string { return widget.Clean(s.name()) }

func (s *screen) name() string {
	switch {
	case s.trace == nil && len(s.query) == 36:
		return "…"
	case s.trace == nil:
		return s.query
	case s.trace.serial != nil:
		return s.trace.serial.SerialNumber
	}
	return s.trace.lot.LotCode
}

// OnScan opens what was scanned.
func (s *screen) OnScan(got scan.Scan) tea.Cmd {
	s.finding = true
	r := count.ParseLabel(s.env.T, got)
	return s.env.Do(func(ctx context.Context) tea.Msg {
		destinations, err := s.site.Resolve(ctx, r)
		return foundMsg{destinations, err}
	})
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		s.key(msg)
		return s, nil
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
			s.click(msg.Y - s.top)
		}
		return s, nil
	case candidatesMsg:
		return s, s.showCandidates(msg)
	case partiesMsg:
		s.loadingParties = false
		for route, name := range msg {
			s.partyNames[route] = name
		}
		s.fillLists()
		return s, s.loadParties()
	case foundMsg:
		s.finding = false
		if msg.err != nil {
			return s, tui.Fail(errors.New(submit.UserMessage(s.env.T, msg.err)))
		}
		return s, panel.Navigate(s.site, msg.destinations)
	}
	if cmd, handled := s.exporter.Update(msg); handled {
		return s, cmd
	}
	if !s.pages.Handle(msg) {
		return s, nil
	}
	if s.pages.Err() != nil {
		return s, tui.Bell(2)
	}
	s.trace = s.source.last()
	s.totals = totalsOf(s.env.T, s.pages.List.Rows())
	s.fillLists()
	if !s.pages.Complete() {
		return s, s.pages.More() // the totals need all steps
	}
	return s, s.loadParties()
}

// fillLists fills the lists from the loaded movements.
func (s *screen) fillLists() {
	list := steps(s.env.T, s.pages.List.Rows())
	if s.newest {
		slices.Reverse(list)
	}
	s.steps.SetRows(list)
	if s.trace != nil {
		s.here.SetRows(s.trace.holdings)
	}
	s.from.SetRows(s.withNames(s.totals.from))
	s.out.SetRows(s.withNames(s.totals.out))
}

// withNames returns the parties with their names, latest first.
func (s *screen) withNames(list []Party) []Party {
	out := slices.Clone(list)
	slices.Reverse(out)
	for i := range out {
		out[i].Party = s.partyNames[out[i].Route]
	}
	return out
}

// loadParties loads the names of the next ten parties.
func (s *screen) loadParties() tea.Cmd {
	if s.loadingParties || s.source.serial {
		return nil
	}
	var batch []Party
	for _, p := range append(slices.Clone(s.totals.out), s.totals.from...) {
		if _, loaded := s.partyNames[p.Route]; !loaded && p.Route != "" && len(batch) < 10 {
			batch = append(batch, p)
		}
	}
	if len(batch) == 0 {
		return nil
	}
	s.loadingParties = true
	site := s.site
	return s.env.Latest("parties", func(ctx context.Context) tea.Msg { return partiesMsg(parties(ctx, site, batch)) })
}

func (s *screen) key(k tea.KeyMsg) {
	switch {
	case k.Type == tea.KeyLeft:
		s.switchTab(-1)
	case k.Type == tea.KeyRight:
		s.switchTab(1)
	case s.tab == tabSteps:
		s.steps.Key(k)
	case s.tab == tabSources:
		s.from.Key(k)
	case s.tab == tabHere:
		s.here.Key(k)
	default:
		s.out.Key(k)
	}
}

func (s *screen) click(y int) {
	switch s.tab {
	case tabSteps:
		s.steps.Click(y)
	case tabSources:
		s.from.Click(y)
	case tabHere:
		s.here.Click(y)
	default:
		s.out.Click(y)
	}
}

// switchTab switches to another tab; a serial has only steps.
func (s *screen) switchTab(direction int) {
	if !s.source.serial {
		s.tab = tab((int(s.tab) + direction + len(tabs(s.env.T))) % len(tabs(s.env.T)))
	}
}

// selectedRoute returns the route of the selected row. words describes the row if it
// has no route.
func (s *screen) selectedRoute() (route, words string, ok bool) {
	switch s.tab {
	case tabSteps:
		x, ok := s.steps.Selected()
		return x.route, names.Operation(s.env.T, x.op), ok
	case tabHere:
		h, ok := s.here.Selected()
		return tui.Path("explain", h.BalanceID.String()), "", ok
	case tabSources:
		p, ok := s.from.Selected()
		return p.Route, names.Operation(s.env.T, p.operation), ok
	}
	p, ok := s.out.Selected()
	return p.Route, names.Operation(s.env.T, p.operation), ok
}
