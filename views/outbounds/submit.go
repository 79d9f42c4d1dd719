package outbounds

import (
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// submit sends the order, which cannot be edited from then on. It first adds the line that
// is still in the form.
func (s *newOrderForm) submit() tea.Cmd {
	if s.Busy() || s.submission.Unfinished() || !s.form.Validate() {
		return nil
	}
	if s.form.Value("product") != "" {
		return s.addTyped(true)
	}
	if s.form.Value("quantity") != "" {
		if err := s.setQuantity(); err != nil {
			return tui.Fail(err)
		}
	}

	if len(s.lines) == 0 {
		return tui.Fail(s.T.NewError("The order is empty: scan an item."))
	}

	in := api.CreateOutboundInput{
		LocationID:   s.site.Location().ID,
		CustomerName: s.form.Value("customer"),
		Reference:    api.Reference{ReferenceID: s.form.Value("reference")},
	}
	if in.ReferenceID != "" {
		in.ReferenceType = "sales_order"
	}

	var err error
	in.ExpectedShipAt, in.Metadata, err = panel.ParseDue(s.form.Value("leaves"), s.Now().Location())
	if err != nil {
		return tui.Fail(err)
	}
	for _, w := range s.lines {
		in.Lines = append(in.Lines, api.OutboundLineInput{ProductID: w.ID, RequestedQuantity: w.Quantity})
	}

	step, err := submit.NewStep(api.CreateOutbound, in, s.T.Get("create the order"))
	if err != nil {
		return tui.Fail(err)
	}

	s.submission = submit.New(step)

	return s.send()
}

func (s *newOrderForm) send() tea.Cmd { return s.submission.Send(s.Env, s.site) }

func (s *newOrderForm) created(a submit.Answer) tea.Cmd {
	t := s.T

	if err := s.submission.Answered(a); err != nil {
		unknown := t.Get("No answer came, so the order may already exist. Press enter to retry: it is created once.")
		return tui.Fail(errors.New(s.submission.FailureText(t, err, unknown)))
	}

	o := a.Response.Output.(*api.OutboundResult).Outbound
	s.lines = nil

	return tea.Batch(tui.Toast(t.Get("%s: %s of %s allocated", names.Outbound(&o), t.Count(o.AllocatedQuantity),
		t.Count(o.RequestedQuantity))), tui.Accepted(), tui.Replace(tui.Path("fulfill", o.ID.String())))
}

func (s *newOrderForm) Actions() []tui.Action {
	t := s.T

	if s.submission.Unfinished() {
		return []tui.Action{{ID: "order.again", Key: "enter", Label: t.Get("retry"), Run: s.send}}
	}

	empty := func() string {
		if len(s.lines) == 0 {
			return t.Get("The order is empty: scan an item first")
		}
		return ""
	}

	n := len(s.lines)
	if s.form.Value("product") != "" {
		n++
	}

	label := t.GetN(n, "order %s line", "order %s lines")

	var actions []tui.Action
	switch s.form.Focused() { // the form handles enter
	case "product":
		actions = append(actions, tui.Action{
			ID:    "order.add",
			Key:   "enter",
			Label: t.Get("add line"),
			Short: t.GetC("add", "outbounds"),
			Help:  t.Get("Add the product to the order"),
		})

	case "quantity":
		actions = append(actions, tui.Action{
			ID:    "order.quantity",
			Key:   "enter",
			Label: t.Get("set quantity"),
			Short: t.GetC("set", "outbounds"),
			Help:  t.Get("Set the quantity of the line"),
		})
	}

	return append(
		actions,
		tui.Action{ID: "order.save", Key: "ctrl+s", MoreKeys: []string{"f10"}, Label: label, Short: t.Get("order"),
			Help: t.Get("Create the order and allocate available stock"), Disabled: func() string {
				if s.form.Value("product") != "" {
					return ""
				}
				return empty()
			}, Run: s.submit},
		tui.Action{
			ID:       "order.drop",
			Key:      "f8",
			Label:    t.Get("remove line"),
			Short:    t.Get("del"),
			Help:     t.Get("Remove the selected line from the order"),
			Disabled: empty,
			Run: func() tea.Cmd {
				s.current = min(s.current, len(s.lines)-1)
				s.lines = slices.Delete(s.lines, s.current, s.current+1)
				s.current = max(0, s.current-1)
				return nil
			},
		},
	)
}
