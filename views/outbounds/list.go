package outbounds

import (
	"context"

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

func list(site *session.Site, r *recentOrders) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &orders{site: site, recent: r}, nil }
}

// orders is the screen of all open orders, due first. If the service does not list
// orders, it asks for an ID and shows the recently opened orders.
type orders struct {
	site     *session.Site
	recent   *recentOrders
	env      tui.Env
	panel    panel.ListPanel[api.Outbound]
	question widget.Question
	finding  bool
}

func (s *orders) Init(env tui.Env) tea.Cmd {
	t := env.T

	s.env = env
	s.question.Ask = t.Get("Scan or type the order id")
	s.panel = panel.ListPanel[api.Outbound]{
		Question: t.Get("Scan an order or item, or choose one"), ShortQuestion: t.Get("scan or choose"), Noun: t.Get("open"),
		Detail: func(o api.Outbound) string { return panel.JoinParts(o.CustomerName, productText(t, &o)) },
		Load: func(ctx context.Context) ([]api.Outbound, bool, error) {
			rows, more, err := s.site.Outbounds(ctx, s.site.Location())
			if session.IsUnsupported(err) {
				return s.recent.all(), false, nil
			}
			SortByDue(rows)
			return rows, more, err
		},
		FilterText: func(o api.Outbound) string {
			return names.Outbound(&o) + " " + o.CustomerName + " " + productText(t, &o) + " " + names.Status(s.site.T(), o.Status)
		},
	}
	s.panel.List = widget.NewList(func(o api.Outbound) string { return o.ID.String() }, s.columns()...)
	s.panel.List.EmptyText = t.Get("No orders to ship from this location. Scan an order, or choose another location (F6).")
	return s.panel.Init(env)
}

// canList reports whether the service lists orders.
func (s *orders) canList() bool { return s.site.Supports(api.ListOutbounds.Spec) }

func (s *orders) Title() string    { return s.site.T().GetC("Fulfill", "outbounds") }
func (s *orders) Refresh() tea.Cmd { return s.panel.Reload() }
func (s *orders) Busy() bool       { return s.finding }

func (s *orders) AcceptsKey(k tea.KeyMsg) bool {
	if !s.canList() {
		return s.question.AcceptsKey(k)
	}
	return s.panel.AcceptsKey(k)
}

func (s *orders) OnScan(got scan.Scan) tea.Cmd { return s.find(count.ParseLabel(s.site.T(), got)) }

func (s *orders) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if found, ok := msg.(foundMsg); ok {
		s.finding = false
		return s, s.lookupAnswered(found)
	}
	if k, ok := msg.(tea.KeyMsg); ok && !s.canList() && s.question.AcceptsKey(k) {
		if text, done := s.question.Key(k); done {
			return s, s.find(count.ParseLabel(s.site.T(), scan.Parse(text, s.env.Now())))
		}
		return s, nil
	}
	if _, ok := msg.(panel.LocationChangedMsg); ok {
		return s, s.panel.Reload()
	}
	cmd, _ := s.panel.Update(msg)
	return s, cmd
}

func (s *orders) Actions() []tui.Action {
	t := s.site.T()

	actions := []tui.Action{{ID: "fulfill.open", Keys: []string{"enter"}, Label: t.GetC("open", "verb"), Help: t.Get("Fulfill the selected order"),
		Disabled: func() string {
			if s.panel.List.Len() == 0 {
				return t.Get("There is no order to choose")
			}
			return ""
		}, Run: func() tea.Cmd {
			o, _ := s.panel.Selected()
			return tui.Open(tui.Path("fulfill", o.ID.String()))
		}}}
	if !s.canList() {
		return actions
	}
	if s.site.Supports(api.CreateOutbound.Spec) {
		actions = append(actions, tui.Action{ID: "fulfill.new", Keys: []string{"f3"}, Label: t.Get("new"), Help: t.Get("Create an order"),
			Run: func() tea.Cmd { return tui.Open("fulfill/new") }})
	}
	return append(append(actions, s.panel.Actions()...), panel.ChooseLocation(s.site, s.env))
}

func (s *orders) View(size tui.Size) string {
	s.panel.List.Columns = s.columns()
	if size.Small() {
		s.panel.List.Columns = s.smallColumns()
	}
	if s.canList() {
		return s.panel.View(size)
	}
	s.panel.List.EmptyText = s.site.T().Get("This service does not list orders. The orders you open appear here.")
	t := s.env.Theme
	text := s.question.View(t, size.Width) + "\n"
	height := size.Height - 1
	if !size.Small() {
		text += "\n " + t.Muted.Render(s.site.T().Get("Recently opened")) + "\n"
		height -= 2
	}
	s.panel.List.NoTitles = size.Small()
	return text + s.panel.List.View(t, size.Width, height)
}
