package transfers

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// Departures makes the screen of what is to be shipped from here.
func Departures(site *dock.Site) tui.Factory { return lister(site, &shipping) }

// Arrivals makes the screen of what is on the way here.
func Arrivals(site *dock.Site) tui.Factory { return lister(site, &arriving) }

func lister(site *dock.Site, e *end) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &list{site: site, end: e}, nil }
}

// list is the screen of the transfers at one end, oldest first.
type list struct {
	site  *dock.Site
	end   *end
	env   tui.Env
	board dock.Board[api.Transfer]
	seek  dock.Seeker[api.Transfer]
}

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env, s.seek = env, s.seeker()
	s.board = dock.Board[api.Transfer]{Ask: askList, Short: shortList, Noun: wordOpen,
		Aside: func(t api.Transfer) string {
			return dock.Joined(cmp.Or(name(&t), sku(&t)), *s.end.toward+" "+dock.PlaceOf(s.end.other(&t)).String())
		},
		Load: func(ctx context.Context) ([]api.Transfer, bool, error) {
			rows, more, err := s.end.load(ctx, s.site, s.site.Place())
			slices.Reverse(rows)
			return rows, more, err
		},
		Text: func(t api.Transfer) string {
			return dock.TransferName(&t) + " " + sku(&t) + " " + name(&t) + " " + dock.PlaceOf(s.end.other(&t)).String()
		},
	}
	s.board.List = widget.NewList(func(t api.Transfer) string { return t.ID.String() }, s.columns()...)
	s.board.List.EmptyText = *s.end.empty
	return s.board.Init(env)
}

func (s *list) columns() []widget.Column[api.Transfer] {
	return []widget.Column[api.Transfer]{
		{Title: columnTransfer, Width: 12, Cell: func(t api.Transfer) string { return s.site.Mark(t.ID) + dock.TransferName(&t) }},
		{Title: *s.end.toward, Rank: 6, Cell: func(t api.Transfer) string { return dock.PlaceOf(s.end.other(&t)).String() }},
		{Title: columnProduct, Width: 20, Rank: 4, Cell: func(t api.Transfer) string { return cmp.Or(name(&t), sku(&t)) }},
		{Title: columnSKU, Width: 10, Rank: 7, Cell: func(t api.Transfer) string { return sku(&t) }},
		{Title: columnPending, Width: 7, Right: true, Rank: 1, Cell: func(t api.Transfer) string { return widget.Count(s.end.pendingOf(&t)) }},
		{Title: *s.end.done, Width: 8, Right: true, Rank: 5, Cell: func(t api.Transfer) string { return widget.Count(s.end.doneOf(&t)) }},
		{Title: columnMade, Width: 16, Rank: 8, Cell: func(t api.Transfer) string { return widget.When(t.CreatedAt, s.env.Now()) }},
	}
}

func (s *list) Title() string                { return *s.end.job }
func (s *list) AcceptsKey(k tea.KeyMsg) bool { return s.board.AcceptsKey(k) }
func (s *list) Refresh() tea.Cmd             { return s.board.Reload() }
func (s *list) Busy() bool                   { return s.seek.Busy() }

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if cmd, mine := s.seek.Update(msg); mine {
		return s, cmd
	}
	cmd, _ := s.board.Update(msg)
	return s, cmd
}

func (s *list) View(size tui.Size) string {
	s.board.List.Columns = s.columns()
	if size.Class == tui.Narrow { // the name whole, and how much
		s.board.List.Columns = dock.Narrow(s.board.List.Columns, columnTransfer, columnPending)
	}
	return s.board.View(size)
}

func (s *list) Actions() []tui.Action {
	actions := []tui.Action{{ID: s.end.id + ".open", Keys: []string{"enter"}, Label: labelOpen, Help: helpOpen,
		Disabled: s.board.None, Run: func() tea.Cmd {
			t, _ := s.board.Chosen()
			return s.open(&t)
		}}}
	if s.end.ships() && s.site.Has(api.CreateTransfer.Spec) {
		actions = append(actions, tui.Action{ID: "ship.new", Keys: []string{"f3"}, Label: labelNew, Help: helpNew,
			Run: func() tea.Cmd { return tui.Open("ship/new") }})
	}
	return append(append(actions, s.board.Actions()...), dock.ChoosePlace(s.site, s.env))
}

func (s *list) open(t *api.Transfer) tea.Cmd { return tui.Open(tui.Path(s.end.id, t.ID.String())) }

// OnScan opens the transfer that a scan names, or that of the goods it names.
func (s *list) OnScan(got scan.Scan) tea.Cmd { return s.seek.Find(s.env, dock.Read(got)) }

func (s *list) seeker() dock.Seeker[api.Transfer] {
	return dock.Seeker[api.Transfer]{Site: s.site, Rows: s.board.Rows, Name: dock.TransferName, SKU: sku,
		ID:      func(t *api.Transfer) api.ID { return t.ID },
		Product: func(t *api.Transfer) api.ID { return t.ProductID },
		Choose:  s.choose,
		None: func(p *api.Product) tea.Cmd {
			return tui.Fail(fmt.Errorf(noneOfProduct, p.SKU, p.Name))
		}}
}

// choose opens the one transfer there is, or asks which.
func (s *list) choose(hits []api.Transfer) tea.Cmd {
	line := func(t *api.Transfer) string {
		return fmt.Sprintf(choiceLine+"  %s %s", dock.TransferName(t), sku(t),
			widget.Count(s.end.pendingOf(t)), *s.end.toward, dock.PlaceOf(s.end.other(t)))
	}
	return tea.Batch(tui.Accepted(), dock.Which(askWhich, hits, line, s.open))
}
