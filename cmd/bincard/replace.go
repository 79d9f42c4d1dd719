package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/api"
	"bincard/views/outbox"
	"bincard/views/session"
	"bincard/views/submit"
)

// A replacer returns the replacement of an operation, made from the values of a command's
// flags.
type replacer func(context.Context, *session.Site, *api.Work, map[string]string) (api.ReplaceWorkInput, error)

func outboxEditCommand() *cobra.Command {
	return replaceCommand("edit KEY", "Replace an operation with corrected values", outbox.Edit, map[string]string{
		"quantity": "the quantity; as many as still fit if omitted",
		"lot":      "the lot",
		"serials":  "the serial numbers, separated by spaces"})
}

func outboxRecordCommand() *cobra.Command {
	return replaceCommand(
		"record KEY",
		"Replace an operation with a stock adjustment",
		outbox.Record,
		map[string]string{
			"delta":  "the signed difference; the operation's own if omitted",
			"state":  "the inventory state, for example available",
			"reason": "the reason; the operation and the service's error if omitted"},
	)
}

// replaceCommand returns a command that replaces an operation. fields maps the names of
// its flags to their usage.
func replaceCommand(use, short string, make replacer, fields map[string]string) *cobra.Command {
	var insist, asJSON bool
	var newKey string
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := keyArg(cmd, args)
			if err != nil {
				return err
			}

			values := map[string]string{}
			for name := range fields {
				if f := cmd.Flag(name); f.Changed {
					values[name] = f.Value.String()
				}
			}

			if newKey == "" {
				newKey = api.NewKey()
			}

			return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
				w, err := replaceWork(ctx, svc, key, newKey, values, make, insist)
				if err != nil {
					return err
				}
				return cli.PrintResult(cmd, asJSON, w, w.Key+" replaces it: "+outbox.WorkTitle(cli.English, w))
			})
		},
	}

	for name, usage := range fields {
		cmd.Flags().String(name, "", usage)
	}

	cmd.Flags().BoolVar(
		&insist,
		"force",
		false,
		"save it even though the local ledger rejects it, because the items have already moved",
	)

	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(
		&newKey,
		"key",
		"",
		"the replacement's idempotency key, to repeat the command safely; generated if omitted",
	)

	return cmd
}

// replaceWork replaces an operation. Repeated with the same newKey, it returns the
// existing replacement.
func replaceWork(
	ctx context.Context,
	svc api.Service,
	key, newKey string,
	values map[string]string,
	make replacer,
	insist bool,
) (*api.Work, error) {
	list, err := api.ListWork.Call(ctx, svc, api.ListWorkInput{Key: key})
	if err != nil {
		return nil, err
	}
	if len(list.Items) == 0 {
		return nil, errors.New(
			"there is no operation with the key " + strconv.Quote(key) + " here; see 'bincard outbox list'")
	}

	if old := &list.Items[0]; old.Successor == newKey { // repeated command
		done, err := api.ListWork.Call(ctx, svc, api.ListWorkInput{Key: newKey})
		if err != nil || len(done.Items) == 0 {
			return nil, err
		}
		return &done.Items[0], nil
	}

	in, err := make(ctx, session.NewSite(session.Options{Service: svc}), &list.Items[0], values)
	if err != nil {
		return nil, err
	}

	in.Insist = insist
	w, err := api.ReplaceWork.Call(ctx, svc, in, api.Key(newKey))
	if api.AsError(err).Details["insist"] == true {
		return nil, errors.New(
			submit.UserMessage(
				cli.English,
				err,
			) + " If the items have already moved, repeat the command with --force to save it at risk; the service decides.",
		)
	}

	return &w, err
}

// keyArg returns the argument that names an operation's key.
func keyArg(cmd *cobra.Command, args []string) (string, error) {
	if len(args) == 0 {
		return "", cli.UsageErrorf("%s needs an operation's key; see 'bincard outbox list'", cmd.CommandPath())
	}
	return args[0], nil
}
