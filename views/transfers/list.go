package transfers

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// Departures returns the factory of the list of transfers to ship.
func Departures(site *session.Site) tui.Factory { return listFactory(site, &shipping) }

// Arrivals returns the factory of the list of transfers to receive.
func Arrivals(site *session.Site) tui.Factory { return listFactory(site, &receiving) }

func listFactory(site *session.Site, e *side) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &list{site: site, side: e}, nil }
}

// list is the screen of the transfers at one end, oldest first.
type list struct {
	site   *session.Site
	side   *side
	env    tui.Env
	panel  panel.ListPanel[api.Transfer]
	finder panel.ScanFinder[api.Transfer]
}

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env, s.finder = env, s.newFinder()
	s.panel = panel.ListPanel[api.Transfer]{Question: env.T.Get("Scan a transfer or item, or choose one"), ShortQuestion: env.T.Get("scan or choose"), Noun: env.T.Get("open"),
		Detail: func(t api.Transfer) string {
			return panel.JoinParts(cmp.Or(name(&t), sku(&t)), s.site.T().Get(s.side.directionText, session.LocationOf(s.side.otherLocation(&t)).String()))
		},
		Load: func(ctx context.Context) ([]api.Transfer, bool, error) {
			rows, more, err := s.side.load(ctx, s.site, s.site.Location())
			slices.Reverse(rows)
			return rows, more, err
		},
		FilterText: func(t api.Transfer) string {
			return names.Transfer(&t) + " " + sku(&t) + " " + name(&t) + " " + session.LocationOf(s.side.otherLocation(&t)).String()
		},
	}
	s.panel.List = widget.NewList(func(t api.Transfer) string { return t.ID.String() }, s.columns()...)
	s.panel.List.EmptyText = s.site.T().Get(s.side.emptyWord)
	return s.panel.Init(env)
}

func (s *list) columns() []widget.Column[api.Transfer] {
	return []widget.Column[api.Transfer]{
		{Title: s.site.T().Get("transfer"), Width: 12, Cell: func(t api.Transfer) string { return s.site.SyncBadge(t.ID) + names.Transfer(&t) }},
		{Title: s.site.T().Get(s.side.directionWord), Rank: 6, Cell: func(t api.Transfer) string { return session.LocationOf(s.side.otherLocation(&t)).String() }},
		{Title: s.site.T().Get("product"), Width: 20, Rank: 4, Cell: func(t api.Transfer) string { return cmp.Or(name(&t), sku(&t)) }},
		{Title: s.site.T().Get("sku"), Width: 10, Rank: 7, Cell: func(t api.Transfer) string { return sku(&t) }},
		{Title: s.site.T().Get("pending"), Width: 7, Right: true, Rank: 1, Cell: func(t api.Transfer) string { return s.site.T().Count(s.side.pendingOf(&t)) }},
		{Title: s.site.T().Get(s.side.doneWord), Width: 8, Right: true, Rank: 5, Cell: func(t api.Transfer) string { return s.site.T().Count(s.side.doneOf(&t)) }},
		{Title: s.site.T().Get("created"), Width: 16, Rank: 8, Cell: func(t api.Transfer) string { return s.site.T().When(t.CreatedAt, s.env.Now()) }},
	}
}

func (s *list) Title() string                { return s.site.T().Get(s.side.titleWord) }
func (s *list) AcceptsKey(k tea.KeyMsg) bool { return s.panel.AcceptsKey(k) }
func (s *list) Refresh() tea.Cmd             { return s.panel.Reload() }
func (s *list) Busy() bool                   { return s.finder.Busy() }

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if cmd, handled := s.finder.Update(msg); handled {
		return s, cmd
	}
	cmd, _ := s.panel.Update(msg)
	return s, cmd
}

func (s *list) View(size tui.Size) string {
	s.panel.List.Columns = s.columns()
	if size.Class == tui.Narrow { // the whole name, and the quantity
		s.panel.List.Columns = panel.NarrowColumns(s.panel.List.Columns, s.site.T().Get("transfer"), s.site.T().Get("pending"))
	}
	return s.panel.View(size)
}

func (s *list) Actions() []tui.Action {
	actions := []tui.Action{{ID: s.side.id + ".open", Keys: []string{"enter"}, Label: s.site.T().GetC("open", "verb"), Help: s.site.T().Get("Open the selected transfer"),
		Disabled: s.panel.EmptyText, Run: func() tea.Cmd {
			t, _ := s.panel.Selected()
			return s.openTransfer(&t)
		}}}
	if s.side.ships() && s.site.Supports(api.CreateTransfer.Spec) {
		actions = append(actions, tui.Action{ID: "ship.new", Keys: []string{"f3"}, Label: s.site.T().Get("new"), Help: s.site.T().Get("Plan a transfer from here to another location"),
			Run: func() tea.Cmd { return tui.Open("ship/new") }})
	}
	return append(append(actions, s.panel.Actions()...), panel.ChooseLocation(s.site, s.env))
}

func (s *list) openTransfer(t *api.Transfer) tea.Cmd {
	return tui.Open(tui.Path(s.side.id, t.ID.String()))
}

// OnScan opens the scanned transfer, or a transfer of the scanned item.
func (s *list) OnScan(got scan.Scan) tea.Cmd {
	return s.finder.Find(s.env, count.ParseLabel(s.site.T(), got))
}

func (s *list) newFinder() panel.ScanFinder[api.Transfer] {
	return panel.ScanFinder[api.Transfer]{Site: s.site, Rows: s.panel.Rows, Name: names.Transfer, SKU: sku,
		ID:      func(t *api.Transfer) api.ID { return t.ID },
		Product: func(t *api.Transfer) api.ID { return t.ProductID },
		Choose:  s.chooseTransfer,
		NotFoundText: func(p *api.Product) tea.Cmd {
			return tui.Fail(errors.New(s.site.T().Get("No transfer of %s (%s) is open here.", p.SKU, p.Name)))
		}}
}

// chooseTransfer opens the only transfer, or asks which.
func (s *list) chooseTransfer(hits []api.Transfer) tea.Cmd {
	line := func(t *api.Transfer) string {
		return s.site.T().Get("%s  %s  %s pending", names.Transfer(t), sku(t), s.site.T().Count(s.side.pendingOf(t))) +
			"  " + s.site.T().Get(s.side.directionText, session.LocationOf(s.side.otherLocation(t)).String())
	}
	return tea.Batch(tui.Accepted(), panel.Choose(s.site.T().Get("Which transfer?"), hits, line, s.openTransfer))
}
