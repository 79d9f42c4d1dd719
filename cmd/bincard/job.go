package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bincard/server/api"
	"bincard/views/dock"
	"bincard/views/filestore"
	"bincard/views/status"
)

// The exit statuses of commands that do a job, beside 0 for done.
const (
	statusRefused = 1
	statusUsage   = 2
	statusUnknown = 3
	statusAlarm   = 4 // of status: something needs attention
)

// exitHelp documents the exit status for scripts.
const exitHelp = `

The exit status is 0 on success (also if the key was applied before), 1 if the
request is rejected, 2 for incorrect usage, and 3 if the service cannot be reached
or does not answer. After 3, repeat the command with the printed key: it is
applied only once.`

// A statusError ends the program with its own exit status.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// statusOf is the exit status for a job's error.
func statusOf(err error) int {
	var usage *usageError
	var unsure *dock.UnknownOutcomeError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return statusUsage
	case errors.As(err, &unsure), api.HasCode(err, api.Unavailable), errors.Is(err, context.DeadlineExceeded):
		return statusUnknown
	}
	return statusRefused
}

// jobTimeout is how long a job may take in all.
const jobTimeout = 30 * time.Second

// siteFlags adds the flags that say where a job is done, as for the terminal.
func siteFlags(cmd *cobra.Command) {
	companyFlags(cmd)
	cmd.Flags().Bool("demo", false, "use the demo warehouse")
	cmd.Flags().String("place", "", "the location's code, if a reference does not name it")
	cmd.Flags().Bool("json", false, "print JSON")
	cmd.Flags().Bool("offline", false, "save the operation on this machine while the service cannot be reached, and sync it later")
}

// A cliContext has what a job works on.
type cliContext struct {
	cfg  config
	svc  api.Service
	site *dock.Site
	now  func() time.Time
}

// withSite runs fn on the ledger or service and location of the configuration.
func withSite(cmd *cobra.Command, fn func(ctx context.Context, at cliContext) error) (err error) {
	cfg, err := readConfig()
	if err != nil {
		return err
	}
	if err := cfg.overlayLedger(cmd); err != nil {
		return err
	}
	cfg.demo, _ = cmd.Flags().GetBool("demo")
	if !cfg.demo && cfg.URL == "" && cfg.Data != "" {
		if err := requireLedger(cfg.Data); err != nil {
			return err
		}
	}
	cfg.overlayOffline(cmd)
	cfg.joinNode = true
	ctx, cancel := context.WithTimeout(cmd.Context(), jobTimeout)
	defer cancel()
	l, err := connect(ctx, cfg)
	switch {
	case err != nil:
		return err
	case l == nil:
		return errors.New("no ledger or service is set up: use --data for a ledger, --url for a service, or --demo")
	}
	defer func() { err = errors.Join(err, l.close()) }()
	site := dock.NewSite(dock.Options{Service: l.service, Operator: cfg.operator(), Now: l.clock.Now})
	if place, ok := status.InitialLocation(ctx, site, cfg.locationCode()); ok {
		site.SetLocation(place)
	}
	if err = fn(ctx, cliContext{cfg, l.service, site, l.clock.Now}); l.node != nil {
		l.node.AwaitSync(ctx)
	}
	return err
}

// jobFlags holds a job's flags and quantity.
type jobFlags struct {
	quantity, lot, expires, sku, key, reason string
	serials, damagedSerials                  []string
	damaged                                  int64
	insist                                   bool
}

// newJob makes the job for these flags; it generates a key if there is none.
func (g *jobFlags) newJob(at cliContext, ref, what string) (*dock.Job, error) {
	e := &dock.Job{Site: at.site, Ref: ref, SKU: g.sku, Key: g.key, MayBeBooked: g.key != "", Insist: g.insist,
		Count: dock.Count{Lot: g.lot, Serials: g.serials, Damaged: g.damaged, DamagedSerials: g.damagedSerials}}
	switch n, err := parseCount(g.quantity); {
	case g.quantity == "all":
		e.All = true
	case g.quantity == "" && len(g.serials) > 0:
	case strings.ContainsAny(g.quantity, "+-="): // a change of stock, which is read by its command
	case err != nil || n < 1:
		return nil, usageErrorf("the quantity must be 1 or more, or all, not %q", g.quantity)
	default:
		e.Count.Quantity = n
	}
	if g.expires != "" {
		day, err := time.Parse(time.DateOnly, g.expires)
		if err != nil {
			return nil, usageErrorf("--expires must be a day like 2027-03-31, not %q", g.expires)
		}
		e.Count.ExpiresAt = day
	}
	sent := filestore.Requests{Dir: filepath.Join(stateHome(), "sent"), Source: at.cfg.sourceName(), Command: what}
	if e.Key == "" {
		e.Key = api.NewKey()
	} else if err := sent.Load(e); err != nil {
		var used *filestore.KeyUsedError
		if errors.As(err, &used) {
			return nil, usageErrorf("the key %s was used for another command (%s): use a new key", used.Key, used.Command)
		}
		return nil, err
	}
	e.Save = func(p *dock.Submission) error { return sent.Save(e.Key, p) }
	return e, nil
}

