package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/api"
	"bincard/views/outbox"
)

// outboxCommand manages operations that have not synced.
func outboxCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "outbox", Short: "Manage operations that have not synced yet",
		Long: `Manage the operations that 'bincard --offline' saved on this machine, or that an
edge saved at its site, and that have not synced yet: list, retry, replace,
discard, export or import them. A running program syncs them; if none is
running, the next one does.

To manage the operations of an edge, give its URL, or its directory with --edge.`, Args: cli.AtMost(0)}

	syncNodeFlags(cmd)
	cmd.AddCommand(outboxListCommand(), outboxSyncCommand(), outboxRetryCommand(), outboxEditCommand(),
		outboxRecordCommand(), outboxDiscardCommand(), outboxAcknowledgeCommand(), outboxExportCommand(),
		outboxImportCommand())

	return cmd
}

// listWork returns all operations that have not synced, in order.
func listWork(ctx context.Context, svc api.Service) ([]api.Work, error) {
	all, most := []api.Work{}, int64(500)
	for in := (api.ListWorkInput{Limit: &most}); ; {
		page, err := api.ListWork.Call(ctx, svc, in)
		if err != nil {
			return nil, err
		}

		all = append(all, page.Items...)
		if page.NextCursor == nil {
			return all, nil
		}

		in.Cursor = *page.NextCursor
	}
}

func outboxListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the operations that have not synced yet, oldest first",
		Args:  cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				all, err := listWork(ctx, svc)
				if err != nil {
					return err
				}

				lines := make([]string, len(all))
				for i := range all {
					lines[i] = formatWork(&all[i])
				}
				if len(lines) == 0 {
					lines = append(lines, "nothing is pending: all operations have synced")
				}

				return cli.PrintResult(cmd, asJSON, map[string]any{"items": all}, strings.Join(lines, "\n"))
			})
		},
	}

	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

func outboxSyncCommand() *cobra.Command {
	return &cobra.Command{Use: "sync", Aliases: []string{"try"},
		Short: "Sync now, if a program that syncs is running", Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				s, err := api.TrySync.Call(ctx, svc, api.SyncInput{})
				if err != nil {
					return err
				}
				return cli.PrintResult(cmd, false, nil, formatSync(&s))
			})
		}}
}

func outboxRetryCommand() *cobra.Command {
	var filter workFilter
	var yes bool
	cmd := &cobra.Command{
		Use:   "retry KEY | --all",
		Short: "Retry operations that failed or need a decision",
		Args:  cli.AtMost(1),
		Long: `Retry an operation that failed or needs a decision, or all that the flags
select. Without --yes, a selection is only listed.`,
		Example: "  bincard outbox retry --code NOT_FOUND --since 2026-11-22 --yes",
		RunE: func(cmd *cobra.Command, args []string) error {
			ask := func(n int) string {
				if yes {
					return ""
				}
				return fmt.Sprintf("Retry %s? Add --yes", cli.Plural(n, "operation"))
			}

			return filter.resolve(cmd, args, ask, "will be retried", "will be retried",
				func(ctx context.Context, svc api.Service, key string) error {
					_, err := api.RetryWork.Call(ctx, svc, api.WorkKeyInput{Key: key})
					return err
				})
		},
	}

	filter.register(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "retry the selected operations")

	return cmd
}

func outboxDiscardCommand() *cobra.Command {
	var filter workFilter
	var reason string
	var mayBeDone bool
	cmd := &cobra.Command{Use: "discard KEY --reason TEXT | --all", Aliases: []string{"drop"},
		Short: "Discard operations; who and why is recorded", Args: cli.AtMost(1),
		Long: `Discard an operation that has not synced, or all that failed or need a decision
and that the flags select. Without --reason, a selection is only listed.

An operation that was sent and got no answer may have been applied. It is
discarded only with --may-be-done: compare the stock first. One that keeps
failing is looked up in the service, and can be discarded when 'outbox list'
says that it is not there.`,
		Example: "  bincard outbox discard --device scanner-3 --until 2026-11-20 \\\n      --reason \"counted again\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			given := strings.TrimSpace(reason) != ""
			if len(args) > 0 && !given {
				return cli.UsageErrorf("%s needs --reason: it is recorded with the operation", cmd.CommandPath())
			}

			ask := func(n int) string {
				if given {
					return ""
				}
				return fmt.Sprintf("Discard %s? Give --reason", cli.Plural(n, "operation"))
			}

			return filter.resolve(cmd, args, ask, "is discarded", "discarded",
				func(ctx context.Context, svc api.Service, key string) error {
					_, err := api.DiscardWork.Call(ctx, svc,
						api.DiscardWorkInput{Key: key, Reason: reason, MayBeDone: mayBeDone})
					return err
				})
		}}

	filter.register(cmd)
	cmd.Flags().StringVar(&reason, "reason", "", "why the operations are discarded")
	cmd.Flags().BoolVar(&mayBeDone, "may-be-done", false, "discard it although it was sent and may have been applied")

	return cmd
}

func outboxAcknowledgeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "acknowledge",
		Short: "Acknowledge damaged work or a copied directory",
		Args:  cli.AtMost(0),
		Long: `Acknowledge that saved work was damaged or lost on disk, which ends the alarm.
First compare recent work with the stock: what is missing may not be in the
service. A copy of a damaged file remains in the data directory.

If a copy of the data directory is in use at the same time, neither sends
anything. Stop using the copy, or acknowledge it where this command runs: that
directory then gets an id of its own and sends its work.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				before, err := api.GetSync.Call(ctx, svc, api.SyncInput{})
				if err != nil {
					return err
				}

				done := "the damage is acknowledged"
				switch {
				case slices.Contains(before.Alarms, api.AlarmDamage):
				case slices.Contains(before.Alarms, api.AlarmCopy):
					done = "the copied directory has an id of its own now"
				default:
					return cli.PrintResult(cmd, false, nil, "there is no damage to acknowledge")
				}

				if _, err := api.AcknowledgeDamage.Call(ctx, svc, api.SyncInput{}); err != nil {
					return err
				}

				return cli.PrintResult(cmd, false, nil, done)
			})
		},
	}
}

func outboxExportCommand() *cobra.Command {
	var filter workFilter
	cmd := &cobra.Command{Use: "export FILE", Short: "Export operations that have not synced yet", Args: cli.AtMost(1),
		Long: "Export all operations that have not synced yet, or those that the flags select.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs a file to write", cmd.CommandPath())
			}
			return filter.exportWork(cmd, args[0])
		}}

	filter.register(cmd)

	return cmd
}

func outboxImportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Import exported operations; repeating is safe",
		Args:  cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs a file from 'bincard outbox export'", cmd.CommandPath())
			}

			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}

			var in api.ImportWorkInput
			if err := json.Unmarshal(text, &in); err != nil {
				return errors.Join(fmt.Errorf("%s is not a file from 'bincard outbox export'", args[0]), err)
			}

			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				got, err := outbox.ImportFile(&in,
					func(part api.ImportWorkInput) (api.Imported, error) { return api.ImportWork.Call(ctx, svc, part) })
				if err != nil {
					return err
				}
				return cli.PrintResult(cmd, false, nil,
					fmt.Sprintf("%d imported, %d were already here", got.Taken, got.Known))
			})
		},
	}
}
