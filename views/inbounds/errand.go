package inbounds

import (
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// Receive does in one go what the screen of an inbound does: it books a count,
// and the damaged share of it to damaged.
func Receive(ctx context.Context, e *dock.Errand) (dock.Report, error) {
	return e.Do(ctx, func(ctx context.Context) (*dock.Plan, error) {
		docs, err := e.Site.FindInbounds(ctx, e.Ref)
		if err != nil {
			return nil, err
		}
		p := paper(e.Site)
		doc, err := dock.Only(e.Ref, docs, p.Open, func(in *api.Inbound) string { return in.ID.String() + "  " + p.Choice(in) })
		if err != nil {
			return nil, err
		}
		if !p.Open(doc) && !e.Again {
			return nil, fmt.Errorf(ended, doc.Status, widget.Count(doc.ReceivedQuantity), widget.Count(doc.ExpectedQuantity))
		}
		goods, err := e.Site.Goods(ctx, doc.ProductID, doc.Product)
		if err != nil {
			return nil, err
		}
		line := lineOf(e.Site, doc, goods)
		if err := e.Fit(line); err != nil {
			return nil, err
		}
		list, err := steps(doc, line.Count)
		return &dock.Plan{Steps: list, Touched: line.Count.Now}, err
	}, func(p *dock.Plan, outputs []any) string {
		in := outputs[0].(*api.InboundResult).Inbound
		return fmt.Sprintf(bookedWords, widget.Count(p.Touched),
			widget.Count(in.ReceivedQuantity), widget.Count(in.ExpectedQuantity), widget.Count(in.Pending()))
	})
}
