package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// outboxCommand settles what was done without a connection.
func outboxCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "outbox", Short: "Settle what was done without a connection and is not in the service yet",
		Long: `Settle what 'bincard --offline' keeps: list what is not in the service yet, have
what was refused or held sent again, or give it up with a reason. A terminal sends
it: the next one with --offline, or the one that runs. While one runs, the work is
its own, and these commands tell which it is.`, Args: atMost(0)}
	cmd.PersistentFlags().String("url", "", "the address of the service")
	cmd.PersistentFlags().String("org", "", "the organization's id")
	cmd.PersistentFlags().String("operator", "", "who decides")
	cmd.AddCommand(outboxListCommand(), outboxRetryCommand(), outboxDropCommand(), outboxExportCommand())
	return cmd
}

// withOutbox runs fn on the work that is kept for the service of the settings.
func withOutbox(cmd *cobra.Command, fn func(ctx context.Context, n *offline.Node, by string) error) error {
	cfg, err := readConfig()
	if err != nil {
		return err
	}
	cfg.overlay(cmd)
	if cfg.URL == "" || cfg.Organization == "" {
		return misuse("%s needs the service and the organization: --url and --org, or BINCARD_URL and BINCARD_ORG", cmd.CommandPath())
	}
	l, err := connectRemote(cfg)
	if err != nil {
		return err
	}
	dir := cfg.nodeDir(l.environment)
	if _, err := os.Stat(filepath.Join(dir, offline.JournalName)); err != nil {
		return fmt.Errorf("nothing was ever kept here for %s: work is kept by 'bincard --offline'", cfg.URL)
	}
	access, ok := keptAccess(dir)
	if !ok {
		return fmt.Errorf("%s cannot be read: start 'bincard --offline' once with a connection, which writes it anew", filepath.Join(dir, accessFile))
	}
	w, err := openNode(cmd.Context(), cfg, dir, access, l.service)
	if err != nil {
		return err
	}
	for _, note := range w.notes {
		fmt.Fprintln(cmd.ErrOrStderr(), note)
	}
	return errors.Join(fn(cmd.Context(), w.Node, cfg.operator()), w.end())
}

// unsettled are the operations that are not in the service, as they were done.
func unsettled(n *offline.Node) []outbox.Item {
	items := []outbox.Item{}
	for _, it := range n.Items() {
		if it.State.Open() {
			items = append(items, it)
		}
	}
	return items
}

// A keptItem is an operation as scripts get it.
type keptItem struct {
	outbox.Capture
	State   outbox.State    `json:"state"`
	Sent    bool            `json:"sent"`
	Refusal *outbox.Refusal `json:"refusal,omitempty"`
	Risk    *outbox.Refusal `json:"risk,omitempty"`
}

func keptItems(n *offline.Node) []keptItem {
	items := []keptItem{}
	for _, it := range unsettled(n) {
		items = append(items, keptItem{it.Capture, it.State, it.Frozen(), it.Refusal, it.Risk})
	}
	return items
}

func outboxListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List what is not in the service yet, in the order in which it was done", Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withOutbox(cmd, func(_ context.Context, n *offline.Node, _ string) error {
				var lines []string
				for _, it := range unsettled(n) {
					lines = append(lines, itemWords(&it))
				}
				if len(lines) == 0 {
					lines = append(lines, "nothing waits: the service has all that was done here")
				}
				return answer(cmd, asJSON, map[string]any{"items": keptItems(n)}, strings.Join(lines, "\n"))
			})
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// itemWords are an operation in a line, with a second one for what stands against it.
func itemWords(it *outbox.Item) string {
	what := it.Operation
	for _, spec := range api.Operations() {
		if spec.ID == it.Operation {
			what = spec.Summary
		}
	}
	var body struct {
		Quantity *int64         `json:"quantity"`
		Delta    *int64         `json:"quantityDelta"`
		Rest     jsontext.Value `json:",unknown"`
	}
	if json.Unmarshal(it.Body, &body) == nil {
		switch {
		case body.Quantity != nil:
			what += fmt.Sprintf(": %d", *body.Quantity)
		case body.Delta != nil:
			what += fmt.Sprintf(": %+d", *body.Delta)
		}
	}
	state := string(it.State)
	switch {
	case it.State == outbox.Captured && it.Frozen():
		state = "sent, no answer yet"
	case it.State == outbox.Captured:
		state = "waits"
	}
	words := fmt.Sprintf("%s  %s  %s  %s (%s)  %s", it.Key, it.At.Local().Format("2006-01-02 15:04"), it.Operator, what, it.Target, state)
	switch {
	case it.Refusal != nil:
		words += "\n    " + it.Refusal.Message
	case it.Risk != nil:
		words += "\n    at risk: " + it.Risk.Message
	}
	return words
}

func outboxRetryCommand() *cobra.Command {
	return &cobra.Command{Use: "retry KEY", Short: "Have a refused or held operation sent again, as it is", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("%s needs the key of an operation, as 'bincard outbox list' tells it", cmd.CommandPath())
			}
			return withOutbox(cmd, func(ctx context.Context, n *offline.Node, by string) error {
				if err := n.Retry(ctx, args[0], by); err != nil {
					return err
				}
				return answer(cmd, false, nil, args[0]+" waits to be sent again")
			})
		}}
}

func outboxDropCommand() *cobra.Command {
	var reason string
	cmd := &cobra.Command{Use: "drop KEY --reason TEXT", Short: "Give an operation up; who did and why is kept", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("%s needs the key of an operation, as 'bincard outbox list' tells it", cmd.CommandPath())
			}
			if strings.TrimSpace(reason) == "" {
				return misuse("%s needs --reason: it is kept with the operation", cmd.CommandPath())
			}
			return withOutbox(cmd, func(ctx context.Context, n *offline.Node, by string) error {
				if err := n.Drop(ctx, args[0], by, reason); err != nil {
					return err
				}
				return answer(cmd, false, nil, args[0]+" is given up")
			})
		}}
	cmd.Flags().StringVar(&reason, "reason", "", "why it is given up")
	return cmd
}

func outboxExportCommand() *cobra.Command {
	return &cobra.Command{Use: "export FILE", Short: "Write what is not in the service yet as JSON, to hand it over", Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("%s needs the file to write", cmd.CommandPath())
			}
			return withOutbox(cmd, func(_ context.Context, n *offline.Node, _ string) error {
				items := keptItems(n)
				err := wholeFile(args[0], 0o600, func(w io.Writer) error {
					return json.MarshalWrite(w, map[string]any{"items": items}, jsontext.WithIndent("  "))
				})
				if err != nil {
					return err
				}
				return answer(cmd, false, nil, fmt.Sprintf("%d written to %s", len(items), args[0]))
			})
		}}
}
