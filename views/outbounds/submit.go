package outbounds

import (
	"errors"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// submit sends the order, which cannot be edited from then on.
func (s *newOrderForm) submit() tea.Cmd {
	if s.Busy() || s.submitter.Step != nil || !s.form.Validate() {
		return nil
	}
	if len(s.lines) == 0 {
		return tui.Fail(errors.New(s.site.T().Get("The order is empty: scan an item.")))
	}
	in := api.CreateOutboundInput{LocationID: s.site.Location().ID, CustomerName: s.form.Value("customer"), Reference: api.Reference{ReferenceID: s.form.Value("reference")}}
	if in.ReferenceID != "" {
		in.ReferenceType = "sales_order"
	}
	if day, err := time.ParseInLocation(time.DateOnly, s.form.Value("leaves"), s.env.Now().Location()); err == nil {
		end := day.AddDate(0, 0, 1).Add(-time.Minute)
		in.ExpectedShipAt = &end
	}
	for _, w := range s.lines {
		in.Lines = append(in.Lines, api.OutboundLineInput{ProductID: w.ID, RequestedQuantity: w.Quantity})
	}
	step, err := dock.NewStep(api.CreateOutbound, in, s.site.T().Get("create the order"))
	if err != nil {
		return tui.Fail(err)
	}
	return s.submitter.Submit(s.env, step)
}

func (s *newOrderForm) resend() tea.Cmd { return s.submitter.Send(s.env) }

func (s *newOrderForm) created(m dock.SubmittedMsg) tea.Cmd {
	t := s.site.T()

	if fail := s.submitter.Answered(m); fail != nil {
		return fail
	}
	o := m.Res.Output.(*api.OutboundResult).Outbound
	s.lines = nil
	return tea.Batch(tui.Toast(t.Get("%s: %s of %s allocated", dock.OutboundName(&o), t.Count(o.AllocatedQuantity),
		t.Count(o.RequestedQuantity))), tui.Accepted(), tui.Replace(tui.Path("fulfill", o.ID.String())))
}

func (s *newOrderForm) Actions() []tui.Action {
	t := s.site.T()

	if s.submitter.Step != nil {
		return []tui.Action{{ID: "order.again", Keys: []string{"enter"}, Label: t.Get("retry"), Run: s.resend}}
	}
	empty := func() string {
		if len(s.lines) == 0 {
			return t.Get("The order is empty: scan an item first")
		}
		return ""
	}
	label := t.Get("order 1 line")
	if n := len(s.lines); n != 1 {
		label = t.Get("order %d lines", n)
	}
	return []tui.Action{
		{ID: "order.save", Keys: []string{"f10", "ctrl+s"}, Label: label, Short: t.Get("order"),
			Help: t.Get("Create the order and allocate available stock"), Disabled: empty, Run: s.submit},
		{ID: "order.drop", Keys: []string{"f8"}, Label: t.Get("remove line"), Short: t.Get("del"), Help: t.Get("Remove the selected line from the order"),
			Disabled: empty, Run: func() tea.Cmd {
				s.current = min(s.current, len(s.lines)-1)
				s.lines = slices.Delete(s.lines, s.current, s.current+1)
				s.current = max(0, s.current-1)
				return nil
			}},
	}
}
