package outbounds

import (
	"context"
	"errors"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

func list(site *dock.Site, r *recent) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &orders{site: site, recent: r}, nil }
}

// orders is the screen of all open orders, due first. Where the service keeps
// no list it asks for an id and shows what was opened lately.
type orders struct {
	site     *dock.Site
	recent   *recent
	env      tui.Env
	board    dock.Board[api.Outbound]
	question widget.Question
	finding  bool
}

type foundMsg struct {
	reading dock.Reading
	docs    []api.Outbound
	product *api.Product
	targets []dock.Target
	err     error
}

func (s *orders) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.question.Ask = "Scan or type the outbound's id"
	s.board = dock.Board[api.Outbound]{
		Ask: "Scan an order or goods, or choose one", Short: "scan or choose", Noun: "open",
		Load: func(ctx context.Context) ([]api.Outbound, bool, error) {
			rows, more, err := s.site.Outbounds(ctx, s.site.Place())
			if dock.Missing(err) {
				return s.recent.all(), false, nil
			}
			Due(rows)
			return rows, more, err
		},
		Text: func(o api.Outbound) string {
			return dock.OutboundName(&o) + " " + o.CustomerName + " " + goods(&o) + " " + string(o.Status)
		},
	}
	s.board.List = widget.NewList(func(o api.Outbound) string { return o.ID.String() }, s.columns()...)
	s.board.List.Empty = "Nothing is to leave here. Scan an order of another place, or choose another place (F6)."
	return s.board.Init(env)
}

// listed tells whether the service keeps a list of orders.
func (s *orders) listed() bool { return s.site.Has(api.ListOutbounds.Spec) }

func (s *orders) columns() []widget.Column[api.Outbound] {
	now := s.env.Now
	return []widget.Column[api.Outbound]{
		{Title: "order", Width: 14, Cell: func(o api.Outbound) string { return dock.OutboundName(&o) }},
		{Title: "leaves", Width: 18, Rank: 3,
			Cell: func(o api.Outbound) string {
				switch {
				case o.ExpectedShipAt == nil:
					return ""
				case Late(&o, now()):
					return theme.GlyphRefused + " " + widget.When(*o.ExpectedShipAt, now())
				}
				return "  " + widget.When(*o.ExpectedShipAt, now())
			},
			Style: func(o api.Outbound, t theme.Theme, text string) string {
				if Late(&o, now()) {
					return t.Warning.Render(text)
				}
				return text
			}},
		{Title: "customer", Rank: 4, Cell: func(o api.Outbound) string { return o.CustomerName }},
		{Title: "goods", Width: 10, Rank: 6, Cell: func(o api.Outbound) string { return goods(&o) }},
		{Title: "to send", Width: 7, Right: true, Rank: 1, Cell: func(o api.Outbound) string {
			return widget.Count(o.RequestedQuantity - o.FulfilledQuantity)
		}},
		{Title: "ready", Width: 7, Right: true, Rank: 5, Cell: func(o api.Outbound) string {
			return widget.Count(o.PendingFulfillmentQuantity)
		}, Style: func(o api.Outbound, t theme.Theme, text string) string {
			if o.PendingFulfillmentQuantity < o.RequestedQuantity-o.FulfilledQuantity {
				return t.Warning.Render(text)
			}
			return text
		}},
		{Title: "status", Width: 16, Rank: 7, Cell: func(o api.Outbound) string { return status(o.Status) }},
	}
}

// fewColumns are what a small screen has room for: the order, whether it is
// late, and how much of it is to leave.
func (s *orders) fewColumns() []widget.Column[api.Outbound] {
	return []widget.Column[api.Outbound]{
		{Title: "order", Cell: func(o api.Outbound) string { return dock.OutboundName(&o) }},
		{Title: "customer", Width: 12, Rank: 1, Cell: func(o api.Outbound) string { return o.CustomerName }},
		{Title: "send", Width: 5, Right: true, Cell: func(o api.Outbound) string {
			left := widget.Count(o.RequestedQuantity - o.FulfilledQuantity)
			if Late(&o, s.env.Now()) { // there is no room to say since when
				return left + theme.GlyphRefused
			}
			return left
		}},
	}
}

func (s *orders) Title() string  { return "Fulfill" }
func (s *orders) Shown() tea.Cmd { return s.board.Reload() }
func (s *orders) Busy() bool     { return s.finding }

func (s *orders) Types(k tea.KeyMsg) bool {
	if !s.listed() {
		return s.question.Types(k)
	}
	return s.board.Types(k)
}

