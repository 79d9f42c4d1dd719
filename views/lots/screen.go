package lots

import (
	"cmp"
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"
)

// Trace returns the factory of the trace of a lot. The route names the lot by ID or
// code.
func Trace(site *session.Site) tui.Factory { return newFactory(site, false, "lot") }

// Serial returns the factory of the history of a serial. The route names the serial
// by ID or serial number.
func Serial(site *session.Site) tui.Factory { return newFactory(site, true, "serial") }

func newFactory(site *session.Site, serial bool, param string) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &screen{
			Env:        env,
			site:       site,
			query:      env.Route.Param(param),
			source:     &source{site: site, serial: serial},
			partyNames: map[string]string{},
			pages: listscreen.NewPages("movements", env.T.Get("movements"),
				func(m *api.Movement) string { return m.ID.String() }),
		}

		s.steps = widget.NewList(func(x step) string { return x.id })
		party := func(p Party) string { return p.item + p.Document + p.Op + p.Place }
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
	tui.Env
	site           *session.Site
	query          string // lot or serial in the route
	source         *source
	pages          *listscreen.Pages
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

func (s *screen) lookUp() tea.Cmd {
	s.loadErr = nil
	source, text := s.source, s.query
	return s.Latest("subject", func(ctx context.Context) tea.Msg {
		list, err := source.find(ctx, text)
		return candidatesMsg{list, err}
	})
}

func (s *screen) Busy() bool { return s.finding }

func (s *screen) CanLeave() (bool, string) { return s.exporter.CanLeave() }

func (s *screen) Title() string {
	kind := s.T.Get("Trace")
	if s.source.serial {
		kind = s.T.GetC("Serial", "lots")
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

// withNames returns the parties with their names, latest first, then those of kits.
func (s *screen) withNames(list, kits []Party) []Party {
	t := s.T
	out := slices.Clone(list)
	slices.Reverse(out)
	out = append(out, kits...)
	for i := range out {
		p := &out[i]
		p.Party = cmp.Or(s.partyNames[p.Route], p.Party)
		switch {
		case p.kits > 0:
			p.Party = t.Get("used in %s × %s", p.item, t.Count(p.kits))
			continue
		case p.operation == api.OpDisassembleInput:
			p.Party = t.Get("taken apart, parts have no lot")
		}

		if p.item != "" {
			p.Party = p.item + ": " + cmp.Or(p.Party, names.OperationIn(t, p.operation, 17))
		}
	}

	return out
}

// loadParties loads the names of the next ten parties.
func (s *screen) loadParties() tea.Cmd {
	if s.loadingParties || s.source.serial {
		return nil
	}

	var batch []Party
	for _, p := range slices.Concat(s.totals.out, s.totals.from, s.trace.kits.out) {
		if _, loaded := s.partyNames[p.Route]; !loaded && p.Route != "" && len(batch) < 10 {
			batch = append(batch, p)
		}
	}

	if len(batch) == 0 {
		return nil
	}

	s.loadingParties = true
	site := s.site

	return s.Latest("parties", func(ctx context.Context) tea.Msg { return partiesMsg(parties(ctx, site, batch)) })
}

// selectedRoute returns the route of the selected row. words describes the row if it
// has no route.
func (s *screen) selectedRoute() (route, words string, ok bool) {
	switch s.tab {
	case tabSteps:
		x, ok := s.steps.Selected()
		return x.route, names.Operation(s.T, x.op), ok
	case tabHere:
		h, ok := s.here.Selected()
		return tui.Path("explain", h.BalanceID.String()), "", ok
	case tabSources:
		p, ok := s.from.Selected()
		return p.Route, names.Operation(s.T, p.operation), ok
	}

	p, ok := s.out.Selected()

	return p.Route, names.Operation(s.T, p.operation), ok
}
