package outbounds

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// submit freezes the order and sends it.
func (s *newOrderForm) submit() tea.Cmd {
	if s.Busy() || s.submitter.Step != nil || !s.form.Validate() {
		return nil
	}
	if len(s.lines) == 0 {
		return tui.Fail(errors.New(orderEmpty))
	}
	in := api.CreateOutboundInput{LocationID: s.site.Location().ID, CustomerName: s.form.Value("customer"), ReferenceID: s.form.Value("reference")}
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
	step, err := dock.NewStep(api.CreateOutbound, in, saidMakeTheOrder)
	if err != nil {
		return tui.Fail(err)
	}
	return s.submitter.Submit(s.env, step)
}

func (s *newOrderForm) resend() tea.Cmd { return s.submitter.Send(s.env) }

func (s *newOrderForm) created(m dock.SubmittedMsg) tea.Cmd {
	if fail := s.submitter.Answered(m); fail != nil {
		return fail
	}
	o := m.Res.Output.(*api.OutboundResult).Outbound
	s.lines = nil
	return tea.Batch(tui.Toast(fmt.Sprintf(saidOfAreAllocated, dock.OutboundName(&o), widget.Count(o.AllocatedQuantity),
		widget.Count(o.RequestedQuantity))), tui.Accepted(), tui.Replace(tui.Path("fulfill", o.ID.String())))
}

func (s *newOrderForm) Actions() []tui.Action {
	if s.submitter.Step != nil {
		return []tui.Action{{ID: "order.again", Keys: []string{"enter"}, Label: labelSendAgain, Run: s.resend}}
	}
	empty := func() string {
		if len(s.lines) == 0 {
			return orderUnsaved
		}
		return ""
	}
	label := labelOrderLine
	if n := len(s.lines); n != 1 {
		label = fmt.Sprintf(saidOrderLines, n)
	}
	return []tui.Action{
		{ID: "order.save", Keys: []string{"f10", "ctrl+s"}, Label: label, Short: columnOrder,
			Help: helpSave, Disabled: empty, Run: s.submit},
		{ID: "order.drop", Keys: []string{"f8"}, Label: labelTakeLineOut, Short: shortOut, Help: helpDrop,
			Disabled: empty, Run: func() tea.Cmd {
				s.current = min(s.current, len(s.lines)-1)
				s.lines = slices.Delete(s.lines, s.current, s.current+1)
				s.current = max(0, s.current-1)
				return nil
			}},
	}
}
