package inbounds

import (
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/submit"
)

// PrepareSteps returns the steps that book a count: the receipt, the damaged
// quantity and the over-receipt, each with its own key.
func (s *screen) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	doc, keys := *s.Doc, s.lineKeys()
	return func(context.Context) ([]submit.Step, error) {
		return panel.LineSteps(s.T, keys, lines, func(i int, l count.Line) ([]submit.Step, error) {
			return receiveSteps(s.T, &doc.Lines[i], l.Count)
		})
	}
}

// lineKeys returns the keys of the lines of the delivery.
func (s *screen) lineKeys() (keys []string) {
	for i := range s.Doc.Lines {
		keys = append(keys, s.Doc.Lines[i].ID.String())
	}
	return keys
}

func receiveSteps(t *i18n.Translator, doc *api.Inbound, c count.Count) ([]submit.Step, error) {
	if c.Quantity == 0 { // all of it came extra
		over, err := overReceiptStep(t, doc, c)
		over.DependsOnPrevious = false
		return []submit.Step{over}, err
	}

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
	in := api.ReceiveStockInput{
		StockKey: api.StockKey{
			ProductID:  doc.ProductID,
			LocationID: doc.LocationID,
			OwnerID:    doc.OwnerID,
			ChannelID:  doc.ChannelID,
		},
		Quantity:  &c.OverReceipt,
		Reason:    fmt.Sprintf(names.OverReceipt, names.Inbound(doc)) + ": " + c.OverReason,
		NewLot:    api.NewLot{LotCode: c.Lot},
		Reference: api.Reference{ReferenceType: "inbound", ReferenceID: doc.ID.String()},
	}

	if c.Lot != "" && !c.ExpiresAt.IsZero() {
		in.ExpiresAt = &c.ExpiresAt
	}

	step, err := submit.NewStep(api.ReceiveStock, in, t.Get("receive %s more", t.Count(c.OverReceipt)))
	step.DependsOnPrevious = true
	step.Approve(c.OverApprovedBy)

	return step, err
}

// damageStep moves the damaged quantity to damaged.
func damageStep(t *i18n.Translator, doc *api.Inbound, c count.Count) (submit.Step, error) {
	move := api.MoveStockInput{
		StockKey: api.StockKey{
			ProductID:  doc.ProductID,
			LocationID: doc.LocationID,
			OwnerID:    doc.OwnerID,
			ChannelID:  doc.ChannelID,
		},
		Quantity:         c.Damaged,
		SourceState:      api.MovableState(api.Available),
		DestinationState: api.MovableState(api.Damaged),
		Reason:           c.DamageReason(names.DamagedOnReceipt),
		SerialChoice:     api.SerialChoice{SerialNumbers: c.DamagedSerials},
		Reference:        api.Reference{ReferenceType: "inbound", ReferenceID: doc.ID.String()},
	}

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
	s.extraOf = "" // more may have come over
	if out, ok := res.Output.(*api.InboundResult); ok && s.Doc != nil {
		s.SetDoc(s.Doc.WithLine(&out.Inbound))
	}
}

func (s *screen) BookedText(pieces int64) string {
	return receivedText(s.T, s.line(), pieces, s.Panel.Line().Count)
}

// recordedText says what of several lines was received, and how many lines are to go.
func (s *screen) recordedText(lines []count.Line) string {
	t := s.T

	var pieces int64
	var c count.Count
	for _, l := range lines {
		pieces += l.Count.Quantity + l.Count.OverReceipt
		c.OverReceipt += l.Count.OverReceipt
		c.Damaged += l.Count.Damaged
	}

	which := exceptionsText(t, c)
	rest := t.Get("complete")
	if open := len(openLines(s.Doc)); open > 0 {
		rest = panel.LinesToGo(t, open)
	}

	products := count.Products(lines)
	if products == 1 {
		return t.Get("Received %s of %s%s: %s", t.Count(pieces), lines[0].Item.SKU, which, rest)
	}

	return t.Get("Received %s (%d products)%s: %s", t.Count(pieces), products, which, rest)
}

// receivedText says what was received, and how many of the pieces are extra or damaged.
func receivedText(t *i18n.Translator, doc *api.Inbound, pieces int64, c count.Count) string {
	return t.GetC("Received %s: %s of %s, %s to go", "inbounds", t.Count(pieces)+exceptionsText(t, c),
		t.Count(doc.ReceivedQuantity), t.Count(doc.ExpectedQuantity), t.Count(doc.Pending()))
}

// exceptionsText says how many of the pieces are extra or damaged, after their number.
func exceptionsText(t *i18n.Translator, c count.Count) (text string) {
	if c.OverReceipt > 0 {
		text = ", " + t.Get("%s of them extra", t.Count(c.OverReceipt))
	}
	return text + c.DamagedText(t)
}
