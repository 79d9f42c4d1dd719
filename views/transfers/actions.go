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
	t := s.T()

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
		actions = append(actions, tui.Action{ID: s.side.id + ".close", Keys: []string{"f5"}, Command: tui.DoClose, Needs: []tui.Need{{Permission: tui.MayCloseShort}}, Label: t.Get("close short"), Short: t.Get("short"),
			Help: t.Get("Close the transfer: what is in transit is lost"), Disabled: s.notIdleReason, Run: func() tea.Cmd {
				return tui.Prompt(tui.Request{Text: s.closeQuestion(), Check: panel.CheckReason(t), OnText: s.close})
			}})
	}
	ask := t.Get("Cancel %s? Nothing is in transit.", name)
	if doc.PendingReceiveQuantity > 0 {
		ask = t.Get("Cancel %s? Its stock in transit (%s) goes back to %s.", name, inTransit, session.LocationOf(doc.SourceLocation).Code)
	}
	actions = append(actions, tui.Action{ID: s.side.id + ".cancel", Keys: []string{"f9"}, Needs: []tui.Need{{Permission: tui.MayCancel}}, Label: t.Get("cancel"), Dangerous: true, Ask: ask,
		Yes: t.Get("cancel the transfer"), No: t.Get("keep it"),
		Help: t.Get("Cancel the transfer: what is in transit goes back"), Disabled: s.notIdleReason, Run: s.cancel})
	if several {
		actions = append(actions, tui.Action{ID: s.side.id + ".next", Keys: []string{"down"}, Command: tui.DoNext, Label: t.Get("next line"), NoFooter: true,
			Help: t.Get("Go to the next line of the transfer"), Run: func() tea.Cmd { s.Panel.MoveLine(tea.KeyMsg{Type: tea.KeyDown}); return nil }})
	}
	return append(actions, s.Panel.ExceptionActions()...)
}

// notIdleReason returns why the transfer cannot be ended now, or "".
func (s *screen) notIdleReason() string {
	t := s.T()

	if s.line().Status != api.TransferInTransit {
		return cmp.Or(s.Panel.Document.ClosedReason, t.Get("Nothing is to go on %s", s.lineName()))
	}
	if n := s.Panel.Line().Count.Quantity; n > 0 {
		return t.Get("%s counted, not recorded: press enter, or type 0", t.Count(n))
	}
	return s.site.MissingRights(api.CancelTransfer.Spec)
}

func (s *screen) close(reason string) tea.Cmd {
	t := s.T()

	doc := s.line()
	toast := t.Get("Closed: %s lost", t.Count(doc.PendingReceiveQuantity))
	if n := doc.PendingShipmentQuantity; n > 0 {
		toast += ", " + t.Get("%s not shipped", t.Count(n))
	}
	step, err := submit.NewStep(api.CloseTransfer, api.CloseTransferInput{TransferID: doc.ID, Reason: reason}, t.Get("close short"))
	s.setLine(&step)
	return s.Panel.Submit(toast, step, err)
}

// closeQuestion asks for the reason to close the transfer. It names what would be lost,
// and what would not be shipped.
func (s *screen) closeQuestion() string {
	t := s.T()

	name, lost := s.lineName(), t.Count(s.line().PendingReceiveQuantity)
	if n := s.line().PendingShipmentQuantity; n > 0 {
		return t.Get("Close %s with %s lost in transit and %s not shipped? Reason", name, lost, t.Count(n))
	}
	return t.Get("Close %s with %s lost in transit? Reason", name, lost)
}

func (s *screen) cancel() tea.Cmd {
	step, err := submit.NewStep(api.CancelTransfer, api.TransferInput{TransferID: s.line().ID}, s.T().Get("cancel"))
	s.setLine(&step)
	return s.Panel.Submit(s.T().Get("%s canceled", s.lineName()), step, err)
}

// setLine makes a step that of the current line, if there are several.
func (s *screen) setLine(step *submit.Step) {
	if len(s.Doc.Lines) > 1 {
		step.Line, step.Text = s.line().ID.String(), s.T().Get("%s (%s)", step.Text, sku(s.line()))
	}
}