func parseCount(text string) (n int64, err error) {
	_, err = fmt.Sscanf(strings.ReplaceAll(text, ",", "")+" .", "%d .", &n)
	return n, err
}

// run runs a job and prints its result.
func (g *jobFlags) run(cmd *cobra.Command, ref string, fn func(context.Context, *dock.Job) (dock.JobResult, error)) error {
	what := g.commandLine(cmd, ref)
	err := withSite(cmd, func(ctx context.Context, at cliContext) error {
		e, err := g.newJob(at, ref, what)
		if err != nil {
			return err
		}
		if g.key == "" {
			g.key = e.Key
			fmt.Fprintln(cmd.ErrOrStderr(), "key", e.Key)
		}
		done, err := fn(ctx, e)
		if err != nil {
			return err
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
		}{true, done.Text, e.Key, done.Replayed, done.Unconfirmed || done.AtRisk, done.AtRisk, done.Outputs}
		words := done.Text
		if done.Replayed {
			words += " (already done with this key)"
		}
		asJSON, _ := cmd.Flags().GetBool("json")
		return printResult(cmd, asJSON, result, words)
	})
	return g.fail(cmd, err)
}

// commandLine is the command with its flags, to distinguish jobs.
func (g *jobFlags) commandLine(cmd *cobra.Command, ref string) string {
	parts := []string{cmd.Name(), ref, g.quantity}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "key", "json", "insist", "data", "url", "org", "env", "demo", "place", "operator":
		default:
			parts = append(parts, "--"+f.Name, f.Value.String())
		}
	})
	return strings.Join(parts, " ")
}

// fail reports to scripts why a job was not done.
func (g *jobFlags) fail(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	status := statusOf(err)
	if status == statusUsage {
		return err
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		var e *api.Error
		result := struct {
			Done   bool        `json:"done"`
			Unsure bool        `json:"unsure"`
			Words  string      `json:"words"`
			Key    string      `json:"key,omitzero"`
			Code   api.Code    `json:"code,omitzero"`
			Detail api.Details `json:"details,omitzero"`
		}{Unsure: status == statusUnknown, Words: errorText(err), Key: g.key}
		if errors.As(err, &e) {
			result.Code, result.Detail = e.Code, e.Details
		}
		if printed := printResult(cmd, true, result, ""); printed != nil {
			return printed
		}
	}
	text := errorText(err)
	if e := api.AsError(err); e.Details["insist"] == true {
		text += " If the items have already moved, repeat the command with --insist to save it at risk; the service decides."
	}
	if status == statusUnknown && g.key != "" {
		text += " The key is " + g.key + "."
	}
	return &statusError{status, errors.New(text)}
}

// keyHint matches a key of the terminal in a screen's message.
var keyHint = regexp.MustCompile(` \((F\d+|esc|enter|\+)\)`)

// errorText is an error's message without the keys of the terminal.
func errorText(err error) string {
	if api.HasCode(err, api.InternalError) {
		return errorSentence(err)
	}
	return keyHint.ReplaceAllString(dock.UserMessage(english, err), "")
}

// register adds the flags of a job on a document.
func (g *jobFlags) register(cmd *cobra.Command) {
	siteFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&g.key, "key", "", "the idempotency key, to repeat the command safely; generated and printed if omitted")
	f.BoolVar(&g.insist, "insist", false, "offline: save the operation even though the local ledger rejects it, because the items have already moved")
	f.StringVar(&g.lot, "lot", "", "the lot")
	f.StringSliceVar(&g.serials, "serial", nil, "a serial number; may be repeated")
}

// openTerminal opens the terminal on a route, as a command without arguments does.
func openTerminal(cmd *cobra.Command, route string) error {
	cfg, err := readConfig()
	if err != nil {
		return err
	}
	cfg.overlay(cmd)
	cfg.demo, _ = cmd.Flags().GetBool("demo")
	cfg.overlayOffline(cmd)
	return terminal(cmd.Context(), cfg, []string{route}, cmd.OutOrStdout())
}
