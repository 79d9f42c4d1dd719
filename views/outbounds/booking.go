package outbounds

import (
	"context"
	"maps"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// PrepareSteps returns the steps that fulfill, pick, pack or put back the count.
func (s *screen) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	var counted []count.Line
	for _, l := range lines {
		counted = append(counted, l.SplitLots()...)
	}

	doc, action, swap := *s.Doc, s.verb, s.swap
	s.swap, s.swapped = nil, map[string]bool{}
	maps.Copy(s.swapped, swap)

	return func(ctx context.Context) ([]submit.Step, error) {
		if action == fulfilling {
			return s.fulfillPlates(ctx, &doc, counted, swap)
		}

		return handleSteps(ctx, s.site, &doc, counted, action, swap)
	}
}

// handleSteps picks, packs or puts back each counted line. The lot of a line in swap replaces what
// was picked of other lots.
func handleSteps(
	ctx context.Context,
	site *session.Site,
	doc *api.Outbound,
	counted []count.Line,
	action verb,
	swap map[string]bool,
) ([]submit.Step, error) {
	var steps []submit.Step
	for _, l := range counted {
		in := api.HandleOutboundInput{
			OutboundID:   doc.ID,
			ProductID:    l.Item.ID,
			LineID:       lineID(doc, l.Key),
			Quantity:     &l.Count.Quantity,
			SerialChoice: api.SerialChoice{SerialNumbers: l.Count.Serials},
		}

		var err error
		if in.LotID, err = site.LotID(ctx, l); err != nil {
			return nil, err
		}

		add := func(op api.Operation[api.HandleOutboundInput, api.OutboundResult], does verb, in api.HandleOutboundInput) error {
			step, err := submit.NewStep(op, in,
				site.T().Get(stageTexts[does].line, site.T().Count(l.Count.Quantity), l.Name()))
			steps = append(steps, step)
			return err
		}

		if action == picking || action == packing && swap[l.Key] {
			pick := in
			pick.Swap = swap[l.Key]
			err = add(api.PickOutbound, picking, pick)
		}

		if action == packing && err == nil {
			err = add(api.PackOutbound, packing, in)
		}
		if action == unpicking {
			err = add(api.UnpickOutbound, unpicking, in)
		}
		if err != nil {
			return nil, err
		}
	}

	return steps, nil
}

// fulfillPlates fulfills what was counted of each plate in a step of its own, which names the plate.
func (s *screen) fulfillPlates(
	ctx context.Context,
	doc *api.Outbound,
	counted []count.Line,
	swap map[string]bool,
) (steps []submit.Step, err error) {
	for len(counted) > 0 {
		var group, rest []count.Line
		for _, l := range counted {
			if l.Count.SSCC == counted[0].Count.SSCC {
				group = append(group, l)
			} else {
				rest = append(rest, l)
			}
		}

		more, err := s.fulfillSteps(ctx, doc, group, swap)
		if err != nil {
			return nil, err
		}
		steps, counted = append(steps, more...), rest
	}

	return steps, nil
}

// fulfillSteps fulfills the count, with the scanned lots and serials. The lot of a line in
// swap replaces what was picked of other lots.
func (s *screen) fulfillSteps(
	ctx context.Context,
	doc *api.Outbound,
	counted []count.Line,
	swap map[string]bool,
) ([]submit.Step, error) {
	in := api.FulfillOutboundInput{OutboundID: doc.ID, Metadata: api.PlateMetadata(counted[0].Count.SSCC)}
	total := int64(0)
	for _, l := range counted {
		total += l.Count.Quantity
		in.SerialNumbers = append(in.SerialNumbers, l.Count.Serials...)
		lot, err := s.site.LotID(ctx, l)
		if err != nil {
			return nil, err
		}
		if lot != api.NoID {
			in.Lots = append(in.Lots,
				api.FulfilledLot{LotID: lot, Quantity: l.Count.Quantity, LineID: lineID(doc, l.Key), Swap: swap[l.Key]})
		}
		if len(doc.Lines) > 1 {
			in.Lines = append(in.Lines, api.FulfilledLine{LineID: lineID(doc, l.Key), Quantity: l.Count.Quantity})
		}
	}

	if !s.site.Supports(api.PickOutbound.Spec) {
		in.Lines = nil
		if err := checkLineOrder(s.T, doc, counted); err != nil {
			return nil, err
		}
	}

	in.Quantity = &total
	step, err := submit.NewStep(api.FulfillOutbound, in, s.T.Get("fulfill %s", s.T.Count(total)))

	return []submit.Step{step}, err
}

// lineID returns the ID of the line with a key, or zero if the order has no lines.
func lineID(doc *api.Outbound, key string) api.ID {
	for _, l := range doc.Lines {
		if strings.HasPrefix(key, l.ID.String()) {
			return l.ID
		}
	}

	return api.NoID
}

// checkLineOrder rejects a count that a service without lines in the request would take
// from other lines: it takes what no serial number names from the lines in order.
func checkLineOrder(t *i18n.Translator, doc *api.Outbound, counted []count.Line) error {
	short := ""
	for _, line := range doc.Lines {
		var c count.Count
		if i := slices.IndexFunc(counted, func(l count.Line) bool { return l.Key == line.ID.String() }); i >= 0 {
			c = counted[i].Count
		}
		if short != "" && c.Quantity > int64(len(c.Serials)) {
			return t.NewError("This service fulfills lines in order. Count all of %s first.", short)
		}
		if short == "" && c.Quantity < line.PendingFulfillmentQuantity {
			short = names.ProductSKU(line.Product, line.ProductID)
		}
	}

	return nil
}

// otherOrders offers the open orders of an item that was scanned here by mistake.
func (s *screen) otherOrders(ctx context.Context, m *api.Match) []tui.Action {
	t := s.T

	rows, err := session.Call(ctx, s.site, api.ListOutbounds,
		api.ListOutboundsInput{StockFilter: api.StockFilter{ProductID: m.Product.ID, LocationID: s.site.Location().ID}})
	if err != nil {
		return nil
	}

	rows.Items = slices.DeleteFunc(rows.Items,
		func(o api.Outbound) bool { return !o.Status.Open() || o.PendingFulfillmentQuantity == 0 })
	if len(rows.Items) == 0 {
		return nil
	}

	sortByDue(rows.Items)
	countText := t.GetC("%s waiting", "outbounds", t.Count(int64(len(rows.Items))))

	return []tui.Action{
		{
			ID:    "fulfill.elsewhere",
			Key:   "f8",
			Label: t.Get("use it for another order (%s)", countText),
			Short: t.Get("other order"),
			Run:   func() tea.Cmd { return chooseOutbound(t, rows.Items) },
		},
	}
}

// Booked shows the document in the response.
func (s *screen) Booked(step submit.Step, res *api.Response) {
	s.verb = map[string]verb{api.PickOutbound.ID: picking, api.PackOutbound.ID: packing, api.UnpickOutbound.ID: unpicking,
		api.FulfillOutbound.ID: fulfilling}[step.Op]
	if out, ok := res.Output.(*api.OutboundResult); ok && s.Doc != nil {
		s.SetDoc(&out.Outbound)
	}
}

func (s *screen) BookedText(pieces int64) string {
	t := s.T

	text := stageTexts[s.verb].done
	s.verb = fulfilling
	return t.Get(text, t.Count(pieces), t.Count(s.Doc.FulfilledQuantity),
		t.Count(s.Doc.RequestedQuantity), t.Count(s.Doc.PendingFulfillmentQuantity))
}
