package labelcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/tui/widget"
	"bincard/views/export"
	"bincard/views/labels"
)

// LabelService returns the printers, templates and queue of this machine.
func LabelService() (*printing.Service, error) {
	settings, err := printing.ReadSettings(config.LabelsFile())

	return &printing.Service{
		Settings: settings,
		Library:  library(),
		Queue:    printing.NewQueue(config.LabelsDir(), cli.ClockNow),
		Dir:      config.LabelsDir(),
		Terminal: cmp.Or(settings.Terminal, connect.MachineLabel()),
		Now:      cli.ClockNow,
	}, err
}

func library() label.Library { return label.Library{Dir: config.LabelTemplatesDir()} }

// run makes the label, and prints it or shows it.
func (f *labelFlags) run(cmd *cobra.Command) error {
	if err := f.parse(); err != nil {
		return err
	}

	service, err := LabelService()
	if err != nil {
		return err
	}

	var draft *printing.Draft
	var batch []printing.Copies // of new numbers
	operator, show := "", f.preview || f.zpl || f.png != ""
	err = connect.WithSite(cmd, func(ctx context.Context, at connect.Connection) (err error) {
		f.opts.Language = at.Site.T()
		operator, f.opts.Location = at.Config.OperatorName(), cmp.Or(at.Site.Location().Code, at.Config.LocationCode())
		draft, err = f.draw(ctx, at, service)
		if err != nil || !f.request.Next || show {
			return err
		}
		if draft.NoPrinter != nil {
			return draft.NoPrinter
		}

		batch, err = labels.TakeNumbers(ctx, at.Site, service, draft.Label, f.copies)

		return err
	})
	if err != nil {
		return err
	}
	if draft.Codes.Main.NeedsPrefix() && !f.preview { // the preview says it too
		_ = cli.Say(cmd.ErrOrStderr(), "%s", label.ShortText(cli.English, draft.Codes.Main))
	}
	if show {
		return f.show(cmd, draft)
	}

	if batch != nil {
		jobs, err := service.PrintAll(batch, f.opts, operator)
		if err != nil {
			return err
		}
		return awaitAll(cmd, service, batch, jobs)
	}

	job, err := service.Print(draft, f.copies, operator)
	if err != nil {
		return err
	}

	return await(cmd, service, job.ID)
}

// draw draws the label that the flags describe. A pallet gets its number, and a label of new
// numbers is a sample, when the rest is known to be right.
func (f *labelFlags) draw(
	ctx context.Context,
	at connect.Connection,
	service *printing.Service,
) (*printing.Draft, error) {
	if f.request.Next {
		sample, err := labels.MakeSample(ctx, at.Site, service, f.request)
		if err != nil {
			return nil, err
		}
		return service.Draw(sample, f.opts)
	}

	needsNumber := f.request.Kind == label.KindPallet && f.request.SSCC == ""
	if needsNumber {
		f.request.SSCC = strings.Repeat("0", 18)
	}

	l, err := labels.Make(ctx, at.Site, f.request)
	if errors.As(err, new(*labels.UnknownError)) {
		err = fmt.Errorf("%w Add --new for that.", err)
	}
	if err != nil {
		return nil, err
	}

	draft, err := service.Draw(l, f.opts)
	if err != nil || !needsNumber || f.preview {
		return draft, err
	}
	if l.SSCC, err = service.NextSSCC(ctx); err == nil {
		err = labels.RegisterPallet(ctx, at.Site, l)
	}
	if err != nil {
		return nil, err
	}

	return service.Draw(l, f.opts)
}

// show writes the label as a picture, as commands of a printer, or in words.
func (f *labelFlags) show(cmd *cobra.Command, draft *printing.Draft) error {
	if f.png != "" {
		missing := ""
		err := export.WriteFile(cli.English, f.png, 0o644, func(w io.Writer) (err error) {
			missing, err = draft.PNG(w)
			return err
		})
		if err != nil {
			return err
		}

		if missing != "" {
			_ = cli.Say(
				cmd.ErrOrStderr(),
				"The font of pictures lacks the characters %s and shows question marks. The printer may have them.",
				missing,
			)
		}
	}

	if f.zpl {
		data, err := draft.ZPL(f.copies)
		if err != nil {
			return err
		}
		if _, err := cmd.OutOrStdout().Write(data); err != nil {
			return err
		}
	}

	if !f.preview {
		return nil
	}

	lines := draft.Words(cli.English)

	return printResult(cmd, struct {
		Template string   `json:"template"`
		Words    []string `json:"words"`
		Code     string   `json:"code"`
		Contents string   `json:"contents,omitzero"`
	}{draft.Template, lines, draft.Codes.Main.String(), draft.Codes.Contents.String()}, strings.Join(lines, "\n"))
}

