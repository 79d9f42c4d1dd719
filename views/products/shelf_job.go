package products

import (
	"context"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/submit"
)

// ShelfJob sets the shelves at the location of the product that the job's SKU names, without a
// screen. The first is the main one; without any, the product has no shelf there.
func ShelfJob(ctx context.Context, job *submit.Job, shelves []string) (submit.JobResult, error) {
	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		site, t, here := job.Site, job.Site.T(), job.Site.Location()
		p, err := Find(ctx, site, job.SKU)
		if err != nil {
			return nil, err
		}
		if slices.Equal(p.ShelvesAt(here.ID), shelves) {
			return &submit.Submission{Toast: t.Get("%s has these values already. Nothing was changed.", p.SKU)}, nil
		}

		text := t.Get("%s has no shelf at %s", p.SKU, here.Code)
		if len(shelves) > 0 {
			text = t.Get("%s is on %s at %s", p.SKU, strings.Join(shelves, ", "), here.Code)
		}

		in := api.SetShelvesInput{ProductID: p.ID, LocationID: here.ID, Shelves: shelves}
		step, err := submit.NewStep(api.SetShelves, in, t.Get("put %s on %s", p.SKU, strings.Join(shelves, ", ")))

		return &submit.Submission{Steps: []submit.Step{step}, Toast: widget.Clean(text)}, err
	}, nil)
}
