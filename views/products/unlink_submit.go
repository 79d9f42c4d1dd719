package products

import (
	"context"
	"errors"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// chosen asks for the reason, and unlinks the barcode. It retries a request that brought no
// answer.
func (u *unlink) chosen(b *linkedBarcode) tea.Cmd {
	t := u.site.T()
	if u.submission.Unfinished() {
		return u.submission.Send(u.screen.Env, u.site)
	}

	code, product := b.code, b.of
	u.wanted = code
	question := widget.Clean(
		t.Get("Unlink %s from %s (%s)? Choose the reason, or type it", code, product.SKU, product.Name))

	return panel.AskReason(u.site, question, names.UnlinkReasons, "", func(reason string) tea.Cmd {
		step, err := unlinkStep(t, code, product.ID, product.SKU, reason)
		if err != nil {
			return tui.Fail(err)
		}
		u.submission = submit.New(step)
		return u.submission.Send(u.screen.Env, u.site)
	})
}

// update handles the answer to the request. The screen closes once the barcode is unlinked.
func (u *unlink) update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	a, ok := msg.(submit.Answer)
	if !ok || !u.submission.Awaits(a) {
		return nil, ok
	}

	t := u.site.T()
	err := u.submission.Answered(a)
	state := u.submission.State()
	if err != nil && state == submit.Unknown {
		return tui.Fail(t.NewError("No answer. Unlink it again (enter); it is done only once.")), true
	}

	u.submission = nil
	switch {
	case err != nil && state == submit.Idle:
		text := t.Get("Not unlinked: the service cannot be reached. Unlink it again in a moment (enter).")
		return tui.Fail(errors.New(text)), true
	case err != nil:
		return tea.Batch(tui.Fail(errors.New(submit.UserMessage(t, err))), u.screen.Reload()), true
	}

	text := t.Get("Unlinked %s from %s", u.wanted, u.sku)
	if a.Response.CommittedBy != "" {
		text = t.Get("Saved, not synced. %s", text)
	}

	return tea.Batch(tui.Toast(widget.Clean(text)), tui.Accepted(), tui.Back()), true
}

// UnlinkJob unlinks a barcode from a product without a screen. The job's Ref is the
// barcode, and its SKU names the product.
func UnlinkJob(ctx context.Context, job *submit.Job, reason string) (submit.JobResult, error) {
	t := job.Site.T()

	return job.Run(ctx, func(ctx context.Context) (*submit.Submission, error) {
		code := strings.TrimSpace(job.Ref)
		item, err := job.Site.FindItem(ctx, count.ParseLabel(t, scan.Parse(job.SKU, time.Time{})))
		if err != nil {
			return nil, err
		}

		step, err := unlinkStep(t, code, item.ID, item.SKU, reason)

		return &submit.Submission{
			Steps: []submit.Step{step},
			Toast: widget.Clean(t.Get("Unlinked %s from %s", code, item.SKU)),
		}, err
	}, nil)
}

// unlinkStep returns the request that unlinks a barcode from a product.
func unlinkStep(t *i18n.Translator, code string, product api.ID, sku, reason string) (submit.Step, error) {
	in := api.UnlinkBarcodeInput{ProductID: product, Barcode: code, Reason: strings.TrimSpace(reason)}
	return submit.NewStep(api.UnlinkBarcode, in, t.Get("unlink %s from %s", code, sku))
}
