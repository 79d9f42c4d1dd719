package outbounds

import (
	"context"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// Fulfill does in one go what the screen of an order does: it sends a count of
// one of its lines, or all that is ready.
func Fulfill(ctx context.Context, e *dock.Errand) (dock.Report, error) {
	return e.Do(ctx, func(ctx context.Context) (*dock.Plan, error) {
		docs, err := e.Site.FindOutbounds(ctx, e.Ref)
		if err != nil {
			return nil, err
		}
		doc, err := dock.Only(e.Ref, docs, paper(e.Site).Open, func(o *api.Outbound) string { return o.ID.String() + "  " + choice(o) })
		if err != nil {
			return nil, err
		}
		if !doc.Status.Open() && !e.Again {
			return nil, fmt.Errorf(ended, status(doc.Status), widget.Count(doc.FulfilledQuantity), widget.Count(doc.RequestedQuantity))
		}
		counted, err := count(ctx, e, doc)
		if err != nil {
			return nil, err
		}
		var total int64
		for _, l := range counted {
			total += l.Count.Now
		}
		s := &screen{site: e.Site}
		list, err := s.send(ctx, doc, counted, e.Site.Has(api.PickOutbound.Spec))
		return &dock.Plan{Steps: list, Touched: total}, err
	}, func(p *dock.Plan, outputs []any) string {
		o := outputs[len(outputs)-1].(*api.OutboundResult).Outbound
		return fmt.Sprintf(sentWords, "sent", widget.Count(p.Touched), widget.Count(o.FulfilledQuantity),
			widget.Count(o.RequestedQuantity), widget.Count(o.PendingFulfillmentQuantity))
	})
}

// count puts what is given on the lines of an order.
func count(ctx context.Context, e *dock.Errand, doc *api.Outbound) ([]dock.Line, error) {
	var found []dock.Line
	var names []string
	for _, l := range lines(doc) {
		goods, err := e.Site.Goods(ctx, l.ProductID, l.Product)
		if err != nil {
			return nil, err
		}
		names = append(names, goods.SKU)
		if _, _, fits := goods.Match(e.SKU); e.SKU == "" || fits {
			found = append(found, dock.Line{Key: l.ID.String(), Goods: goods, Pending: l.PendingFulfillmentQuantity})
		}
	}
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf(notOrdered, dock.OutboundName(doc), e.SKU, strings.Join(names, ", "))
	case len(found) > 1 && !e.All:
		return nil, fmt.Errorf(whichLine, dock.OutboundName(doc), strings.Join(names, ", "))
	}
	var out []dock.Line
	for _, l := range found {
		if e.All && l.Pending == 0 && len(found) > 1 {
			continue
		}
		if err := e.Fit(&l); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf(noneReady, dock.OutboundName(doc))
	}
	return out, nil
}
