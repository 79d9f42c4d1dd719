package connect

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/manage"
	"bincard/offline/host"
	"bincard/server/api"
	"bincard/server/demo"
	"bincard/tui/i18n"
	"bincard/views/session"
	"bincard/views/status"
)

// jobTimeout limits the duration of a job.
const jobTimeout = 30 * time.Second

// SiteFlags adds the flags that select where a job runs.
func SiteFlags(cmd *cobra.Command) {
	CompanyFlags(cmd)
	DemoFlag(cmd)
	cmd.Flags().Bool("json", false, "print JSON")
	cmd.Flags().Bool(
		"offline",
		false,
		"save the operation on this machine while the service cannot be reached, and sync it later",
	)
}

// DemoFlag adds the flag for the demo.
func DemoFlag(cmd *cobra.Command) { cmd.Flags().Bool("demo", false, "use the demo warehouse") }

// A Connection is what a command runs on.
type Connection struct {
	Config  config.Config
	Service api.Service
	Site    *session.Site
	Now     func() time.Time
	Node    *host.Shared // nil without --offline
	// AtEnd is what to do after the node has had time to sync.
	AtEnd *func(context.Context) error
}

// translator returns the translator of a job's result or error.
func translator(cfg config.Config) *i18n.Translator {
	t, _, _ := cfg.Translator(cfg.OperatorName(), os.Environ())
	return t
}

// ErrNotSetUp is the error of WithSite without a ledger or service.
var ErrNotSetUp = errors.New(
	"no ledger or service is set up: use --data or --store for a ledger, --url for a service, or --demo")

// WithSite runs fn on the configured ledger or service, at the configured location.
func WithSite(cmd *cobra.Command, fn func(ctx context.Context, at Connection) error) (err error) {
	cfg, err := config.Read()
	if err != nil {
		return err
	}
	if err := overlayLedger(&cfg, cmd); err != nil {
		return err
	}

	cfg.Demo, _ = cmd.Flags().GetBool("demo")
	if !cfg.Demo && cfg.URL == "" && cfg.Store == "" && cfg.Data != "" {
		if err := manage.RequireLedger(cfg.Data); err != nil {
			return err
		}
	}

	OverlayOffline(&cfg, cmd)
	cfg.JoinNode = true
	if cfg.Demo { // making it may take longer than a job
		if err := demo.Make(cmd.Context(), cfg.DemoDir(), cli.ClockNow()); err != nil {
			return err
		}
	}

	ctx, cancel := context.WithTimeout(cmd.Context(), jobTimeout)
	defer cancel()
	b, err := Open(ctx, cfg)
	switch {
	case err != nil:
		return err
	case b == nil:
		return ErrNotSetUp
	}

	defer func() { err = errors.Join(err, b.Close()) }()
	site := session.NewSite(
		session.Options{Service: b.Service, Translator: translator(cfg), Operator: cfg.OperatorName(),
			Now: b.Clock.Now},
	)
	if location, ok := status.InitialLocation(ctx, site, cfg.LocationCode()); ok {
		site.SetLocation(location)
	}

	atEnd := func(context.Context) error { return nil }
	if err = fn(ctx, Connection{cfg, b.Service, site, b.Clock.Now, b.Node, &atEnd}); b.Node != nil {
		b.Node.AwaitSync(ctx)
		err = errors.Join(err, atEnd(ctx))
	}

	return err
}

// SavedHere says that work waits in the node of this machine.
const SavedHere = "Saved here. It is sent when bincard runs next or the edge is up."
