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

	"bincard/cmd/bincard/config"
	"bincard/offline/host"
	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/filestore"
	"bincard/views/session"
	"bincard/views/status"
	"bincard/views/submit"
)

// exitHelp documents the exit status for scripts.
const exitHelp = `

The exit status is 0 on success (also if the key was applied before), 1 if the
service rejects the request, 2 for incorrect usage, and 3 if the service cannot be
reached or does not answer. After 3, repeat the command with the printed key: it
is applied only once. With --offline, 0 also means that the operation is saved on
this machine and sent later; then --json has "waits":true.`

// statusOf returns the exit status for a job's error.
func statusOf(err error) int {
	var usage *usageError
	var unsure *submit.UnknownOutcomeError
	var withStatus *statusError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &withStatus):
		return withStatus.status
	case errors.As(err, &usage):
		return statusUsage
	case errors.As(err, &unsure), api.HasCode(err, api.Unavailable), errors.Is(err, context.DeadlineExceeded), leavesOpen(err):
		return statusUnknown
	}
	return statusRefused
}

// leavesOpen reports whether an error says nothing about what the service decides.
func leavesOpen(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Details["outcome"] != nil
}

// jobTimeout limits the duration of a job.
const jobTimeout = 30 * time.Second

// siteFlags adds the flags that select where a job runs.
func siteFlags(cmd *cobra.Command) {
	companyFlags(cmd)
	demoFlag(cmd)
	cmd.Flags().Bool("json", false, "print JSON")
	cmd.Flags().Bool("offline", false, "save the operation on this machine while the service cannot be reached, and sync it later")
}

// demoFlag adds the flag for the demo.
func demoFlag(cmd *cobra.Command) { cmd.Flags().Bool("demo", false, "use the demo warehouse") }

// A cliContext is what a job runs on.
type cliContext struct {
	cfg  config.Config
	svc  api.Service
	site *session.Site
	now  func() time.Time
	node *host.Shared // nil without --offline
	// atEnd is what to do after the node has had time to sync.
	atEnd *func(context.Context) error
}

// withSite runs fn on the configured ledger or service, at the configured location.
func withSite(cmd *cobra.Command, fn func(ctx context.Context, at cliContext) error) (err error) {
	cfg, err := config.Read()
	if err != nil {
		return err
	}
	if err := overlayLedger(&cfg, cmd); err != nil {
		return err
	}
	cfg.Demo, _ = cmd.Flags().GetBool("demo")
	if !cfg.Demo && cfg.URL == "" && cfg.Store == "" && cfg.Data != "" {
		if err := requireLedger(cfg.Data); err != nil {
			return err
		}
	}
	overlayOffline(&cfg, cmd)
	cfg.JoinNode = true
	ctx, cancel := context.WithTimeout(cmd.Context(), jobTimeout)
	defer cancel()
	b, err := connect(ctx, cfg)
	switch {
	case err != nil:
		return err
	case b == nil:
		return errors.New("no ledger or service is set up: use --data or --store for a ledger, --url for a service, or --demo")
	}
	defer func() { err = errors.Join(err, b.close()) }()
	site := session.NewSite(session.Options{Service: b.service, Operator: cfg.OperatorName(), Now: b.clock.Now})
	if location, ok := status.InitialLocation(ctx, site, cfg.LocationCode()); ok {
		site.SetLocation(location)
	}
	atEnd := func(context.Context) error { return nil }
	if err = fn(ctx, cliContext{cfg, b.service, site, b.clock.Now, b.node, &atEnd}); b.node != nil {
		b.node.AwaitSync(ctx)
		err = errors.Join(err, atEnd(ctx))
	}
	return err
}

// jobFlags holds the flags and the quantity of a job.
type jobFlags struct {
	quantity, lot, expires, sku, key, reason string
	serials, damagedSerials                  []string
	damaged                                  int64
	insist, swap                             bool
	printed                                  bool // the result is printed
}

// newJob returns the job that the flags describe. It generates a key if none is given.
// command identifies the job, so that a key is not used for two.
func (g *jobFlags) newJob(at cliContext, ref, command string) (*submit.Job, error) {
	job := &submit.Job{Site: at.site, Ref: ref, SKU: g.sku, Key: g.key, MayBeBooked: g.key != "", Insist: g.insist, Swap: g.swap,
		Count: count.Count{Lot: g.lot, Serials: g.serials, Damaged: g.damaged, DamagedSerials: g.damagedSerials}}
	switch n, err := parseCount(g.quantity); {
	case g.swap && g.lot == "":
		return nil, usageErrorf("--swap needs --lot: the lot to take instead")
	case g.quantity == "all":
		job.All = true
	case g.quantity == "" && len(g.serials) > 0:
	case strings.ContainsAny(g.quantity, "+-="): // a stock change: its command parses the sign
	case err != nil || n < 1:
		return nil, usageErrorf("the quantity must be 1 or more, or all, not %q", g.quantity)
	default:
		job.Count.Quantity = n
	}
	if g.expires != "" {
		day, err := time.Parse(time.DateOnly, g.expires)
		if err != nil {
			return nil, usageErrorf("--expires must be a day like 2027-03-31, not %q", g.expires)
		}
		job.Count.ExpiresAt = day
	}
	sent := filestore.Requests{Dir: filepath.Join(config.StateHome(), "sent"), Source: at.cfg.Source(), Command: command}
	if job.Key == "" {
		job.Key = api.NewKey()
	} else if err := sent.Load(job); err != nil {
		var used *filestore.KeyUsedError
		if errors.As(err, &used) {
			return nil, usageErrorf("the key %s was used for another command (%s): use a new key", used.Key, used.Command)
		}
		return nil, err
	}
	job.Save = func(p *submit.Submission) error { return sent.Save(job.Key, p) }
	return job, nil
}