func (s *orders) OnScan(got scan.Scan) tea.Cmd { return s.find(dock.Read(got)) }

func (s *orders) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if found, ok := msg.(foundMsg); ok {
		s.finding = false
		return s, s.found(found)
	}
	if k, ok := msg.(tea.KeyMsg); ok && !s.listed() && s.question.Types(k) {
		if text, done := s.question.Key(k); done {
			return s, s.find(dock.Read(scan.Parse(text, s.env.Now())))
		}
		return s, nil
	}
	if _, ok := msg.(dock.MovedMsg); ok {
		return s, s.board.Reload()
	}
	cmd, _ := s.board.Update(msg)
	return s, cmd
}

// find opens the order that a code names, or one of the goods that it names.
func (s *orders) find(r dock.Reading) tea.Cmd {
	if r.Bare() {
		return tui.Fail(fmt.Errorf("%s names no order. Scan the order's own label.", r.Name()))
	}
	s.finding = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := foundMsg{reading: r}
		m.docs, m.err = s.site.FindOutbounds(ctx, r.Codes[0])
		if len(m.docs) > 0 {
			return m
		}
		if matches, err := s.site.LookUp(ctx, r.Codes...); err == nil {
			for _, match := range matches {
				if match.Product != nil {
					m.product, m.err = match.Product, nil
					return m
				}
			}
		}
		if s.listed() {
			m.targets, m.err = s.site.Resolve(ctx, r)
		}
		return m
	})
}

func (s *orders) found(m foundMsg) tea.Cmd {
	switch {
	case len(m.docs) > 0:
		return choose(m.docs)
	case m.err != nil:
		return tui.Fail(errors.New(dock.Words(m.err)))
	case m.product == nil:
		return dock.Follow(s.site, m.targets)
	}
	var hits []api.Outbound
	for _, o := range s.board.Rows() {
		for _, l := range lines(&o) {
			if l.ProductID == m.product.ID && l.PendingFulfillmentQuantity > 0 {
				hits = append(hits, o)
				break
			}
		}
	}
	if len(hits) == 0 {
		return tui.Fail(fmt.Errorf("No order here waits for %s (%s).", m.product.SKU, m.product.Name))
	}
	return choose(hits)
}

// which asks which of several orders is meant; choice is one of them.
const which = "Which order?"

func choice(o *api.Outbound) string {
	return fmt.Sprintf("%s  %s  %s  %s to send  %s", dock.OutboundName(o), o.CustomerName, goods(o),
		widget.Count(o.RequestedQuantity-o.FulfilledQuantity), status(o.Status))
}

// choose opens the one order there is, or asks which; what leaves first comes first.
func choose(hits []api.Outbound) tea.Cmd {
	open := func(o *api.Outbound) tea.Cmd { return tui.Open(tui.Path("fulfill", o.ID.String())) }
	return tea.Batch(tui.Accepted(), dock.Which(which, hits, choice, open))
}

func (s *orders) Actions() []tui.Action {
	actions := []tui.Action{{ID: "fulfill.open", Keys: []string{"enter"}, Label: "open", Help: "Fulfill the order chosen",
		Disabled: func() string {
			if s.board.List.Len() == 0 {
				return "There is no order to choose"
			}
			return ""
		}, Run: func() tea.Cmd {
			o, _ := s.board.Chosen()
			return tui.Open(tui.Path("fulfill", o.ID.String()))
		}}}
	if !s.listed() {
		return actions
	}
	if s.site.Has(api.CreateOutbound.Spec) {
		actions = append(actions, tui.Action{ID: "fulfill.new", Keys: []string{"f3"}, Label: "new", Help: "Make an order",
			Run: func() tea.Cmd { return tui.Open("fulfill/new") }})
	}
	return append(append(actions, s.board.Actions()...), dock.ChoosePlace(s.site, s.env))
}

func (s *orders) View(size tui.Size) string {
	s.board.List.Columns = s.columns()
	if size.Small() {
		s.board.List.Columns = s.fewColumns()
	}
	if s.listed() {
		return s.board.View(size)
	}
	s.board.List.Empty = "This service keeps no list of orders. What you open stands here afterwards."
	t := s.env.Theme
	text := s.question.View(t, size.Width) + "\n"
	height := size.Height - 1
	if !size.Small() {
		text += "\n " + t.Muted.Render("Opened lately") + "\n"
		height -= 2
	}
	s.board.List.Bare = size.Small()
	return text + s.board.List.View(t, size.Width, height)
}
