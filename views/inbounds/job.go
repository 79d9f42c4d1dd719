package inbounds

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/views/dock"
)

// Receive books a count on an inbound without a screen, including the damaged
// quantity.
func Receive(ctx context.Context, e *dock.Job) (dock.JobResult, error) {
	t := e.Site.T()

	return e.Run(ctx, func(ctx context.Context) (*dock.Submission, error) {
		docs, err := e.Site.FindInbounds(ctx, e.Ref)
		if err != nil {
			return nil, err
		}
		p := documentKind(e.Site)
		doc, err := dock.SelectDocument(t, e.Ref, docs, p.IsOpen, func(in *api.Inbound) string { return in.ID.String() + "  " + p.Choice(in) })
		if err != nil {
			return nil, err
		}
		if !p.IsOpen(doc) && !e.MayBeBooked {
			return nil, errors.New(t.Get("This inbound is %s: %s of %s received.", doc.Status, t.Count(doc.ReceivedQuantity), t.Count(doc.ExpectedQuantity)))
		}
		goods, err := e.Site.Item(ctx, doc.ProductID, doc.Product)
		if err != nil {
			return nil, err
		}
		line := lineOf(e.Site, doc, goods)
		if err := e.ApplyTo(line); err != nil {
			return nil, err
		}
		list, err := receiveSteps(t, doc, line.Count)
		return &dock.Submission{Steps: list, Pieces: line.Count.Quantity}, err
	}, func(p *dock.Submission, outputs []any) string {
		in := outputs[0].(*api.InboundResult).Inbound
		return t.Get("booked %s. received %s of %s, pending %s", t.Count(p.Pieces),
			t.Count(in.ReceivedQuantity), t.Count(in.ExpectedQuantity), t.Count(in.Pending()))
	})
}
