package labelcmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
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
		return cli.UsageErrorf("--next takes no value")
	case serials && len(args) > 0:
		return cli.UsageErrorf("--next gives new numbers; leave out the number %s", args[0])
	case serials && f.request.SKU == "":
		return cli.UsageErrorf("--next needs --sku")
	case !serials && len(args) != 1:
		return cli.UsageErrorf("--next gives the lot its number; %s --next needs only the SKU", cmd.CommandPath())
	case serials && (f.next < 1 || f.next > zpl.MaxCopies):
		return cli.UsageErrorf("--next must be from 1 to %d, not %d", zpl.MaxCopies, f.next)
	case f.png != "" || f.zpl:
		return cli.UsageErrorf("--next prints labels; without it, --new shows the label of any number with --png or --zpl")
	case serials && f.copies != 1:
		return cli.UsageErrorf("--copies is for one number; --next gives each label a number of its own")
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
	err := connect.WithSite(cmd, func(ctx context.Context, at connect.Connection) error {
		if opts.Location = at.Site.Location().Code; opts.Location == "" {
			opts.Location = at.Config.LocationCode()
		}
		sample, err := labels.MakeSample(ctx, at.Site, service, f.request)
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
		if batch, err = labels.TakeNumbers(ctx, at.Site, service, sample, count); err != nil {
			return err
		}
		jobs, err = service.PrintAll(batch, opts, at.Config.OperatorName())
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
		result.Numbers = append(result.Numbers, labels.NumbersText(cli.English, []printing.Copies{c}))
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
	text := fmt.Sprintf("Printed %s on %s: %s", cli.Plural(printing.Total(batch), "label"), jobs[0].Printer, labels.NumbersText(cli.English, batch))
	if rest == 0 || f.wait <= 0 {
		if rest > 0 {
			text = fmt.Sprintf("%s of %s in the queue of %s.", cli.Plural(printing.Total(batch), "label"), labels.NumbersText(cli.English, batch), jobs[0].Printer)
		}
		return cli.PrintResult(cmd, asJSON, result, text)
	}
	if asJSON {
		if err := cli.PrintResult(cmd, true, result, ""); err != nil {
			return err
		}
	}
	return &cli.StatusError{Status: cli.StatusUnknown, Err: errors.New(widget.Clean(fmt.Sprintf("%d of %s, %s, not printed. %s", rest, cli.Plural(len(jobs), "label"), labels.NumbersText(cli.English, batch), problem)))}
}
