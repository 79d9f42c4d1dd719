package labelcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/tui/label"
	"bincard/tui/label/printing"
	"bincard/tui/label/queue"
	"bincard/tui/widget"
	"bincard/views/export"
)

// run makes the label and prints it or shows it.
func (f *labelFlags) run(cmd *cobra.Command) error {
	return connect.Fail(cmd, f.runLabel(cmd), "", false)
}

func (f *labelFlags) runLabel(cmd *cobra.Command) error {
	opts, err := f.options()
	if err != nil {
		return err
	}
	service, err := LabelService()
	if err != nil {
		return err
	}
	if f.request.Next {
		return f.printNew(cmd, service, opts)
	}
	l, operator, location, err := f.makeLabel(cmd, service, opts)
	if err != nil {
		return err
	}
	opts.Location = location
	draft, err := service.Draw(l, opts)
	if err != nil {
		return err
	}
	if draft.Codes.Main.NeedsPrefix() && !f.preview { // the preview says it too
		_ = cli.Say(cmd.ErrOrStderr(), "%s", label.ShortText(cli.English, draft.Codes.Main))
	}
	if f.png == "" && !f.zpl && !f.preview {
		job, err := service.Print(draft, f.copies, operator)
		if err != nil {
			return err
		}
		return awaitLabel(cmd, service, job.ID, f.wait)
	}
	return f.show(cmd, draft)
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
			_ = cli.Say(cmd.ErrOrStderr(), "The font of pictures lacks the characters %s and shows question marks. The printer may have them.", missing)
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
	asJSON, _ := cmd.Flags().GetBool("json")
	lines := draft.Words(cli.English)
	return cli.PrintResult(cmd, asJSON, struct {
		Template string   `json:"template"`
		Words    []string `json:"words"`
		Code     string   `json:"code"`
		Contents string   `json:"contents,omitzero"`
	}{draft.Template, lines, draft.Codes.Main.String(), draft.Codes.Contents.String()}, strings.Join(lines, "\n"))
}

// A jobRow is a label in the queue as JSON.
type jobRow struct {
	ID       int64       `json:"id"`
	Printer  string      `json:"printer"`
	Title    string      `json:"title"`
	Copies   int         `json:"copies"`
	State    queue.State `json:"state"`
	Reason   string      `json:"reason,omitzero"`
	Attempts int         `json:"attempts"`
	Operator string      `json:"operator,omitzero"`
	Created  time.Time   `json:"createdAt"`
	Changed  time.Time   `json:"changedAt"`
}

func rowOf(j queue.Job) jobRow {
	return jobRow{j.ID, j.Printer, j.Title, j.Copies, j.State, j.Reason, j.Attempts, j.Operator, j.Created, j.Changed}
}

// awaitLabel sends a label in the queue and says what became of it. The error has the
// exit status of a label that is not printed.
func awaitLabel(cmd *cobra.Command, service *printing.Service, id int64, wait time.Duration) error {
	var job queue.Job
	var err error
	if wait > 0 {
		ctx, cancel := context.WithTimeout(cmd.Context(), wait)
		defer cancel()
		job, err = service.Await(ctx, id)
	} else {
		job, err = service.Queue.Job(id)
	}
	if err != nil {
		return err
	}
	asJSON, _ := cmd.Flags().GetBool("json")
	text, done := resultText(job)
	if done || wait <= 0 {
		return cli.PrintResult(cmd, asJSON, rowOf(job), text)
	}
	if asJSON {
		if err := cli.PrintResult(cmd, true, rowOf(job), ""); err != nil {
			return err
		}
	}
	return &cli.StatusError{Status: cli.StatusUnknown, Err: errors.New(widget.Clean(text))}
}

// resultText says what became of a label, and what to do. done reports whether it is
// printed.
func resultText(job queue.Job) (text string, done bool) {
	reason := job.Reason
	if reason != "" {
		reason = ": " + reason
	}
	copies := ""
	if job.Copies > 1 {
		copies = fmt.Sprintf("%d copies of ", job.Copies)
	}
	switch job.State {
	case queue.Printed:
		return fmt.Sprintf("Printed %s%s on %s%s", copies, job.Title, job.Printer, reason), true
	case queue.MaybePrinted:
		return fmt.Sprintf("%s may be printed on %s%s. Look at the printer, then run 'bincard label queue retry %d', or cancel %[4]d.", job.Title, job.Printer, reason, job.ID), false
	case queue.Canceled:
		return fmt.Sprintf("%s was canceled.", job.Title), false
	}
	return fmt.Sprintf("%s is not printed on %s yet%s. Label %d stays in the queue; 'bincard label queue send' sends it.", job.Title, job.Printer, reason, job.ID), false
}
