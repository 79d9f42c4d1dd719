package outbounds

import (
	"context"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/scan"
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

// AllocateJob allocates what is available at the location to the orders that wait for it, or only
// their lines of one product.
func AllocateJob(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		in := api.AllocateOutboundsInput{LocationID: job.Site.Location().ID}
		if in.LocationID == api.NoID {
			return nil, t.NewError("The location is not known. Choose one with --location.")
		}
		if job.SKU != "" {
			item, err := job.Site.FindItem(ctx, count.ParseLabel(t, scan.Parse(job.SKU, time.Time{})))
			if err != nil {
				return nil, err
			}
			in.ProductID = item.ID
		}

		step, err := submit.NewStep(api.AllocateOutbounds, in, t.Get("allocate"))

		return submit.New(step), err
	}, func(_ *submit.Submission, outputs []any) string {
		out := outputs[0].(*api.AllocateOutboundsResult)
		var lines []string
		for _, x := range out.Items {
			text := names.Allocated(&x) + ": " + t.Get("%s allocated", t.Count(x.Quantity))
			if x.PendingAllocationQuantity > 0 {
				text += ", " + t.Get("%s waiting for stock", t.Count(x.PendingAllocationQuantity))
			}
			lines = append(lines, text)
		}

		switch {
		case len(lines) == 0:
			lines = append(lines, t.Get("Nothing to allocate: no order waits for what is available."))
		case out.More:
			lines = append(lines, t.Get("More orders wait for what is available. Repeat the command."))
		}

		return strings.Join(lines, "\n")
	})
}
