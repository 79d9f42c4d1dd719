package transfers

import (
	"context"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/panel"
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
		item, err := job.Site.Item(ctx, doc.ProductID, doc.Product)
		if err != nil {
			return nil, err
		}
		line := &count.Line{Item: item, Pending: e.pendingOf(doc)}
		if err := job.ApplyTo(line); err != nil {
			return nil, err
		}
		s := &screen{DocumentScreen: panel.DocumentScreen[api.Transfer]{Doc: doc}, site: job.Site, side: e}
		list, err := s.PrepareSteps([]count.Line{*line})(ctx)
		return &submit.Submission{Steps: list, Pieces: line.Count.Quantity}, err
	}, func(p *submit.Submission, outputs []any) string {
		t := transferIn(&api.Response{Output: outputs[0]})
		return job.Site.T().Get(e.bookedText, job.Site.T().Count(p.Pieces)+job.Count.DamagedText(job.Site.T()),
			job.Site.T().Count(e.doneOf(t)), job.Site.T().Count(e.totalOf(t)), job.Site.T().Count(e.pendingOf(t)))
	})
}
