package transfers

import (
	"cmp"
	"context"
	"errors"
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
	site    *dock.Site
	end     *end
	env     tui.Env
	board   dock.Board[api.Transfer]
	finding bool
}

type foundMsg struct {
	targets []dock.Target
	product *api.Product
	err     error
}

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.board = dock.Board[api.Transfer]{Ask: s.end.ask, Short: "scan or choose", Noun: "open",
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
	s.board.List.Empty = s.end.empty
	return s.board.Init(env)
}

func (s *list) columns() []widget.Column[api.Transfer] {
	return []widget.Column[api.Transfer]{
		{Title: "transfer", Width: 12, Cell: func(t api.Transfer) string { return dock.TransferName(&t) }},
		{Title: s.end.toward, Rank: 6, Cell: func(t api.Transfer) string { return dock.PlaceOf(s.end.other(&t)).String() }},
		{Title: "product", Width: 20, Rank: 4, Cell: func(t api.Transfer) string { return cmp.Or(name(&t), sku(&t)) }},
		{Title: "sku", Width: 10, Rank: 7, Cell: func(t api.Transfer) string { return sku(&t) }},
		{Title: "pending", Width: 7, Right: true, Rank: 1, Cell: func(t api.Transfer) string { return widget.Count(s.end.pendingOf(&t)) }},
		{Title: s.end.done, Width: 8, Right: true, Rank: 5, Cell: func(t api.Transfer) string { return widget.Count(s.end.doneOf(&t)) }},
		{Title: "made", Width: 16, Rank: 8, Cell: func(t api.Transfer) string { return widget.When(t.CreatedAt, s.env.Now()) }},
	}
}

func (s *list) Title() string           { return s.end.job }
func (s *list) Types(k tea.KeyMsg) bool { return s.board.Types(k) }
func (s *list) Shown() tea.Cmd          { return s.board.Reload() }
func (s *list) Busy() bool              { return s.finding }

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if found, ok := msg.(foundMsg); ok {
		s.finding = false
		return s, s.found(found)
	}
	cmd, _ := s.board.Update(msg)
	return s, cmd
}

func (s *list) View(size tui.Size) string {
	s.board.List.Columns = s.columns()
	if size.Class == tui.Wrist { // the name whole, and how much
		s.board.List.Columns = dock.Narrow(s.board.List.Columns, "transfer", "pending")
	}
	return s.board.View(size)
}

func (s *list) Actions() []tui.Action {
	actions := []tui.Action{{ID: s.end.id + ".open", Keys: []string{"enter"}, Label: "open", Help: "Open the transfer chosen",
		Disabled: s.none, Run: func() tea.Cmd {
			t, _ := s.board.Chosen()
			return s.open(&t)
		}}}
	if s.end.id == "ship" && s.site.Has(api.CreateTransfer.Spec) {
		actions = append(actions, tui.Action{ID: "ship.new", Keys: []string{"f3"}, Label: "new", Help: "Plan a transfer from here to another place",
			Run: func() tea.Cmd { return tui.Open("ship/new") }})
	}
	return append(append(actions, s.board.Actions()...), dock.ChoosePlace(s.site, s.env))
}

func (s *list) none() string {
	if s.board.List.Len() == 0 {
		return "Nothing is on the list"
	}
	return ""
}

func (s *list) open(t *api.Transfer) tea.Cmd { return tui.Open(tui.Path(s.end.id, t.ID.String())) }

// OnScan opens the transfer that a scan names, or that of the goods it names.
func (s *list) OnScan(got scan.Scan) tea.Cmd {
	r := dock.Read(got)
	var hits []api.Transfer
	for _, t := range s.board.Rows() {
		for _, code := range r.Codes {
			goods := dock.Goods{SKU: sku(&t)}
			if _, _, ok := goods.Match(code); ok || code == dock.TransferName(&t) || code == t.ID.String() {
				hits = append(hits, t)
				break
			}
		}
	}
	if len(hits) > 0 {
		return s.choose(hits)
	}
	s.finding = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := foundMsg{}
		matches, err := s.site.LookUp(ctx, r.Codes...)
		for _, match := range matches {
			if match.Product != nil {
				m.product = match.Product
			}
		}
		if m.err = err; m.product == nil {
			m.targets, m.err = s.site.Resolve(ctx, r)
		}
		return m
	})
}

func (s *list) found(m foundMsg) tea.Cmd {
	if m.err != nil {
		return tui.Fail(errors.New(dock.Words(m.err)))
	}
	if m.product == nil {
		return dock.Follow(s.site, m.targets)
	}
	var hits []api.Transfer
	for _, t := range s.board.Rows() {
		if t.ProductID == m.product.ID {
			hits = append(hits, t)
		}
	}
	if len(hits) == 0 {
		return tui.Fail(fmt.Errorf("No transfer of %s (%s) is open here.", m.product.SKU, m.product.Name))
	}
	return s.choose(hits)
}

func (s *list) choose(hits []api.Transfer) tea.Cmd {
	if len(hits) == 1 {
		return tea.Batch(tui.Accepted(), s.open(&hits[0]))
	}
	options := make([]string, len(hits))
	for i, t := range hits {
		options[i] = fmt.Sprintf("%s  %s  %s pending  %s %s", dock.TransferName(&t), sku(&t),
			widget.Count(s.end.pendingOf(&t)), s.end.toward, dock.PlaceOf(s.end.other(&t)))
	}
	return tea.Batch(tui.Accepted(), tui.Choose(tui.Choice{Text: "Which transfer?", Options: options,
		OnChoice: func(i int) tea.Cmd { return s.open(&hits[i]) }}))
}
