package inbounds

import (
	"context"
	"errors"
	"strings"

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
		if err := job.ApplyTo(line); err != nil {
			return nil, err
		}
		list, err := receiveSteps(t, in, line.Count)
		return &submit.Submission{Steps: list, Pieces: line.Count.Quantity}, err
	}, func(p *submit.Submission, outputs []any) string {
		return receivedText(t, &outputs[0].(*api.InboundResult).Inbound, p.Pieces, job.Count)
	})
}

// chooseLine returns the inbound of a delivery that a job is for: the one whose ID it
// names, else the one of its SKU, else the only one that is open.
func chooseLine(ctx context.Context, job *submit.Job, d *delivery) (*api.Inbound, *count.Line, error) {
	t := job.Site.T()

	var found []*api.Inbound
	var lines []*count.Line
	var skus []string
	for i := range d.Lines {
		in := &d.Lines[i]
		item, err := job.Site.Item(ctx, in.ProductID, in.Product)
		if err != nil {
			return nil, nil, err
		}
		if strings.EqualFold(in.ID.String(), job.Ref) || len(d.Lines) == 1 && job.SKU == "" {
			return in, lineOf(job.Site, in, item), nil
		}
		skus = append(skus, item.SKU)
		_, _, named := item.MatchCode(t, job.SKU)
		if named || job.SKU == "" && in.Status.Open() {
			found, lines = append(found, in), append(lines, lineOf(job.Site, in, item))
		}
	}
	switch {
	case len(found) == 0:
		return nil, nil, errors.New(t.Get("%s does not contain %s. It contains %s.", deliveryName(d), job.SKU, strings.Join(skus, ", ")))
	case len(found) > 1 && job.SKU == "":
		return nil, nil, errors.New(t.Get("%s has several lines. Name one: %s.", deliveryName(d), strings.Join(skus, ", ")))
	}
	for i, in := range found {
		if in.Status.Open() {
			return in, lines[i], nil
		}
	}
	return found[0], lines[0], nil
}
