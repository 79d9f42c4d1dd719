package outbounds

import (
	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/panel"
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.Env, s.verb = env, fulfilling
	s.ShowDoc = s.showDoc
	s.Panel.Job = panel.CountJob{
		Verb:      env.T.Get("fulfill"),
		Advance:   true,
		Ready:     true,
		Booking:   s,
		Writes:    []*api.Spec{api.FulfillOutbound.Spec},
		OtherItem: s.otherOrders,
		Recover:   s.lotRefusal,
		SwapLot:   s.swapScan,
		Waiting:   func() []tui.Action { return []tui.Action{s.allocateAction()} },
	}

	return s.Start()
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && !s.AcceptsKey(k) && s.Panel.MoveLine(k) {
		return s, nil
	}
	if m, ok := msg.(lotsMsg); ok {
		s.lotsRead(m)
		return s, nil
	}
	return s, tea.Batch(s.Handle(msg), s.readLots())
}
