package outbounds

import (
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
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

func (s *orders) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.question.Ask = askID
	s.board = dock.Board[api.Outbound]{
		Ask: askList, Short: shortScanOrChoose, Noun: nounOpen,
		Aside: func(o api.Outbound) string { return dock.Joined(o.CustomerName, goods(&o)) },
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
	s.board.List.EmptyText = emptyList
	return s.board.Init(env)
}

// listed tells whether the service keeps a list of orders.
func (s *orders) listed() bool { return s.site.Has(api.ListOutbounds.Spec) }

func (s *orders) Title() string    { return "Fulfill" }
func (s *orders) Refresh() tea.Cmd { return s.board.Reload() }
func (s *orders) Busy() bool       { return s.finding }

func (s *orders) AcceptsKey(k tea.KeyMsg) bool {
	if !s.listed() {
		return s.question.AcceptsKey(k)
	}
	return s.board.AcceptsKey(k)
}

func (s *orders) OnScan(got scan.Scan) tea.Cmd { return s.find(dock.Read(got)) }

func (s *orders) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if found, ok := msg.(foundMsg); ok {
		s.finding = false
		return s, s.found(found)
	}
	if k, ok := msg.(tea.KeyMsg); ok && !s.listed() && s.question.AcceptsKey(k) {
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

func (s *orders) Actions() []tui.Action {
	actions := []tui.Action{{ID: "fulfill.open", Keys: []string{"enter"}, Label: nounOpen, Help: helpOpen,
		Disabled: func() string {
			if s.board.List.Len() == 0 {
				return noOrder
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
		actions = append(actions, tui.Action{ID: "fulfill.new", Keys: []string{"f3"}, Label: labelNew, Help: helpNew,
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
	s.board.List.EmptyText = noList
	t := s.env.Theme
	text := s.question.View(t, size.Width) + "\n"
	height := size.Height - 1
	if !size.Small() {
		text += "\n " + t.Muted.Render(saidOpenedLately) + "\n"
		height -= 2
	}
	s.board.List.NoTitles = size.Small()
	return text + s.board.List.View(t, size.Width, height)
}
