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
func Fulfill(ctx context.Context, e *dock.Job) (dock.JobResult, error) {
	return e.Run(ctx, func(ctx context.Context) (*dock.Submission, error) {
		docs, err := e.Site.FindOutbounds(ctx, e.Ref)
		if err != nil {
			return nil, err
		}
		doc, err := dock.SelectDocument(e.Ref, docs, documentKind(e.Site).IsOpen, func(o *api.Outbound) string { return o.ID.String() + "  " + choice(o) })
		if err != nil {
			return nil, err
		}
		if !doc.Status.Open() && !e.MayBeBooked {
			return nil, fmt.Errorf(ended, statusText(doc.Status), widget.Count(doc.FulfilledQuantity), widget.Count(doc.RequestedQuantity))
		}
		counted, err := countLines(ctx, e, doc)
		if err != nil {
			return nil, err
		}
		var total int64
		for _, l := range counted {
			total += l.Count.Quantity
		}
		s := &screen{site: e.Site}
		list, err := s.fulfillSteps(ctx, doc, counted, e.Site.Supports(api.PickOutbound.Spec))
		return &dock.Submission{Steps: list, Pieces: total}, err
	}, func(p *dock.Submission, outputs []any) string {
		o := outputs[len(outputs)-1].(*api.OutboundResult).Outbound
		return fmt.Sprintf(sentWords, doneFulfill, widget.Count(p.Pieces), widget.Count(o.FulfilledQuantity),
			widget.Count(o.RequestedQuantity), widget.Count(o.PendingFulfillmentQuantity))
	})
}

// countLines puts what is given on the lines of an order.
func countLines(ctx context.Context, e *dock.Job, doc *api.Outbound) ([]dock.Line, error) {
	var found []dock.Line
	var names []string
	for _, l := range lines(doc) {
		goods, err := e.Site.Item(ctx, l.ProductID, l.Product)
		if err != nil {
			return nil, err
		}
		names = append(names, goods.SKU)
		if _, _, fits := goods.MatchCode(e.SKU); e.SKU == "" || fits {
			found = append(found, dock.Line{Key: l.ID.String(), Item: goods, Pending: l.PendingFulfillmentQuantity})
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
		if err := e.ApplyTo(&l); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf(noneReady, dock.OutboundName(doc))
	}
	return out, nil
}