func printResult(cmd *cobra.Command, result any, text string) error {
	asJSON, _ := cmd.Flags().GetBool("json")
	return cli.PrintResult(cmd, asJSON, result, text)
}

// A jobRow is a label in the queue as JSON.
type jobRow struct {
	ID       int64             `json:"id"`
	Printer  string            `json:"printer"`
	Title    string            `json:"title"`
	Copies   int               `json:"copies"`
	State    printing.JobState `json:"state"`
	Reason   string            `json:"reason,omitzero"`
	Attempts int               `json:"attempts"`
	Operator string            `json:"operator,omitzero"`
	Created  time.Time         `json:"createdAt"`
	Changed  time.Time         `json:"changedAt"`
}

func rowOf(j printing.Job) jobRow {
	return jobRow{j.ID, j.Printer, j.Title, j.Copies, j.State, j.Reason, j.Attempts, j.Operator, j.Created, j.Changed}
}

func waitFlag(cmd *cobra.Command) {
	cmd.Flags().Duration("wait", 30*time.Second, "how long to wait for the printer; 0 leaves the label in the queue")
}

// waiting returns a context that ends when --wait is over.
func waiting(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	wait, _ := cmd.Flags().GetDuration("wait")
	return context.WithTimeout(cmd.Context(), wait)
}

// await sends a label in the queue and says what became of it.
func await(cmd *cobra.Command, service *printing.Service, id int64) error {
	ctx, cancel := waiting(cmd)
	defer cancel()
	job, err := service.Await(ctx, id)
	if err != nil {
		return err
	}
	text, done := resultText(job)
	return report(cmd, rowOf(job), text, done)
}

// awaitAll sends labels of new numbers and says what became of them.
func awaitAll(cmd *cobra.Command, service *printing.Service, batch []printing.Copies, jobs []printing.Job) error {
	ctx, cancel := waiting(cmd)
	defer cancel()
	result := struct {
		Numbers []string `json:"numbers"`
		Labels  []jobRow `json:"labels"`
	}{}
	for _, c := range batch {
		result.Numbers = append(result.Numbers, labels.NumbersText(cli.English, []printing.Copies{c}))
	}

	rest, problem := 0, ""
	for _, job := range jobs {
		if rest == 0 { // those after a failed one stay in the queue
			var err error
			if job, err = service.Await(ctx, job.ID); err != nil {
				return err
			}
		}

		if text, done := resultText(job); !done {
			rest++
			problem = cmp.Or(problem, text)
		}

		result.Labels = append(result.Labels, rowOf(job))
	}

	total, numbers := cli.Plural(printing.Total(batch), "label"), labels.NumbersText(cli.English, batch)
	text := fmt.Sprintf("Printed %s on %s: %s", total, jobs[0].Printer, numbers)
	if wait, _ := cmd.Flags().GetDuration("wait"); rest > 0 && wait <= 0 {
		text = fmt.Sprintf("%s of %s in the queue of %s.", total, numbers, jobs[0].Printer)
	} else if rest > 0 {
		text = fmt.Sprintf("%d of %s, %s, not printed. %s", rest, cli.Plural(len(jobs), "label"), numbers, problem)
	}

	return report(cmd, result, text, rest == 0)
}

// report prints a result. If labels are not printed within --wait, text is an error with the
// exit status for that.
func report(cmd *cobra.Command, result any, text string, done bool) error {
	wait, _ := cmd.Flags().GetDuration("wait")
	if done || wait <= 0 {
		return printResult(cmd, result, text)
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		if err := cli.PrintResult(cmd, true, result, ""); err != nil {
			return err
		}
	}

	return unknown(text)
}

// unknown returns the error with the exit status of labels that are not printed.
func unknown(text string) error {
	return &cli.StatusError{Status: cli.StatusUnknown, Err: errors.New(widget.Clean(text))}
}

// resultText says what became of a label, and what to do. done reports whether it is
// printed.
func resultText(job printing.Job) (text string, done bool) {
	reason, copies := job.Reason, ""
	if reason != "" {
		reason = ": " + reason
	}
	if job.Copies > 1 {
		copies = fmt.Sprintf("%d copies of ", job.Copies)
	}

	switch job.State {
	case printing.Printed:
		return fmt.Sprintf("Printed %s%s on %s%s", copies, job.Title, job.Printer, reason), true
	case printing.MaybePrinted:
		return fmt.Sprintf("%s may have printed on %s%s. "+
			"Look at the printer, then run 'bincard label queue retry %d', or cancel %[4]d.",
			job.Title, job.Printer, reason, job.ID), false
	case printing.Canceled:
		return job.Title + " was canceled.", false
	}

	return fmt.Sprintf(
		"%s is not printed on %s yet%s. Label %d stays in the queue; 'bincard label queue send' sends it.", job.Title,
		job.Printer, reason, job.ID), false
}
