package transfers

import (
	"cmp"
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// PrepareSteps returns the steps that book the count, with the scanned lot and serials.
func (s *screen) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	doc, line, e := *s.Doc, lines[0], s.side
	return func(ctx context.Context) ([]submit.Step, error) {
		c := line.Count
		in := api.MoveTransferInput{TransferID: doc.ID, Quantity: &c.Quantity, SerialNumbers: c.Serials}
		var err error
		if in.LotID, err = s.site.LotID(ctx, line); err != nil {
			return nil, err
		}
		step, err := e.buildStep(in, s.T().Get(e.stepText, s.T().Count(c.Quantity)))
		if err != nil || c.Damaged == 0 {
			return []submit.Step{step}, err
		}
		damaged, err := damageStep(s.T(), &doc, c, in.LotID)
		return []submit.Step{step, damaged}, err
	}
}

// damageStep moves the damaged quantity to damaged, of the lot if one was scanned and
// else of the lot received.
func damageStep(t *i18n.Translator, doc *api.Transfer, c count.Count, lot api.ID) (submit.Step, error) {
	move := api.MoveStockInput{StockKey: api.StockKey{ProductID: doc.ProductID, LocationID: doc.DestinationLocationID, OwnerID: doc.OwnerID, ChannelID: doc.ChannelID}, Quantity: c.Damaged, SourceState: api.MovableState(api.Available),
		DestinationState: api.MovableState(api.Damaged), Reason: t.Get("damaged in transit"), SerialChoice: api.SerialChoice{SerialNumbers: c.DamagedSerials},
		LotChoice: api.LotChoice{LotID: lot}, Reference: api.Reference{ReferenceType: "transfer", ReferenceID: doc.ID.String()}}
	step, err := submit.NewStep(api.MoveStock, move, t.Get("move %s to damaged", t.Count(c.Damaged)))
	step.DependsOnPrevious = true
	step.UsePreviousLot = lot == (api.ID{}) && len(c.DamagedSerials) == 0
	return step, err
}

func (s *screen) Booked(_ submit.Step, res *api.Response) {
	if t := transferIn(res); t != nil {
		s.SetDoc(t)
	}
}

func (s *screen) BookedText(pieces int64) string {
	t := s.T()

	return t.Get(s.side.bookedText, t.Count(pieces)+s.Panel.Line().Count.DamagedText(t),
		t.Count(s.side.doneOf(s.Doc)), t.Count(s.side.totalOf(s.Doc)), t.Count(s.side.pendingOf(s.Doc)))
}

func (s *screen) Actions() []tui.Action {
	t := s.T()

	if s.Doc == nil {
		return s.RetryActions()
	}
	actions := s.Panel.Actions()
	if s.Panel.Modal() {
		return actions
	}
	name, inTransit := names.Transfer(s.Doc), t.Count(s.Doc.PendingReceiveQuantity)
	if s.site.Supports(api.CloseTransfer.Spec) {
		actions = append(actions, tui.Action{ID: s.side.id + ".close", Keys: []string{"f5"}, Command: tui.DoClose, Needs: []tui.Need{{Permission: tui.MayCloseShort}}, Label: t.Get("close short"), Short: t.Get("short"),
			Help: t.Get("Close the transfer: what is in transit is lost"), Disabled: s.notIdleReason, Run: func() tea.Cmd {
				return tui.Prompt(tui.Request{Text: s.closeQuestion(), Check: panel.CheckReason(t), OnText: s.close})
			}})
	}
	ask := t.Get("Cancel %s? Nothing is in transit.", name)
	if s.Doc.PendingReceiveQuantity > 0 {
		ask = t.Get("Cancel %s? Its stock in transit (%s) goes back to %s.", name, inTransit, session.LocationOf(s.Doc.SourceLocation).Code)
	}
	actions = append(actions, tui.Action{ID: s.side.id + ".cancel", Keys: []string{"f9"}, Needs: []tui.Need{{Permission: tui.MayCancel}}, Label: t.Get("cancel"), Dangerous: true, Ask: ask,
		Help: t.Get("Cancel the transfer: what is in transit goes back"), Disabled: s.notIdleReason, Run: s.cancel})
	return append(actions, s.Panel.ExceptionActions()...)
}

// notIdleReason returns why the transfer cannot be ended now, or "".
func (s *screen) notIdleReason() string {
	if s.Doc.Status != api.TransferInTransit {
		return s.Panel.Document.ClosedReason
	}
	return cmp.Or(s.Panel.UnbookedReason(), s.site.MissingRights(api.CancelTransfer.Spec))
}

func (s *screen) close(reason string) tea.Cmd {
	t := s.T()

	toast := t.Get("Closed: %s lost", t.Count(s.Doc.PendingReceiveQuantity))
	if n := s.Doc.PendingShipmentQuantity; n > 0 {
		toast += ", " + t.Get("%s not shipped", t.Count(n))
	}
	step, err := submit.NewStep(api.CloseTransfer, api.CloseTransferInput{TransferID: s.Doc.ID, Reason: reason}, t.Get("close short"))
	return s.Panel.Submit(toast, step, err)
}

// closeQuestion asks for the reason to close the transfer. It names what would be lost,
// and what would not be shipped.
func (s *screen) closeQuestion() string {
	t := s.T()

	name, lost := names.Transfer(s.Doc), t.Count(s.Doc.PendingReceiveQuantity)
	if n := s.Doc.PendingShipmentQuantity; n > 0 {
		return t.Get("Close %s with %s lost in transit and %s not shipped? Reason", name, lost, t.Count(n))
	}
	return t.Get("Close %s with %s lost in transit? Reason", name, lost)
}

func (s *screen) cancel() tea.Cmd {
	step, err := submit.NewStep(api.CancelTransfer, api.TransferInput{TransferID: s.Doc.ID}, s.T().Get("cancel"))
	return s.Panel.Submit(s.T().Get("%s canceled", names.Transfer(s.Doc)), step, err)
}
