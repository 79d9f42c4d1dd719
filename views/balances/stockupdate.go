package balances

import (
	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/widget"
)

func (s *stock) Init(env tui.Env) tea.Cmd {
	s.env = env
	if sku := env.Route.Query.Get("sku"); sku != "" {
		return s.find(sku)
	}
	return s.load()
}

func (s *stock) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		if s.AcceptsKey(msg) {
			s.question.Key(msg)
			s.applyFilter()
			return s, s.loadNear()
		}
		if cmd, handled := s.pages.Key(msg); handled {
			return s, cmd
		}
	case tea.MouseMsg:
		return s, s.pages.Mouse(msg, s.top)
	case foundMsg:
		s.finding = false
		return s, s.showFound(msg)
	default:
		s.handle(msg)
		return s, s.loadNear()
	}
	return s, nil
}

// handle stores a page and applies the filter.
func (s *stock) handle(msg tea.Msg) {
	if !s.pages.Owns(msg) {
		return
	}
	s.pages.List.SetRows(s.rows)
	if s.pages.Handle(msg) {
		s.rows = s.pages.List.Rows()
		s.digits = 6
		for i := range s.rows {
			q := &s.rows[i].Quantities
			s.digits = max(s.digits, widget.Width(s.env.T.Count(max(q.OnHand, q.Incoming))))
		}
	}
	s.applyFilter()
}