// parseCount parses a whole number, with or without thousands separators.
func parseCount(text string) (n int64, err error) {
	_, err = fmt.Sscanf(strings.ReplaceAll(text, ",", "")+" .", "%d .", &n)
	return n, err
}

// run runs a job and prints its result.
func (g *jobFlags) run(cmd *cobra.Command, ref string, fn func(context.Context, *submit.Job) (submit.JobResult, error)) error {
	command := g.commandLine(cmd, ref)
	err := withSite(cmd, func(ctx context.Context, at cliContext) error {
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
		if saved := at.savedBy(job, &done); saved != nil {
			if waits, err = saved.await(ctx); err != nil {
				return err
			}
			*at.atEnd = func(ctx context.Context) error { return saved.finish(ctx, cmd.ErrOrStderr()) }
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
			result.Words = "Saved at risk. The service accepted it."
		default:
			result.Words = done.Done
		}
		words := result.Words
		if done.Replayed {
			words += " (already done with this key)"
		}
		asJSON, _ := cmd.Flags().GetBool("json")
		g.printed = true
		return printResult(cmd, asJSON, result, words)
	})
	return g.fail(cmd, err)
}

// commandLine returns the command with the flags that identify the job.
func (g *jobFlags) commandLine(cmd *cobra.Command, ref string) string {
	parts := []string{cmd.Name(), ref, g.quantity}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "key", "json", "force", "data", "store", "url", "org", "env", "demo", "location", "operator", "allow-plain":
		default:
			parts = append(parts, "--"+f.Name, f.Value.String())
		}
	})
	return strings.Join(parts, " ")
}

// fail turns a job's error into one with an exit status and, with --json, prints it.
func (g *jobFlags) fail(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	status := statusOf(err)
	if status == statusUsage {
		return err
	}
	text := errorText(err)
	if cmd.Flags().Lookup("swap") != nil {
		text += lotAdvice(err)
	}
	if isRefusedWork(err) {
		text += " It is kept as failed: see 'bincard outbox list'."
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON && !g.printed {
		var e *api.Error
		result := struct {
			Done   bool        `json:"done"`
			Unsure bool        `json:"unsure"`
			Words  string      `json:"words"`
			Key    string      `json:"key,omitzero"`
			Code   api.Code    `json:"code"`
			Detail api.Details `json:"details,omitzero"`
		}{Unsure: status == statusUnknown, Words: text, Key: g.key, Code: errorCode(err)}
		if errors.As(err, &e) {
			result.Detail = e.Details
		}
		if printed := printResult(cmd, true, result, ""); printed != nil {
			return printed
		}
	}
	if e := api.AsError(err); e.Details["insist"] == true {
		text += " If the items have already moved, repeat the command with --force to save it at risk; the service decides."
	}
	if status == statusUnknown && g.key != "" {
		text += " The key is " + g.key + "."
	}
	return &statusError{status, errors.New(text)}
}

// register adds the flags that all jobs have.
func (g *jobFlags) register(cmd *cobra.Command) {
	siteFlags(cmd)
	f := cmd.Flags()
	locationFlag(f, "the location's code, if a reference does not name it")
	f.StringVar(&g.key, "key", "", "the idempotency key, to repeat the command safely; generated and printed if omitted")
	f.BoolVar(&g.insist, "force", false, "offline: save the operation even though the local ledger rejects it, because the items have already moved")
	f.StringVar(&g.lot, "lot", "", "the lot")
	f.StringSliceVar(&g.serials, "serial", nil, "a serial number; may be repeated")
}

// openTerminal opens the terminal on a route.
func openTerminal(cmd *cobra.Command, route string) error {
	cfg, err := config.Read()
	if err != nil {
		return err
	}
	if err := overlay(&cfg, cmd); err != nil {
		return err
	}
	cfg.Demo, _ = cmd.Flags().GetBool("demo")
	overlayOffline(&cfg, cmd)
	return terminal(cmd.Context(), cfg, []string{route}, cmd.OutOrStdout())
}
