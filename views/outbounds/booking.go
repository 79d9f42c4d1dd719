package outbounds

import (
	"context"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	"github.com/go-json-experiment/json"

	tea "github.com/charmbracelet/bubbletea"
)

// plan are the writes that book what is counted: sent, or only picked or packed.
func (s *screen) plan(counted []dock.Line) func(context.Context) ([]dock.Step, error) {
	doc, does := *s.Doc, s.does
	full := s.site.Has(api.PickOutbound.Spec)
	return func(ctx context.Context) ([]dock.Step, error) {
		switch does {
		case picking:
			return s.handle(ctx, &doc, counted, api.PickOutbound, "pick")
		case packing:
			return s.handle(ctx, &doc, counted, api.PackOutbound, "pack")
		case fulfilling:
		}
		return s.send(ctx, &doc, counted, full)
	}
}

// handle picks or packs, a write for each line that was counted.
func (s *screen) handle(ctx context.Context, doc *api.Outbound, counted []dock.Line,
	op api.Operation[api.HandleOutboundInput, api.OutboundResult], word string) ([]dock.Step, error) {
	var steps []dock.Step
	for _, l := range counted {
		in := api.HandleOutboundInput{OutboundID: doc.ID, ProductID: l.Goods.ID, Quantity: &l.Count.Now, SerialNumbers: l.Count.Serials}
		if len(l.Count.Serials) == 0 {
			var err error
			if in.LotID, err = s.site.LotID(ctx, l); err != nil {
				return nil, err
			}
		}
		step, err := dock.NewStep(op, in, fmt.Sprintf("%s %s × %s", word, widget.Count(l.Count.Now), l.Goods.SKU))
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// send sends what is counted. Where a lot was scanned and the service can pick,
// it is picked first, so that this lot leaves and no other.
func (s *screen) send(ctx context.Context, doc *api.Outbound, counted []dock.Line, full bool) ([]dock.Step, error) {
	var steps []dock.Step
	in := api.FulfillOutboundInput{OutboundID: doc.ID}
	total, lots := int64(0), map[string]string{}
	for _, l := range counted {
		total += l.Count.Now
		in.SerialNumbers = append(in.SerialNumbers, l.Count.Serials...)
		if l.Count.Lot == "" || len(l.Count.Serials) > 0 {
			continue
		}
		lots[l.Goods.SKU] = l.Count.Lot
		if full && unpicked(doc, l) {
			picks, err := s.handle(ctx, doc, []dock.Line{l}, api.PickOutbound, "pick")
			if err != nil {
				return nil, err
			}
			steps = append(steps, picks...)
		}
	}
	if err := inOrder(doc, counted); err != nil {
		return nil, err
	}
	in.Quantity = &total
	if len(lots) > 0 && len(steps) == 0 {
		// The lots cannot be chosen any more, or not at all: what was scanned is kept.
		raw, err := json.Marshal(map[string]any{"scannedLots": lots}, json.Deterministic(true))
		if err != nil {
			return nil, err
		}
		in.Metadata = raw
	}
	step, err := dock.NewStep(api.FulfillOutbound, in, fmt.Sprintf(saidFulfill, widget.Count(total)))
	return append(steps, step), err
}

// unpicked tells whether all that is counted of a line can still be picked.
func unpicked(doc *api.Outbound, l dock.Line) bool {
	for _, x := range lines(doc) {
		if x.ID.String() == l.Key {
			return x.PendingPickQuantity >= l.Count.Now
		}
	}
	return false
}

// inOrder refuses a count that the service would take from other lines than
// those that were counted: it knows of one quantity for the whole order.
func inOrder(doc *api.Outbound, counted []dock.Line) error {
	var parts []part
	names := map[string]string{}
	for _, x := range lines(doc) {
		p := part{line: x}
		for _, l := range counted {
			if l.Key == x.ID.String() {
				p.pieces, p.serials = l.Count.Now, l.Count.Serials
			}
		}
		names[x.ID.String()] = dock.Brief(x.ProductID)
		if x.Product != nil {
			names[x.ID.String()] = x.Product.SKU
		}
		parts = append(parts, p)
	}
	i, would, ok := astray(parts)
	if !ok {
		return nil
	}
	sku := names[parts[i].line.ID.String()]
	return fmt.Errorf(otherLine,
		sku, widget.Count(would), widget.Count(parts[i].pieces), sku)
}

// elsewhere offers the open orders of goods that were scanned here by mistake.
func (s *screen) elsewhere(ctx context.Context, m *api.Match) []tui.Action {
	rows, err := dock.Ask(ctx, s.site, api.ListOutbounds, api.ListOutboundsInput{ProductID: m.Product.ID, LocationID: s.site.Place().ID})
	if err != nil {
		return nil
	}
	rows.Items = slices.DeleteFunc(rows.Items, func(o api.Outbound) bool { return !o.Status.Open() || o.PendingFulfillmentQuantity == 0 })
	if len(rows.Items) == 0 {
		return nil
	}
	Due(rows.Items)
	are := saidWaits
	if n := len(rows.Items); n > 1 {
		are = fmt.Sprintf(saidWait, n)
	}
	return []tui.Action{{ID: "fulfill.elsewhere", Keys: []string{"f8"}, Label: fmt.Sprintf(saidSendItOnAnother, are), Short: shortOther,
		Run: func() tea.Cmd { return choose(rows.Items) }}}
}

// booked takes the document as a write left it.
func (s *screen) booked(step dock.Step, res *api.Response) {
	s.does = map[string]verb{api.PickOutbound.ID: picking, api.PackOutbound.ID: packing, api.FulfillOutbound.ID: fulfilling}[step.Op]
	if out, ok := res.Output.(*api.OutboundResult); ok && s.Doc != nil {
		s.Put(&out.Outbound)
	}
}

func (s *screen) done(pieces int64) string {
	word := map[verb]string{fulfilling: "sent", picking: "picked", packing: "packed"}[s.does]
	s.does = fulfilling
	return fmt.Sprintf(sentWords, word, widget.Count(pieces), widget.Count(s.Doc.FulfilledQuantity),
		widget.Count(s.Doc.RequestedQuantity), widget.Count(s.Doc.PendingFulfillmentQuantity))
}
