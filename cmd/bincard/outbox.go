package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"bincard/server/api"
	desk "bincard/views/sync"
)

// outboxCommand settles what was done without a connection.
func outboxCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "outbox", Short: "Settle what was done without a connection and is not in the service yet",
		Long: `Settle what 'bincard --offline' keeps on this machine, or an edge at its site:
list what is not in the service yet, have what was refused or held sent again, give
it up with a reason, put other work in its place, hand it over in a file, or take such a file in. A program that
runs sends it: where none does, the next one will.

The address of an edge, or --edge with its directory, settles what is kept there.`, Args: atMost(0)}
	syncNodeFlags(cmd)
	cmd.AddCommand(outboxListCommand(), outboxTryCommand(), outboxRetryCommand(), outboxEditCommand(), outboxRecordCommand(), outboxDropCommand(),
		outboxExportCommand(), outboxImportCommand())
	return cmd
}

// listWork is all that is not in the service, in order.
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
	cmd := &cobra.Command{Use: "list", Short: "List what is not in the service yet, in the order in which it was done", Args: atMost(0),
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
					lines = append(lines, "nothing waits: the service has all that was done here")
				}
				return printResult(cmd, asJSON, map[string]any{"items": all}, strings.Join(lines, "\n"))
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// formatWork are a piece of work in a line, with a second one for what stands
// against it.
func formatWork(w *api.Work) string {
	what := w.Operation
	for _, spec := range api.Operations() {
		if spec.ID == w.Operation {
			what = spec.Summary
		}
	}
	for _, part := range []string{w.Goods.Reference, w.Goods.SKU} {
		if part != "" {
			what += " " + part
		}
	}
	if w.Goods.Location != "" {
		what += " at " + w.Goods.Location
	}
	if w.Goods.Quantity != nil {
		what += fmt.Sprintf(": %d", *w.Goods.Quantity)
	}
	who := w.Operator
	if w.Device != "" && w.Device != who {
		who = strings.TrimSpace(who + " (" + w.Device + ")")
	}
	state := map[api.WorkState]string{api.WorkWaiting: "waits", api.WorkSent: "sent, no answer yet"}[w.State]
	if state == "" {
		state = string(w.State)
	}
	words := fmt.Sprintf("%s  %s  %s  %s (%s)  %s", w.Key, w.At.Local().Format("2006-01-02 15:04"), who, what, w.Target, state)
	switch {
	case w.Refusal != nil:
		words += "\n    " + w.Refusal.Message
	case w.Risk != nil:
		words += "\n    at risk: " + w.Risk.Message
	}
	return words
}

// keyArg is the key that a command was given.
func keyArg(cmd *cobra.Command, args []string) (string, error) {
	if len(args) == 0 {
		return "", usageErrorf("%s needs the key of an operation, as 'bincard outbox list' tells it", cmd.CommandPath())
	}
	return args[0], nil
}

func outboxTryCommand() *cobra.Command {
	return &cobra.Command{Use: "try", Short: "Have the service tried at once, where a program runs that sends", Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				s, err := api.TrySync.Call(ctx, svc, api.SyncInput{})
				if err != nil {
					return err
				}
				return printResult(cmd, false, nil, formatSync(&s))
			})
		}}
}

func outboxRetryCommand() *cobra.Command {
	return &cobra.Command{Use: "retry KEY", Short: "Have a refused or held operation sent again, as it is", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := keyArg(cmd, args)
			if err != nil {
				return err
			}
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				if _, err := api.RetryWork.Call(ctx, svc, api.WorkKeyInput{Key: key}); err != nil {
					return err
				}
				return printResult(cmd, false, nil, key+" waits to be sent again")
			})
		}}
}

func outboxDropCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{Use: "drop KEY --reason TEXT", Short: "Give an operation up; who did and why is kept", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := keyArg(cmd, args)
			if err != nil {
				return err
			}
			if strings.TrimSpace(reason) == "" {
				return usageErrorf("%s needs --reason: it is kept with the operation", cmd.CommandPath())
			}
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				if _, err := api.DropWork.Call(ctx, svc, api.DropWorkInput{Key: key, Reason: reason}); err != nil {
					return err
				}
				return printResult(cmd, false, nil, key+" is given up")
			})
		}}
	cmd.Flags().StringVar(&reason, "reason", "", "why it is given up")
	return cmd
}

func outboxExportCommand() *cobra.Command {
	return &cobra.Command{Use: "export FILE", Short: "Write what is not in the service yet, to hand it over", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("%s needs the file to write", cmd.CommandPath())
			}
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				file, err := api.ExportWork.Call(ctx, svc, api.SyncInput{})
				if err != nil {
					return err
				}
				err = writeFileAtomic(args[0], 0o600, func(w io.Writer) error {
					return json.MarshalWrite(w, file, jsontext.WithIndent("  "))
				})
				if err != nil {
					return err
				}
				return printResult(cmd, false, nil, fmt.Sprintf("%d written to %s", len(file.Items), args[0]))
			})
		}}
}

func outboxImportCommand() *cobra.Command {
	return &cobra.Command{Use: "import FILE", Short: "Take in what was handed over; twice does no harm", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("%s needs the file that 'bincard outbox export' wrote", cmd.CommandPath())
			}
			text, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			var in api.ImportWorkInput
			if err := json.Unmarshal(text, &in); err != nil {
				return errors.Join(fmt.Errorf("%s is not what 'bincard outbox export' writes", args[0]), err)
			}
			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				got, err := desk.ImportFile(&in, func(part api.ImportWorkInput) (api.Imported, error) { return api.ImportWork.Call(ctx, svc, part) })
				if err != nil {
					return err
				}
				return printResult(cmd, false, nil, fmt.Sprintf("%d taken in, %d were here already", got.Taken, got.Known))
			})
		}}
}
