package outbounds

import (
	"context"
	"errors"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"

	"github.com/go-json-experiment/json"

	tea "github.com/charmbracelet/bubbletea"
)

// PrepareSteps returns the steps that fulfill, pick or pack the count.
func (s *screen) PrepareSteps(counted []count.Line) func(context.Context) ([]submit.Step, error) {
	doc, action := *s.Doc, s.verb
	canPick := s.site.Supports(api.PickOutbound.Spec)
	return func(ctx context.Context) ([]submit.Step, error) {
		switch action {
		case picking:
			return s.handleSteps(ctx, &doc, counted, api.PickOutbound, picking)
		case packing:
			return s.handleSteps(ctx, &doc, counted, api.PackOutbound, packing)
		case fulfilling:
		}
		return s.fulfillSteps(ctx, &doc, counted, canPick)
	}
}

// handleSteps picks or packs each counted line.
func (s *screen) handleSteps(ctx context.Context, doc *api.Outbound, counted []count.Line,
	op api.Operation[api.HandleOutboundInput, api.OutboundResult], does verb) ([]submit.Step, error) {
	var steps []submit.Step
	for _, l := range counted {
		in := api.HandleOutboundInput{OutboundID: doc.ID, ProductID: l.Item.ID, Quantity: &l.Count.Quantity, SerialChoice: api.SerialChoice{SerialNumbers: l.Count.Serials}}
		if len(l.Count.Serials) == 0 {
			var err error
			if in.LotID, err = s.site.LotID(ctx, l); err != nil {
				return nil, err
			}
		}
		step, err := submit.NewStep(op, in, s.T().Get(stageTexts[does].line, s.T().Count(l.Count.Quantity), l.Item.SKU))
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// fulfillSteps fulfills the count. If a lot was scanned and the service can pick, it
// picks that lot first, so that no other lot is fulfilled.
func (s *screen) fulfillSteps(ctx context.Context, doc *api.Outbound, counted []count.Line, canPick bool) ([]submit.Step, error) {
	var steps []submit.Step
	in := api.FulfillOutboundInput{OutboundID: doc.ID}
	total, lots := int64(0), map[string]string{}
	for _, l := range counted {
		total += l.Count.Quantity
		in.SerialNumbers = append(in.SerialNumbers, l.Count.Serials...)
		if l.Count.Lot == "" || len(l.Count.Serials) > 0 {
			continue
		}
		lots[l.Item.SKU] = l.Count.Lot
		if canPick && canPickAll(doc, l) {
			picks, err := s.handleSteps(ctx, doc, []count.Line{l}, api.PickOutbound, picking)
			if err != nil {
				return nil, err
			}
			steps = append(steps, picks...)
		}
	}
	if err := checkLineOrder(s.T(), doc, counted); err != nil {
		return nil, err
	}
	in.Quantity = &total
	if len(lots) > 0 && len(steps) == 0 {
		// These lots cannot be picked, so the metadata records what was scanned.
		raw, err := json.Marshal(map[string]any{"scannedLots": lots}, json.Deterministic(true))
		if err != nil {
			return nil, err
		}
		in.Metadata = raw
	}
	step, err := submit.NewStep(api.FulfillOutbound, in, s.T().Get("fulfill %s", s.T().Count(total)))
	return append(steps, step), err
}

// canPickAll reports whether the whole count of a line can still be picked.
func canPickAll(doc *api.Outbound, l count.Line) bool {
	for _, x := range lines(doc) {
		if x.ID.String() == l.Key {
			return x.PendingPickQuantity >= l.Count.Quantity
		}
	}
	return false
}

// checkLineOrder rejects a count that the service would take from other lines. A
// fulfillment has one quantity for the whole order.
func checkLineOrder(t *i18n.Translator, doc *api.Outbound, counted []count.Line) error {
	var parts []lineShare
	skus := map[string]string{}
	for _, x := range lines(doc) {
		p := lineShare{line: x}
		for _, l := range counted {
			if l.Key == x.ID.String() {
				p.pieces, p.serials = l.Count.Quantity, l.Count.Serials
			}
		}
		skus[x.ID.String()] = names.ShortID(x.ProductID)
		if x.Product != nil {
			skus[x.ID.String()] = x.Product.SKU
		}
		parts = append(parts, p)
	}
	i, allocated, ok := firstMismatch(parts)
	if !ok {
		return nil
	}
	sku := skus[parts[i].line.ID.String()]
	return errors.New(t.Get("Lines are fulfilled in order: of %s, %s would go, but the count is %s. Count everything ready of %s first (+), or pick what you have (F4).",
		sku, t.Count(allocated), t.Count(parts[i].pieces), sku))
}

// otherOrders offers the open orders of an item that was scanned here by mistake.
func (s *screen) otherOrders(ctx context.Context, m *api.Match) []tui.Action {
	t := s.T()

	rows, err := session.Call(ctx, s.site, api.ListOutbounds, api.ListOutboundsInput{StockFilter: api.StockFilter{ProductID: m.Product.ID, LocationID: s.site.Location().ID}})
	if err != nil {
		return nil
	}
	rows.Items = slices.DeleteFunc(rows.Items, func(o api.Outbound) bool { return !o.Status.Open() || o.PendingFulfillmentQuantity == 0 })
	if len(rows.Items) == 0 {
		return nil
	}
	sortByDue(rows.Items)
	countText := t.Get("1 waiting")
	if n := len(rows.Items); n > 1 {
		countText = t.Get("%d waiting", n)
	}
	return []tui.Action{{ID: "fulfill.elsewhere", Keys: []string{"f8"}, Label: t.Get("use it for another order (%s)", countText), Short: t.Get("other"),
		Run: func() tea.Cmd { return chooseOutbound(t, rows.Items) }}}
}

// Booked shows the document in the response.
func (s *screen) Booked(step submit.Step, res *api.Response) {
	s.verb = map[string]verb{api.PickOutbound.ID: picking, api.PackOutbound.ID: packing, api.FulfillOutbound.ID: fulfilling}[step.Op]
	if out, ok := res.Output.(*api.OutboundResult); ok && s.Doc != nil {
		s.SetDoc(&out.Outbound)
	}
}

func (s *screen) BookedText(pieces int64) string {
	t := s.T()

	text := stageTexts[s.verb].done
	s.verb = fulfilling
	return t.Get(text, t.Count(pieces), t.Count(s.Doc.FulfilledQuantity),
		t.Count(s.Doc.RequestedQuantity), t.Count(s.Doc.PendingFulfillmentQuantity))
}
