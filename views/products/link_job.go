package products

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/submit"
)

// LinkJob links a barcode to a product without a screen. The job's Ref is the barcode,
// its SKU names the product, and its count is what a package with the barcode holds.
func LinkJob(ctx context.Context, job *submit.Job) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		code, err := codeFromLabel(t, count.ParseLabel(t, scan.Parse(job.Ref, time.Time{})))
		if err != nil {
			return nil, err
		}

		item, err := job.Site.FindItem(ctx, count.ParseLabel(t, scan.Parse(job.SKU, time.Time{})))
		if err != nil {
			return nil, err
		}

		step, err := linkStep(t, code, item.ID, item.SKU, job.Count.Quantity)

		return &submit.Submission{
			Steps: []submit.Step{step},
			Toast: linkedText(t, code, item.SKU, item.Title(), job.Count.Quantity),
		}, err
	}, nil)
}

// linkStep returns the request that links a barcode to a product, or to a package of n.
func linkStep(t *i18n.Translator, code string, product api.ID, sku string, n int64) (submit.Step, error) {
	in := api.LinkBarcodeInput{ProductID: product, Barcode: code}
	if n != 1 {
		in.Factor = &n
	}
	return submit.NewStep(api.LinkBarcode, in, t.Get("link %s to %s", code, sku))
}

// linkedText says what was linked.
func linkedText(t *i18n.Translator, code, sku, name string, n int64) string {
	if n != 1 {
		return widget.Clean(t.Get("Linked %s to a package of %s × %s (%s)", code, t.Count(n), sku, name))
	}
	return widget.Clean(t.Get("Linked %s to %s (%s)", code, sku, name))
}
