package inbounds

import (
	"context"

	"bincard/server/api"
	"bincard/views/submit"
)

// ReceiveJob books a count on an inbound without a screen, including the damaged
// quantity.
func ReceiveJob(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		kind := documentKind(job.Site)
		doc, err := kind.FindForJob(ctx, job)
		if err != nil {
			return nil, err
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
		return receivedText(t, &outputs[0].(*api.InboundResult).Inbound, p.Pieces, job.Count)
	})
}
