package transfers

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

func (s *screen) Actions() []tui.Action {
	t := s.T

	if s.Doc == nil {
		return s.RetryActions()
	}

	actions := s.Panel.Actions()
	if s.Panel.Modal() {
		return actions
	}

	doc, several := s.line(), len(s.Doc.Lines) > 1
	name, inTransit := s.lineName(), t.Count(doc.PendingReceiveQuantity)
	if s.site.Supports(api.CloseTransfer.Spec) {
		actions = append(
			actions,
			tui.Action{
				ID:       s.side.id + ".close",
				Key:      "f5",
				Command:  tui.DoClose,
				Needs:    []tui.Need{{Permission: tui.MayCloseShort}},
				Label:    t.Get("close short"),
				Short:    t.Get("short"),
				Help:     t.Get("Close the transfer: what is in transit is lost"),
				Disabled: s.notIdleReason,
				Approve:  s.closeText,
				Run: func() tea.Cmd {
					return tui.Prompt(
						tui.Request{Text: s.closeQuestion(), Check: panel.CheckReason(t), OnText: s.close})
				},
			},
		)
	}

	ask := t.Get("Cancel %s? Nothing is in transit.", name)
	if doc.PendingReceiveQuantity > 0 {
		ask = t.Get("Cancel %s? Its stock in transit (%s) goes back to %s.", name, inTransit,
			session.LocationOf(doc.SourceLocation).Code)
	}

	actions = append(actions, panel.CancelActions(s.Env, tui.Action{
		ID:        s.side.id + ".cancel",
		Needs:     []tui.Need{{Permission: tui.MayCancel}},
		Label:     t.Get("cancel"),
		Dangerous: true,
		Ask:       ask,
		Yes:       t.Get("cancel the transfer"),
		No:        t.Get("keep it"),
		Help:      t.Get("Cancel the transfer: what is in transit goes back"),
		Disabled:  s.notIdleReason,
		Approve:   func() string { return t.Get("cancel %s, %s in transit", name, inTransit) },
		Run:       s.cancel,
	})...)

	if several {
		actions = append(actions, s.Panel.CloseAllAction(s.side.id+".closeall", s.closeAll),
			panel.NextLineAction(s.Panel, s.side.id+".next"))
	}

	actions = s.Panel.WithLabels(actions, s.line().ID)

	return s.Panel.WithExceptions(actions)
}

// notIdleReason returns why the transfer cannot be ended now, or "". One that is shipped is
// ended where it is received.
func (s *screen) notIdleReason() string {
	t := s.T

	if x := s.line(); x.Status != api.TransferInTransit || s.side.ships() && s.side.openQuantity(x) == 0 {
		return cmp.Or(s.Panel.Document.ClosedReason, t.Get("Nothing left on %s", s.lineName()))
	}
	if n := s.Panel.Line().Count.Quantity; n > 0 {
		return t.Get("%s counted, not recorded: press enter, or type 0", t.Count(n))
	}

	return s.site.MissingRights(api.CancelTransfer.Spec)
}

func (s *screen) close(reason string) tea.Cmd {
	t := s.T

	doc := s.line()
	toast := t.Get("Closed: %s lost", t.Count(doc.PendingReceiveQuantity))
	if n := doc.PendingShipmentQuantity; n > 0 {
		toast += ", " + t.Get("%s not shipped", t.Count(n))
	}

	step, err := s.closeStep(doc, reason)

	return s.Panel.Submit(toast, step, err)
}

// closeStep returns the step that closes a line short.
func (s *screen) closeStep(x *api.Transfer, reason string) (submit.Step, error) {
	step, err := submit.NewStep(api.CloseTransfer, api.CloseTransferInput{TransferID: x.ID, Reason: reason},
		s.T.Get("close short"))
	panel.SetLine(s.T, &step, len(s.Doc.Lines), x.ID.String(), sku(x))
	return step, err
}

// closeAll returns what closes short the lines with something to go at this end that
// nothing is counted of.
func (s *screen) closeAll() panel.CloseAll {
	t, name := s.T, deliveryName(s.Doc)
	c := panel.CloseAll{
		Spec: api.CloseTransfer.Spec,
		Step: func(i int, reason string) (submit.Step, error) { return s.closeStep(&s.Doc.Lines[i], reason) },
	}
	var lost, unshipped int64
	for i := range s.Doc.Lines {
		if x := &s.Doc.Lines[i]; s.side.openQuantity(x) > 0 && s.Panel.Lines[i].Count.Empty() {
			c.Lines = append(c.Lines, i)
			lost += x.PendingReceiveQuantity
			unshipped += x.PendingShipmentQuantity
		}
	}

	lines := panel.LinesText(t, len(c.Lines))
	c.Approve = t.Get("close %s of %s short, %s lost in transit", lines, name, t.Count(lost))
	c.Ask = t.Get("Close %s of %s with %s lost in transit? Reason", lines, name, t.Count(lost))
	c.Done = t.Get("%s: %s closed, %s lost", name, lines, t.Count(lost))
	if unshipped > 0 {
		c.Ask = t.Get("Close %s of %s with %s lost in transit and %s not shipped? Reason", lines, name, t.Count(lost),
			t.Count(unshipped))
		c.Done += ", " + t.Get("%s not shipped", t.Count(unshipped))
		c.Approve += ", " + t.Get("%s not shipped", t.Count(unshipped))
	}

	return c
}

// closeText says what closing the transfer means to the supervisor who approves it.
func (s *screen) closeText() string {
	t, x := s.T, s.line()

	text := t.Get("close %s short, %s lost in transit", s.lineName(), t.Count(x.PendingReceiveQuantity))
	if n := x.PendingShipmentQuantity; n > 0 {
		text += ", " + t.Get("%s not shipped", t.Count(n))
	}
	return text
}

// closeQuestion asks for the reason to close the transfer. It names what would be lost,
// and what would not be shipped.
func (s *screen) closeQuestion() string {
	t := s.T

	name, lost := s.lineName(), t.Count(s.line().PendingReceiveQuantity)
	if n := s.line().PendingShipmentQuantity; n > 0 {
		return t.Get("Close %s with %s lost in transit and %s not shipped? Reason", name, lost, t.Count(n))
	}
	return t.Get("Close %s with %s lost in transit? Reason", name, lost)
}

func (s *screen) cancel() tea.Cmd {
	x := s.line()
	step, err := submit.NewStep(api.CancelTransfer, api.TransferInput{TransferID: x.ID}, s.T.Get("cancel"))
	panel.SetLine(s.T, &step, len(s.Doc.Lines), x.ID.String(), sku(x))
	return s.Panel.Submit(s.T.Get("%s canceled", s.lineName()), step, err)
}
