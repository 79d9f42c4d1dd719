package outbounds

import (
	"context"
	"strings"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/submit"
)

// FulfillJob fulfills an order without a screen: a count of one line, or everything
// that is ready.
func FulfillJob(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		kind := documentKind(job.Site)
		doc, err := kind.FindForJob(ctx, job)
		if err != nil {
			return nil, err
		}

		counted, err := countLines(ctx, job, doc)
		if err != nil {
			return nil, err
		}

		var total int64
		for _, l := range counted {
			total += l.Count.Quantity
		}

		s := &screen{site: job.Site}
		swap := map[string]bool{}
		for _, l := range counted {
			swap[l.Key] = job.Swap
		}

		list, err := s.fulfillSteps(ctx, doc, counted, swap)

		return &submit.Submission{Steps: list, Pieces: total}, err
	}, func(p *submit.Submission, outputs []any) string {
		o := outputs[len(outputs)-1].(*api.OutboundResult).Outbound
		return t.Get(stageTexts[fulfilling].done, t.Count(p.Pieces), t.Count(o.FulfilledQuantity),
			t.Count(o.RequestedQuantity), t.Count(o.PendingFulfillmentQuantity))
	})
}

// countLines applies the count of a job to the lines of an order.
func countLines(ctx context.Context, job *submit.Job, doc *api.Outbound) ([]count.Line, error) {
	t := job.Site.T()

	var found []count.Line
	var skus []string
	picked := map[string]bool{}
	for _, l := range lines(doc) {
		item, err := job.Site.Item(ctx, l.ProductID, l.Product)
		if err != nil {
			return nil, err
		}

		skus = append(skus, item.SKU)
		if _, _, fits := item.MatchCode(t, job.SKU); job.SKU == "" || fits {
			picked[l.ID.String()] = l.PendingPickQuantity == 0
			found = append(found, count.Line{Key: l.ID.String(), Item: item, Pending: l.PendingFulfillmentQuantity})
		}
	}

	switch {
	case len(found) == 0:
		return nil, t.NewError(
			"%s does not contain %s. It contains %s.",
			names.Outbound(doc),
			job.SKU,
			strings.Join(skus, ", "),
		)
	case len(found) > 1 && !job.All:
		return nil, t.NewError(
			"%s has several lines. Specify one (%s), or fulfill everything ready.",
			names.Outbound(doc),
			strings.Join(skus, ", "),
		)
	}

	var out []count.Line
	for _, l := range found {
		if job.All && l.Pending == 0 && len(found) > 1 {
			continue
		}
		if err := job.ApplyTo(&l, !picked[l.Key]); err != nil {
			return nil, err
		}
		out = append(out, l)
	}

	if len(out) == 0 {
		return nil, t.NewError("Nothing on %s is ready to fulfill.", names.Outbound(doc))
	}

	return out, nil
}
