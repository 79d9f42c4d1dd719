package labelcmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/tui/label/printing"
	"bincard/tui/widget"
)

const exitLabelHelp = `

The exit status is 3 if a label waits in the queue or may have printed.`

// labelQueueCommand shows and changes the labels that wait to be printed.
func labelQueueCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "Show the labels that wait to be printed, retry and cancel them",
		Long: `Show the labels that are not printed, and those that may have printed because
the connection to the printer ended while they were sent. A label that may have
printed is never printed again automatically: check the printer, then retry or
cancel it.`,
		Example: "  bincard label queue\n  bincard label queue send\n  bincard label queue retry 12\n  bincard label queue cancel 13 14",
		Args:    cli.AtMost(0),
		RunE:    withService(listQueue),
	}

	cmd.Flags().Bool("all", false, "also the last labels that were printed or canceled")
	send := &cobra.Command{
		Use:   "send",
		Short: "Send the labels that are not printed",
		Long: `Send the labels that are not printed, in order on each printer. The exit status
is 3 if some are still not printed.`,
		Example: "  bincard label queue send",
		Args:    cli.AtMost(0),
		RunE:    withService(sendQueued),
	}

	send.Flags().Duration("wait", time.Minute, "how long to send")
	retry := &cobra.Command{
		Use:   "retry ID...",
		Short: "Print labels again that printed, may have printed or were canceled",
		Long: `Print labels again that may have printed, or that were printed or canceled. Look
at the printer first: the label is then printed twice if it was printed.` + exitLabelHelp,
		Example: "  bincard label queue retry 12",
		Args:    labelIDs,
		RunE: eachLabel(func(cmd *cobra.Command, service *printing.Service, id int64) error {
			if err := service.Queue.Retry(id); err != nil {
				return err
			}
			return await(cmd, service, id)
		}),
	}

	waitFlag(retry)
	for _, c := range []*cobra.Command{cmd, retry} {
		c.Flags().Bool("json", false, "print JSON")
	}

	cmd.AddCommand(send, retry, &cobra.Command{
		Use:     "cancel ID...",
		Short:   "Cancel labels that are not printed or may have printed",
		Long:    "Cancel labels that are not printed, or may have printed and are not needed\nagain.",
		Example: "  bincard label queue cancel 13 14",
		Args:    labelIDs,
		RunE: eachLabel(func(cmd *cobra.Command, service *printing.Service, id int64) error {
			if err := service.Queue.Cancel(id); err != nil {
				return err
			}
			return cli.Say(cmd.OutOrStdout(), "Canceled label %d.", id)
		}),
	})

	return cmd
}

func listQueue(cmd *cobra.Command, service *printing.Service, _ []string) error {
	jobs, err := service.Queue.Jobs()
	if err != nil {
		return err
	}

	all, _ := cmd.Flags().GetBool("all")
	rows, lines := []jobRow{}, []string{}
	for _, j := range jobs {
		if all || j.State.Open() {
			rows, lines = append(rows, rowOf(j)), append(lines, queueLine(j))
		}
	}

	if len(lines) == 0 {
		lines = append(lines, "no labels wait to be printed")
	}

	return printResult(cmd, rows, strings.Join(lines, "\n"))
}

func queueLine(j printing.Job) string {
	text := fmt.Sprintf("%5d  %s  %s  %s  %s", j.ID, j.Created.Local().Format("2006-01-02 15:04"),
		widget.Left(j.State.Title(cli.English), 16), widget.Left(j.Printer, 10), j.Title)
	if j.Copies > 1 {
		text += fmt.Sprintf(" × %d", j.Copies)
	}
	if j.Reason != "" {
		text += " (" + j.Reason + ")"
	}

	return text
}

// sendQueued sends the jobs of all printers and prints those that were sent.
func sendQueued(cmd *cobra.Command, service *printing.Service, _ []string) error {
	ctx, cancel := waiting(cmd)
	defer cancel()
	jobs, err := service.Queue.Jobs()
	if err != nil {
		return err
	}

	jobs = slices.DeleteFunc(jobs, func(j printing.Job) bool { return j.State != printing.Queued })
	notPrinted := false
	for _, j := range jobs {
		now, err := service.Queue.Job(j.ID)
		if err == nil && now.State == printing.Queued && now.Reason == j.Reason && now.Attempts == j.Attempts {
			now, err = service.Await(ctx, j.ID)
		}
		if err != nil {
			return err
		}

		notPrinted = notPrinted || now.State != printing.Printed
		if err := cli.Say(cmd.OutOrStdout(), "%s", queueLine(now)); err != nil {
			return err
		}
	}

	if notPrinted {
		return unknown("not all labels are printed; see 'bincard label queue'")
	}

	return nil
}

// labelIDs requires arguments that are IDs of labels.
func labelIDs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cli.UsageErrorf("%s needs the ID of a label; see 'bincard label queue'", cmd.CommandPath())
	}
	for _, a := range args {
		if id, err := strconv.ParseInt(a, 10, 64); err != nil || id < 1 {
			return cli.UsageErrorf("%q is not the ID of a label; see 'bincard label queue'", a)
		}
	}

	return nil
}

// eachLabel runs fn for each label whose ID is an argument.
func eachLabel(
	fn func(cmd *cobra.Command, service *printing.Service, id int64) error,
) func(*cobra.Command, []string) error {
	return withService(func(cmd *cobra.Command, service *printing.Service, args []string) (err error) {
		for _, a := range args {
			id, _ := strconv.ParseInt(a, 10, 64)
			err = errors.Join(err, fn(cmd, service, id))
		}
		return err
	})
}
