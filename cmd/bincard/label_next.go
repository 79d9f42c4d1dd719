package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/tui/label/queue"
	"bincard/tui/label/zpl"
	"bincard/tui/widget"
	"bincard/views/labels"
)

// checkNext checks the flags of labels of new numbers.
func (f *labelFlags) checkNext(cmd *cobra.Command, args []string) error {
	serials := f.request.Kind == label.KindSerial
	switch {
	case !serials && !f.nextLot:
		return usageErrorf("--next takes no value")
	case serials && len(args) > 0:
		return usageErrorf("--next gives new numbers; leave out the number %s", args[0])
	case serials && f.request.SKU == "":
		return usageErrorf("--next needs --sku")
	case !serials && len(args) != 1:
		return usageErrorf("--next gives the lot its number; %s --next needs only the SKU", cmd.CommandPath())
	case serials && (f.next < 1 || f.next > zpl.MaxCopies):
		return usageErrorf("--next must be from 1 to %d, not %d", zpl.MaxCopies, f.next)
	case f.png != "" || f.zpl:
		return usageErrorf("--next prints labels; without it, --new shows the label of any number with --png or --zpl")
	case serials && f.copies != 1:
		return usageErrorf("--copies is for one number; --next gives each label a number of its own")
	}
	f.request.Next = true
	return nil
}

// printNew prints labels of new serial numbers or of a new lot. The numbers are given when
// the rest is known to be right.
func (f *labelFlags) printNew(cmd *cobra.Command, service *printing.Service, opts printing.Options) error {
	var batch []printing.Copies
	var jobs []queue.Job
	var draft *printing.Draft
	err := withSite(cmd, func(ctx context.Context, at cliContext) error {
		if opts.Location = at.site.Location().Code; opts.Location == "" {
			opts.Location = at.cfg.LocationCode()
		}
		sample, err := labels.MakeSample(ctx, at.site, service, f.request)
		if err != nil {
			return err
		}
		if draft, err = service.Draw(sample, opts); err != nil || f.preview {
			return err
		}
		if draft.NoPrinter != nil {
			return draft.NoPrinter
		}
		count := f.copies
		if f.request.Kind == label.KindSerial {
			count = f.next
		}
		if batch, err = labels.TakeNumbers(ctx, at.site, service, sample, count); err != nil {
			return err
		}
		jobs, err = service.PrintAll(batch, opts, at.cfg.OperatorName())
		return err
	})
	if err != nil {
		return err
	}
	if f.preview {
		return f.show(cmd, draft)
	}
	return f.awaitAll(cmd, service, batch, jobs)
}

// awaitAll sends labels of new numbers and says what became of them.
func (f *labelFlags) awaitAll(cmd *cobra.Command, service *printing.Service, batch []printing.Copies, jobs []queue.Job) error {
	ctx, cancel := context.WithTimeout(cmd.Context(), max(f.wait, time.Nanosecond))
	defer cancel()
	result := struct {
		Numbers []string `json:"numbers"`
		Labels  []jobRow `json:"labels"`
	}{}
	for _, c := range batch {
		result.Numbers = append(result.Numbers, labels.NumbersText(english, []printing.Copies{c}))
	}
	rest, problem := 0, ""
	for _, j := range jobs {
		job, err := j, error(nil)
		if f.wait > 0 && rest == 0 { // those after a failed one stay in the queue
			if job, err = service.Await(ctx, j.ID); err != nil {
				return err
			}
		}
		if text, done := resultText(job); !done {
			if rest++; problem == "" {
				problem = text
			}
		}
		result.Labels = append(result.Labels, rowOf(job))
	}
	asJSON, _ := cmd.Flags().GetBool("json")
	text := fmt.Sprintf("Printed %s on %s: %s", plural(printing.Total(batch), "label"), jobs[0].Printer, labels.NumbersText(english, batch))
	if rest == 0 || f.wait <= 0 {
		if rest > 0 {
			text = fmt.Sprintf("%s of %s in the queue of %s.", plural(printing.Total(batch), "label"), labels.NumbersText(english, batch), jobs[0].Printer)
		}
		return printResult(cmd, asJSON, result, text)
	}
	if asJSON {
		if err := printResult(cmd, true, result, ""); err != nil {
			return err
		}
	}
	return &statusError{statusUnknown, errors.New(widget.Clean(fmt.Sprintf("%d of %s, %s, not printed. %s", rest, plural(len(jobs), "label"), labels.NumbersText(english, batch), problem)))}
}
