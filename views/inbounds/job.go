package inbounds

import (
	"context"
	"slices"

	"bincard/server/api"
	"bincard/views/count"
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

		in, line, err := chooseLine(ctx, job, doc)
		if err != nil {
			return nil, err
		}
		if err := job.ApplyTo(line, false); err != nil {
			return nil, err
		}

		list, err := receiveSteps(t, in, line.Count)

		return &submit.Submission{Steps: list, Pieces: line.Count.Quantity}, err
	}, func(p *submit.Submission, outputs []any) string {
		return receivedText(t, &outputs[0].(*api.InboundResult).Inbound, p.Pieces, job.Count)
	})
}

// chooseLine returns the inbound of a delivery that a job is for, and its line.
func chooseLine(ctx context.Context, job *submit.Job, d *delivery) (*api.Inbound, *count.Line, error) {
	var lines []*count.Line
	for i := range d.Lines {
		item, err := job.Site.Item(ctx, d.Lines[i].ProductID, d.Lines[i].Product)
		if err != nil {
			return nil, nil, err
		}
		lines = append(lines, lineOf(job.Site, &d.Lines[i], item))
	}

	line, err := job.ChooseLine(deliveryName(d), lines)
	if err != nil {
		return nil, nil, err
	}

	return &d.Lines[slices.Index(lines, line)], line, nil
}
