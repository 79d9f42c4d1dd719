package inbounds

import (
	"cmp"
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/submit"
)

// PrepareSteps returns the steps that book a count: the receipt, the damaged
// quantity and the over-receipt, each with its own key.
func (s *screen) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	doc, count := *s.Doc, lines[0].Count
	return func(context.Context) ([]submit.Step, error) { return receiveSteps(s.T(), &doc, count) }
}

func receiveSteps(t *i18n.Translator, doc *api.Inbound, c count.Count) ([]submit.Step, error) {
	in := api.ReceiveInboundInput{InboundID: doc.ID, Quantity: c.Quantity, NewLot: api.NewLot{LotCode: c.Lot}}
	if c.Lot != "" && !c.ExpiresAt.IsZero() {
		in.ExpiresAt = &c.ExpiresAt
	}
	for _, serial := range c.Serials {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: serial})
	}
	receipt, err := submit.NewStep(api.ReceiveInbound, in, t.GetC("receive %s", "inbounds", t.Count(c.Quantity)))
	out := []submit.Step{receipt}
	if err == nil && c.Damaged > 0 {
		damaged, fail := damageStep(t, doc, c)
		out, err = append(out, damaged), fail
	}
	if err == nil && c.OverReceipt > 0 {
		over, fail := overReceiptStep(t, doc, c)
		out, err = append(out, over), fail
	}
	return out, err
}

// overReceiptStep receives the extra quantity as stock of the same lot.
func overReceiptStep(t *i18n.Translator, doc *api.Inbound, c count.Count) (submit.Step, error) {
	in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: doc.ProductID, LocationID: doc.LocationID, OwnerID: doc.OwnerID, ChannelID: doc.ChannelID},
		Quantity: &c.OverReceipt, Reason: t.Get("over-receipt on %s: %s", names.Inbound(doc), c.OverReason), NewLot: api.NewLot{LotCode: c.Lot},
		Reference: api.Reference{ReferenceType: "inbound", ReferenceID: doc.ID.String()}}
	if c.Lot != "" && !c.ExpiresAt.IsZero() {
		in.ExpiresAt = &c.ExpiresAt
	}
	step, err := submit.NewStep(api.ReceiveStock, in, t.Get("receive %s more", t.Count(c.OverReceipt)))
	step.DependsOnPrevious, step.Operator = true, c.OverOperator
	return step, err
}

// damageStep moves the damaged quantity to damaged.
func damageStep(t *i18n.Translator, doc *api.Inbound, c count.Count) (submit.Step, error) {
	move := api.MoveStockInput{StockKey: api.StockKey{ProductID: doc.ProductID, LocationID: doc.LocationID, OwnerID: doc.OwnerID, ChannelID: doc.ChannelID}, Quantity: c.Damaged, SourceState: api.MovableState(api.Available),
		DestinationState: api.MovableState(api.Damaged), Reason: t.Get("damaged on receipt"), SerialChoice: api.SerialChoice{SerialNumbers: c.DamagedSerials},
		Reference: api.Reference{ReferenceType: "inbound", ReferenceID: doc.ID.String()}}
	if doc.ReferenceID != "" {
		move.ReferenceType, move.ReferenceID = doc.ReferenceType, doc.ReferenceID
	}
	step, err := submit.NewStep(api.MoveStock, move, t.Get("move %s to damaged", t.Count(c.Damaged)))
	step.DependsOnPrevious = true
	step.UsePreviousLot = c.Lot != "" && len(c.DamagedSerials) == 0
	return step, err
}

// Booked shows the document in the response.
func (s *screen) Booked(_ submit.Step, res *api.Response) {
	if out, ok := res.Output.(*api.InboundResult); ok && s.Doc != nil {
		s.SetDoc(&out.Inbound)
	}
}

func (s *screen) BookedText(pieces int64) string {
	return receivedText(s.T(), s.Doc, pieces, s.Panel.Line().Count)
}

// receivedText says what was received, and how many of the pieces are extra or damaged.
func receivedText(t *i18n.Translator, doc *api.Inbound, pieces int64, c count.Count) string {
	what := t.Count(pieces)
	if c.OverReceipt > 0 {
		what += ", " + t.Get("%s of them extra", t.Count(c.OverReceipt))
	}
	return t.GetC("Received %s: %s of %s, %s to go", "inbounds", what+c.DamagedText(t),
		t.Count(doc.ReceivedQuantity), t.Count(doc.ExpectedQuantity), t.Count(doc.Pending()))
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
	name := names.Inbound(s.Doc)
	if s.site.Supports(api.CloseInbound.Spec) {
		actions = slices.Insert(actions, min(4, len(actions)), tui.Action{ID: "receive.close", Keys: []string{"f5"}, Command: tui.DoClose, Needs: []tui.Need{{Permission: tui.MayCloseShort}}, Label: t.Get("close short"), Short: t.Get("short"),
			Help: t.Get("Close the inbound: the rest will not come"), Disabled: func() string {
				return cmp.Or(s.Panel.Document.ClosedReason, s.site.MissingRights(api.CloseInbound.Spec))
			}, Run: func() tea.Cmd {
				text := t.Get("Close %s with %s missing? Reason", name, t.Count(s.missingPieces()))
				if n := s.Panel.Total(); n > 0 {
					text = t.Get("Receive %s, then close %s with %s missing? Reason", t.Count(n), name, t.Count(s.missingPieces()))
				}
				return tui.Prompt(tui.Request{Text: text, Check: panel.CheckReason(s.env.T), OnText: s.close})
			}})
	}
	actions = append(actions, tui.Action{ID: "receive.cancel", Keys: []string{"f9"}, Needs: []tui.Need{{Permission: tui.MayCancel}}, Label: t.Get("cancel"), Dangerous: true, NoFooter: s.Doc.ReceivedQuantity > 0,
		Ask:  t.Get("Cancel %s? The %s expected will not come.", name, t.Count(s.Doc.ExpectedQuantity)),
		Help: t.Get("Cancel the inbound before anything is received"), Disabled: s.cannotCancel, Run: s.cancel})
	return append(actions, s.Panel.ExceptionActions()...)
}

func (s *screen) cannotCancel() string {
	if s.Doc.ReceivedQuantity > 0 && s.Doc.Status.Open() {
		return s.T().Get("%s received. Close short (F5) instead", s.T().Count(s.Doc.ReceivedQuantity))
	}
	return cmp.Or(s.Panel.NotIdleReason(), s.site.MissingRights(api.CancelInbound.Spec))
}

func (s *screen) close(reason string) tea.Cmd {
	t := s.T()

	toast := t.Get("%s closed, %s missing", names.Inbound(s.Doc), t.Count(s.missingPieces()))
	step, err := submit.NewStep(api.CloseInbound, api.CloseInboundInput{InboundID: s.Doc.ID, Reason: reason}, t.Get("close short"))
	if err == nil && s.Panel.Total() > 0 {
		return s.Panel.BookThen(t.Get("Received %s, %s", t.Count(s.Panel.Total()), toast), step)
	}
	return s.Panel.Submit(toast, step, err)
}

// missingPieces returns the quantity that would be missing if the inbound were
// closed now.
func (s *screen) missingPieces() int64 { return max(0, s.Doc.Pending()-s.Panel.Total()) }

func (s *screen) cancel() tea.Cmd {
	step, err := submit.NewStep(api.CancelInbound, api.InboundInput{InboundID: s.Doc.ID}, s.T().Get("cancel"))
	return s.Panel.Submit(s.T().Get("%s canceled", names.Inbound(s.Doc)), step, err)
}
