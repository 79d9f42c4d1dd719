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
func (s *maker) submit() tea.Cmd {
	if s.Busy() || s.post.Step != nil || !s.form.Validate() {
		return nil
	}
	if len(s.lines) == 0 {
		return tui.Fail(errors.New(orderEmpty))
	}
	in := api.CreateOutboundInput{LocationID: s.site.Place().ID, CustomerName: s.form.Value("customer"), ReferenceID: s.form.Value("reference")}
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
	return s.post.Freeze(s.env, step)
}

func (s *maker) send() tea.Cmd { return s.post.Send(s.env) }

func (s *maker) made(m dock.PostedMsg) tea.Cmd {
	if fail := s.post.Answered(m); fail != nil {
		return fail
	}
	o := m.Res.Output.(*api.OutboundResult).Outbound
	s.lines = nil
	return tea.Batch(tui.Toast(fmt.Sprintf(saidOfAreAllocated, dock.OutboundName(&o), widget.Count(o.AllocatedQuantity),
		widget.Count(o.RequestedQuantity))), tui.Accepted(), tui.Replace(tui.Path("fulfill", o.ID.String())))
}

func (s *maker) Actions() []tui.Action {
	if s.post.Step != nil {
		return []tui.Action{{ID: "order.again", Keys: []string{"enter"}, Label: labelSendAgain, Run: s.send}}
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
				s.at = min(s.at, len(s.lines)-1)
				s.lines = slices.Delete(s.lines, s.at, s.at+1)
				s.at = max(0, s.at-1)
				return nil
			}},
	}
}
