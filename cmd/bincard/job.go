package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"
)

// exitHelp documents the exit status for scripts.
const exitHelp = `

The exit status is 0 on success (also if the key was applied before), 1 if the
service rejects the request, 2 for incorrect usage, and 3 if the service cannot
be reached or does not answer. After 3, repeat the command with the printed key:
it is applied only once. With --offline, 0 also means that the operation is
saved on this machine and sent later; then --json has "waits":true.`

// jobFlags holds the flags and the quantity of a job.
type jobFlags struct {
	quantity, lot, expires, sku, key, reason, damage string
	serials, damagedSerials                          []string
	damaged                                          int64
	insist, swap                                     bool
	printed                                          bool // the result is printed
}

// newJob returns the job that the flags describe. It generates a key if none is given.
// command identifies the job, so that a key is not used for two.
func (g *jobFlags) newJob(at connect.Connection, ref, command string) (*submit.Job, error) {
	job := &submit.Job{
		Site:        at.Site,
		Ref:         ref,
		SKU:         g.sku,
		Key:         g.key,
		MayBeBooked: g.key != "",
		Insist:      g.insist,
		Swap:        g.swap,
		Count: count.Count{Lot: g.lot, Serials: g.serials, Damaged: g.damaged, DamagedSerials: g.damagedSerials,
			DamageCause: g.damage},
	}

	switch n, err := cli.ParseCount(g.quantity); {
	case g.swap && g.lot == "":
		return nil, cli.UsageErrorf("--swap needs --lot: the lot to take instead")
	case g.quantity == "all":
		job.All = true
	case g.quantity == "" && len(g.serials) > 0:
	case strings.ContainsAny(g.quantity, "+-="): // a stock change: its command parses the sign
	case err != nil || n < 1:
		return nil, cli.UsageErrorf("the quantity must be 1 or more, or all, not %q", g.quantity)
	default:
		job.Count.Quantity = n
	}

	if g.expires != "" {
		day, onlyDay, ok := cli.English.ParseTime(g.expires, time.Time{})
		if !ok || !onlyDay || strings.Contains(g.expires, "/") {
			return nil, cli.UsageErrorf("--expires must be a day like 2027-03-31, not %q", g.expires)
		}
		job.Count.ExpiresAt = day
	}

	sent := config.Requests{
		Dir:     filepath.Join(config.StateHome(), "sent"),
		Source:  at.Config.Source(),
		Command: command,
	}

	if job.Key == "" {
		job.Key = api.NewKey()
	} else if err := sent.Load(job); err != nil {
		var used *config.KeyUsedError
		if errors.As(err, &used) {
			return nil, cli.UsageErrorf("the key %s was used for another command (%s): use a new key", used.Key,
				used.Command)
		}
		return nil, err
	}

	job.Save = func(p *submit.Submission) error { return sent.Save(job.Key, p) }

	return job, nil
}

// run runs a job and prints its result.
func (g *jobFlags) run(
	cmd *cobra.Command,
	ref string,
	fn func(context.Context, *submit.Job) (submit.JobResult, error),
) error {
	command := g.commandLine(cmd, ref)
	err := connect.WithSite(cmd, func(ctx context.Context, at connect.Connection) error {
		job, err := g.newJob(at, ref, command)
		if err != nil {
			return err
		}
		if g.key == "" {
			g.key = job.Key
			fmt.Fprintln(cmd.ErrOrStderr(), "key", job.Key)
		}

		done, err := fn(ctx, job)
		if err != nil {
			return err
		}

		waits := done.Unconfirmed || done.AtRisk
		if saved := savedBy(at, job, &done); saved != nil {
			if waits, err = saved.await(ctx); err != nil {
				return err
			}
			*at.AtEnd = func(ctx context.Context) error { return saved.finish(ctx, cmd.ErrOrStderr()) }
		}

		result := struct {
			Done     bool   `json:"done"`
			Words    string `json:"words"`
			Key      string `json:"key"`
			Replayed bool   `json:"replayed"`
			// Waits is set if the operation is saved but has not synced yet.
			Waits   bool  `json:"waits,omitzero"`
			AtRisk  bool  `json:"atRisk,omitzero"`
			Results []any `json:"results"`
		}{true, done.Text, job.Key, done.Replayed, waits, done.AtRisk && waits, done.Outputs}

		switch {
		case waits:
		case done.AtRisk:
			result.Words = at.Site.T().Message(i18n.Textf("Saved at risk. The service accepted it."))
		default:
			result.Words = done.Done
		}

		words := result.Words
		if done.Replayed {
			words += " " + at.Site.T().Message(i18n.Textf("(already done with this key)"))
		}

		asJSON, _ := cmd.Flags().GetBool("json")
		g.printed = true

		return cli.PrintResult(cmd, asJSON, result, words)
	})

	return connect.Fail(cmd, err, g.key, g.printed)
}

// commandLine returns the command with the flags that identify the job.
func (g *jobFlags) commandLine(cmd *cobra.Command, ref string) string {
	parts := []string{cmd.Name(), ref, g.quantity}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "key",
			"json",
			"force",
			"data",
			"store",
			"url",
			"org",
			"env",
			"demo",
			"location",
			"operator",
			"allow-plain":

		default:
			parts = append(parts, "--"+f.Name, f.Value.String())
		}
	})

	return strings.Join(parts, " ")
}

// register adds the flags that all jobs have.
func (g *jobFlags) register(cmd *cobra.Command) {
	g.registerKey(cmd)
	f := cmd.Flags()
	connect.LocationFlag(f, "the location's code, if a reference does not name it")
	f.BoolVar(&g.insist, "force", false,
		"offline: save the operation even though the local ledger rejects it, because the items have already moved")
	f.StringVar(&g.lot, "lot", "", "the lot")
	f.StringSliceVar(&g.serials, "serial", nil, "a serial number; may be repeated")
}

// registerKey adds the flags that all commands with a key have.
func (g *jobFlags) registerKey(cmd *cobra.Command) {
	connect.SiteFlags(cmd)
	cmd.Flags().StringVar(&g.key, "key", "",
		"the idempotency key, to repeat the command safely; generated and printed if omitted")
}

// openTerminal opens the terminal on a route.
func openTerminal(cmd *cobra.Command, route string) error {
	cfg, err := config.Read()
	if err != nil {
		return err
	}
	if err := connect.Overlay(&cfg, cmd); err != nil {
		return err
	}

	cfg.Demo, _ = cmd.Flags().GetBool("demo")
	connect.OverlayOffline(&cfg, cmd)

	return terminal(cmd.Context(), cfg, []string{route}, cmd.OutOrStdout())
}

// onSite runs fn on the configured ledger or service, if there is one.
func onSite(cmd *cobra.Command, fn func(context.Context, *session.Site) error) error {
	err := connect.WithSite(cmd, func(ctx context.Context, at connect.Connection) error { return fn(ctx, at.Site) })
	if errors.Is(err, connect.ErrNotSetUp) {
		return nil
	}
	return err
}
