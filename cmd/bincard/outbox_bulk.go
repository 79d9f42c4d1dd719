package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/api"
	"bincard/views/export"
)

// A workFilter selects operations that failed or need a decision.
type workFilter struct {
	code, device, operator string
	since, until           string
	all                    bool
	from, to               time.Time
}

// register adds the flags of a filter to a command.
func (w *workFilter) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.code, "code", "", "only operations with this error code, like INSUFFICIENT_STOCK")
	f.StringVar(&w.device, "device", "", "only operations of this device")
	// --operator of the other commands is who decides.
	f.StringVar(&w.operator, "by", "", "only operations of this operator")
	f.StringVar(&w.since, "since", "",
		"only operations done at or after this `TIME`, like 2026-11-22 or 2026-11-22T15:04")
	f.StringVar(&w.until, "until", "", "only operations done before this `TIME`")
	f.BoolVar(&w.all, "all", false, "all operations that failed or need a decision")
}

// parse reports whether the flags select operations, instead of a key.
func (w *workFilter) parse() (bool, error) {
	for _, x := range []struct {
		flag, text string
		to         *time.Time
	}{{"since", w.since, &w.from}, {"until", w.until, &w.to}} {
		at, err := cli.ParseTime(x.flag, x.text, false)
		if err != nil {
			return false, err
		}
		if at != nil {
			*x.to = *at
		}
	}

	return w.all || w.code+w.device+w.operator+w.since+w.until != "", nil
}

// matches reports whether an operation is selected.
func (w *workFilter) matches(x *api.Work) bool {
	switch {
	case w.code != "" && (x.Refusal == nil || !strings.EqualFold(string(x.Refusal.Code), w.code)),
		w.device != "" && x.Device != w.device, w.operator != "" && x.Operator != w.operator,
		!w.from.IsZero() && x.At.Before(w.from), !w.to.IsZero() && !x.At.Before(w.to):
		return false
	}

	return true
}

// find returns the selected operations; with undecided, only those that failed or need a
// decision.
func (w *workFilter) find(ctx context.Context, svc api.Service, undecided bool) (list []api.Work, err error) {
	all, err := listWork(ctx, svc)
	for i := range all {
		if w.matches(&all[i]) && (!undecided || all[i].State.NeedsDecision()) {
			list = append(list, all[i])
		}
	}

	return list, err
}

// resolve runs fn on the operation with the key in args, or on the selected ones. ask returns
// what to ask first about a number of selected operations, or "" to go on. one and many say
// what was done.
func (w *workFilter) resolve(
	cmd *cobra.Command,
	args []string,
	ask func(n int) string,
	one, many string,
	fn func(context.Context, api.Service, string) error,
) error {
	selected, err := w.parse()
	if err != nil {
		return err
	}

	if !selected || len(args) > 0 {
		key, err := keyArg(cmd, args)
		if err != nil {
			return err
		}

		return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
			if err := fn(ctx, svc, key); err != nil {
				return err
			}
			return cli.PrintResult(cmd, false, nil, key+" "+one)
		})
	}

	return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
		list, err := w.find(ctx, svc, true)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return cli.PrintResult(cmd, false, nil, "no operation that failed or needs a decision matches")
		}

		if question := ask(len(list)); question != "" {
			for i := range list {
				_ = cli.Say(cmd.OutOrStdout(), "%s", formatWork(&list[i]))
			}
			return cli.UsageErrorf("%s", question)
		}

		var failed error
		n := 0
		for i := range list {
			if err := fn(ctx, svc, list[i].Key); err != nil {
				if failed == nil {
					failed = fmt.Errorf("%s: %w", list[i].Key, err)
				}
				continue
			}

			n++
		}

		if err := cli.PrintResult(cmd, false, nil,
			fmt.Sprintf("%s %s", cli.Plural(n, "operation"), many)); err != nil ||
			failed == nil {
			return err
		}

		return fmt.Errorf("%s not changed, the first: %w", cli.Plural(len(list)-n, "operation"), failed)
	})
}

// exportWork writes the selected operations to a file.
func (w *workFilter) exportWork(cmd *cobra.Command, name string) error {
	filtered, err := w.parse()
	if err != nil {
		return err
	}

	return withSyncNode(cmd, func(ctx context.Context, svc api.Service) error {
		file, err := api.ExportWork.Call(ctx, svc, api.SyncInput{})
		if err != nil {
			return err
		}
		if filtered && !w.all {
			if file.Items, err = w.filterItems(ctx, svc, file.Items); err != nil {
				return err
			}
		}

		err = export.WriteFile(cli.English, name, 0o600, func(out io.Writer) error {
			return json.MarshalWrite(out, file, jsontext.WithIndent("  "))
		})
		if err != nil {
			return err
		}

		return cli.PrintResult(cmd, false, nil, fmt.Sprintf("%d exported to %s", len(file.Items), name))
	})
}

// filterItems returns the exported operations that are selected.
func (w *workFilter) filterItems(ctx context.Context, svc api.Service, items []api.Metadata) ([]api.Metadata, error) {
	list, err := w.find(ctx, svc, false)
	if err != nil {
		return nil, err
	}

	selected := map[string]bool{}
	for i := range list {
		selected[list[i].Key] = true
	}

	kept := []api.Metadata{}
	for _, item := range items {
		var x struct {
			Key string `json:"key"`
		}
		if err := json.Unmarshal(item, &x); err != nil {
			return nil, err
		}
		if selected[x.Key] {
			kept = append(kept, item)
		}
	}

	return kept, nil
}
