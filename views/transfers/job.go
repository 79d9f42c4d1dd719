package transfers

import (
	"context"
	"slices"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/submit"
)

// ShipJob ships a transfer without a screen.
func ShipJob(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
	return shipping.runJob(ctx, job)
}

// ReceiveJob receives a transfer without a screen.
func ReceiveJob(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
	return receiving.runJob(ctx, job)
}

func (e *side) runJob(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		kind := e.documentKind(job.Site)
		doc, err := kind.FindForJob(ctx, job)
		if err != nil {
			return nil, err
		}

		x, line, err := e.chooseLine(ctx, job, doc)
		if err != nil {
			return nil, err
		}
		if err := job.ApplyTo(line, e.ships()); err != nil {
			return nil, err
		}

		list, err := e.steps(ctx, job.Site, x, *line)

		return &submit.Submission{Steps: list, Pieces: line.Count.Quantity}, err
	}, func(p *submit.Submission, outputs []any) string {
		t := transferIn(&api.Response{Output: outputs[0]})
		return job.Site.T().Get(e.bookedText, job.Site.T().Count(p.Pieces)+job.Count.DamagedText(job.Site.T()),
			job.Site.T().Count(e.doneOf(t)), job.Site.T().Count(e.totalOf(t)), job.Site.T().Count(e.pendingOf(t)))
	})
}

// chooseLine returns the transfer of a delivery that a job is for, and its line.
func (e *side) chooseLine(ctx context.Context, job *submit.Job, d *delivery) (*api.Transfer, *count.Line, error) {
	var lines []*count.Line
	for i := range d.Lines {
		x := &d.Lines[i]
		item, err := job.Site.Item(ctx, x.ProductID, x.Product)
		if err != nil {
			return nil, nil, err
		}
		lines = append(lines, &count.Line{Key: x.ID.String(), Item: item, Pending: e.pendingOf(x)})
	}

	line, err := job.ChooseLine(deliveryName(d), lines)
	if err != nil {
		return nil, nil, err
	}

	return &d.Lines[slices.Index(lines, line)], line, nil
}
