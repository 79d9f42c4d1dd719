package transfers

import (
	"context"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// PrepareSteps returns the steps that book the count, with the scanned lots and serials.
func (s *screen) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	doc, keys := *s.Doc, s.lineKeys()
	var counted []count.Line
	for _, l := range lines {
		counted = append(counted, l.SplitLots()...)
	}

	return func(ctx context.Context) ([]submit.Step, error) {
		return panel.LineSteps(s.T, keys, counted, func(i int, l count.Line) ([]submit.Step, error) {
			return s.side.steps(ctx, s.site, &doc.Lines[i], l)
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

// steps returns the steps that book the count of one transfer.
func (e *side) steps(
	ctx context.Context,
	site *session.Site,
	doc *api.Transfer,
	line count.Line,
) ([]submit.Step, error) {
	t, c := site.T(), line.Count
	in := api.MoveTransferInput{TransferID: doc.ID, Quantity: &c.Quantity, SerialNumbers: c.Serials,
		Metadata: api.PlateMetadata(c.SSCC)}
	var err error
	if in.LotID, err = site.LotID(ctx, line); err != nil {
		return nil, err
	}

	step, err := e.buildStep(in, t.Get(e.stepText, t.Count(c.Quantity)))
	if err != nil || c.Damaged == 0 {
		return []submit.Step{step}, err
	}

	damaged, err := damageStep(t, doc, c, in.LotID)

	return []submit.Step{step, damaged}, err
}

// damageStep moves the damaged quantity to damaged, of the lot if one was scanned and
// else of the lot received.
func damageStep(t *i18n.Translator, doc *api.Transfer, c count.Count, lot api.ID) (submit.Step, error) {
	move := api.MoveStockInput{
		StockKey: api.StockKey{
			ProductID:  doc.ProductID,
			LocationID: doc.DestinationLocationID,
			OwnerID:    doc.OwnerID,
			ChannelID:  doc.ChannelID,
		},
		Quantity:         c.Damaged,
		SourceState:      api.MovableState(api.Available),
		DestinationState: api.MovableState(api.Damaged),
		Reason:           c.DamageReason(names.DamagedInTransit),
		SerialChoice:     api.SerialChoice{SerialNumbers: c.DamagedSerials},
		LotChoice: api.LotChoice{
			LotID: lot,
		},
		Reference: api.Reference{ReferenceType: "transfer", ReferenceID: doc.ID.String()},
	}

	step, err := submit.NewStep(api.MoveStock, move, t.Get("move %s to damaged", t.Count(c.Damaged)))
	step.DependsOnPrevious = true
	step.UsePreviousLot = lot == api.NoID && len(c.DamagedSerials) == 0

	return step, err
}

func (s *screen) Booked(_ submit.Step, res *api.Response) {
	if x := transferIn(res); x != nil && s.Doc != nil {
		s.SetDoc(s.Doc.WithLine(x))
	}
}

func (s *screen) BookedText(pieces int64) string {
	t, x := s.T, s.line()

	return t.Get(s.side.bookedText, t.Count(pieces)+s.Panel.Line().Count.DamagedText(t),
		t.Count(s.side.doneOf(x)), t.Count(s.side.totalOf(x)), t.Count(s.side.pendingOf(x)))
}

// recordedText says what of several lines was moved, and how many lines are to go.
func (s *screen) recordedText(lines []count.Line) string {
	t := s.T

	var all count.Count
	for _, l := range lines {
		all.Quantity += l.Count.Quantity
		all.Damaged += l.Count.Damaged
	}

	rest := t.Get("complete")
	if open := s.side.openLines(s.Doc); open > 0 {
		rest = panel.LinesToGo(t, open)
	}

	pieces, products := t.Count(all.Quantity), count.Products(lines)
	switch {
	case s.side.ships() && products == 1:
		return t.Get("Shipped %s of %s: %s", pieces, lines[0].Item.SKU, rest)
	case s.side.ships():
		return t.Get("Shipped %s (%d products): %s", pieces, products, rest)
	case products == 1:
		return t.Get("Received %s of %s%s: %s", pieces, lines[0].Item.SKU, all.DamagedText(t), rest)
	}

	return t.Get("Received %s (%d products)%s: %s", pieces, products, all.DamagedText(t), rest)
}
