package inbounds

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/views/names"
	"bincard/views/submit"
)

// Receive books a count on an inbound without a screen, including the damaged
// quantity.
func Receive(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		docs, err := job.Site.FindInbounds(ctx, job.Ref)
		if err != nil {
			return nil, err
		}
		p := documentKind(job.Site)
		doc, err := submit.SelectDocument(t, job.Ref, docs, p.IsOpen, func(in *api.Inbound) string { return in.ID.String() + "  " + p.Choice(in) })
		if err != nil {
			return nil, err
		}
		if !p.IsOpen(doc) && !job.MayBeBooked {
			return nil, errors.New(t.Get("This inbound is %s: %s of %s received.", names.Status(t, doc.Status), t.Count(doc.ReceivedQuantity), t.Count(doc.ExpectedQuantity)))
		}
		item, err := job.Site.Item(ctx, doc.ProductID, doc.Product)
		if err != nil {
			return nil, err
		}
		line := lineOf(job.Site, doc, item)
		if err := job.ApplyTo(line); err != nil {
			return nil, err
		}
		list, err := receiveSteps(t, doc, line.Count)
		return &submit.Submission{Steps: list, Pieces: line.Count.Quantity}, err
	}, func(p *submit.Submission, outputs []any) string {
		in := outputs[0].(*api.InboundResult).Inbound
		return t.Get("booked %s. received %s of %s, pending %s", t.Count(p.Pieces),
			t.Count(in.ReceivedQuantity), t.Count(in.ExpectedQuantity), t.Count(in.Pending()))
	})
}
