package connect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	_ "time/tzdata" // so that TZ works on a machine without zone files

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/manage"
	"bincard/offline/host"
	"bincard/server/api"
	"bincard/tui"
)

// KeyFileFlag adds the flag for the file of the API key.
func KeyFileFlag(f *pflag.FlagSet) {
	f.String("key-file", cli.GetenvOr("BINCARD_KEY_FILE", ""),
		"a `FILE` with the API key, instead of BINCARD_KEY; a key written to it later is used without a restart")
}

// PlainFlag adds the flag that allows a service's URL without TLS.
func PlainFlag(f *pflag.FlagSet) {
	f.Bool("allow-plain", false, "allow an http URL of another machine, although the network can then read the API key")
}

// CompanyFlags adds the flags that select a ledger or service and an organization.
func CompanyFlags(cmd *cobra.Command) {
	cmd.Flags().String("data", "", "the data directory of the local ledger")
	cmd.Flags().String("store", "", manage.StoreUsage)
	cmd.Flags().String("url", "", "the service's URL; the key comes from BINCARD_KEY or the terminal's settings")
	cmd.Flags().String("org", "", "the organization's ID, if there are several")
	cmd.Flags().String("env", "", "live (the default) or test, for a local ledger; a service's key sets its own")
	cmd.Flags().String("operator", "", "the operator's name")
	KeyFileFlag(cmd.Flags())
	PlainFlag(cmd.Flags())
}

// OverlayOffline sets node from --offline, or else from the settings file.
func OverlayOffline(c *config.Config, cmd *cobra.Command) {
	flag, _ := cmd.Flags().GetBool("offline")
	c.UseNode = c.URL != "" && (flag || c.Offline && !cmd.Flag("offline").Changed)
}

// LocationFlag adds the flag for the location, which also has its name of earlier versions.
func LocationFlag(f *pflag.FlagSet, usage string) {
	f.String("location", "", usage)
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(tui.CurrentName(name))
	})
}

// MirrorFlag adds the flag for the second copy of the offline work.
func MirrorFlag(f *pflag.FlagSet) {
	f.String("mirror", "",
		"a `DIR` on another disk for a second copy of the offline work; used again at later starts, none ends it")
}

// LocationsHelp says which values the flags of a node's locations take.
const LocationsHelp = "the `CODE` of a location of this site; only its data is downloaded and only its work is done here. Repeat it for several, * means all; used again at later starts"

// MonthlyFlag is the name of the flag for the service's monthly quota.
const MonthlyFlag = "monthly-requests"

// MonthlyFlags adds the flag for the service's monthly quota.
func MonthlyFlags(f *pflag.FlagSet) {
	f.Uint32(MonthlyFlag, 0, "the service's quota of `N` requests a month; up to a fifth is used to fetch changes")
}

// Overlay applies the environment and the flags on top of the file.
func Overlay(c *config.Config, cmd *cobra.Command) error {
	for _, x := range []struct {
		to        *string
		env, flag string
	}{
		{&c.URL, "BINCARD_URL", "url"}, {&c.Organization, "BINCARD_ORG", "org"}, {&c.Data, "BINCARD_DATA", "data"},
		{&c.Environment, "BINCARD_ENV", "env"}, {&c.Theme, "BINCARD_THEME", "theme"}, {&c.Operator, "BINCARD_OPERATOR", "operator"},
		{&c.Location, "BINCARD_PLACE", ""}, {&c.Location, "BINCARD_LOCATION", "location"},
		{&c.Mirror, "BINCARD_MIRROR", "mirror"},
	} {
		*x.to = cli.GetenvOr(x.env, *x.to)
		if f := cmd.Flag(x.flag); f != nil && f.Changed {
			*x.to = f.Value.String()
		}
	}

	c.KeyFile = os.Getenv("BINCARD_KEY_FILE")
	if f := cmd.Flag("key-file"); f != nil {
		c.KeyFile = f.Value.String()
	}
	if f := cmd.Flag("env"); f != nil && f.Changed {
		c.FlagEnvironment = f.Value.String()
	}

	c.AllowPlain = c.AllowPlain || PlainAllowed()
	if f := cmd.Flag("allow-plain"); f != nil && f.Changed {
		c.AllowPlain, _ = cmd.Flags().GetBool("allow-plain")
	}

	c.OfflineLocations, _ = cmd.Flags().GetStringArray("offline-location")
	if f := cmd.Flag(MonthlyFlag); f != nil && f.Changed {
		c.MonthlyRequests, _ = cmd.Flags().GetUint32(MonthlyFlag)
	}
	if f := cmd.Flag("data"); f != nil && f.Changed {
		c.URL = "" // --data has precedence over the file's service
	}

	return overlayStore(c, cmd)
}

// overlayStore applies BINCARD_STORE and --store. Like --data, they have precedence over the
// file's service.
func overlayStore(c *config.Config, cmd *cobra.Command) (err error) {
	changed := func(flag string) bool { f := cmd.Flag(flag); return f != nil && f.Changed }
	f := cmd.Flag("store")
	if f == nil {
		return nil
	}

	database := f.Value.String()
	switch {
	case f.Changed && changed("data"):
		return manage.ErrTwoLedgers
	case f.Changed && changed("url"):
		return cli.UsageErrorf("--store is for a ledger in a database and --url for a service; give one of them")
	case changed("data"), changed("url"), changed("demo"):
		return nil
	case !f.Changed:
		if database = os.Getenv("BINCARD_STORE"); database == "" {
			return nil
		}
		for _, other := range []string{"BINCARD_DATA", "BINCARD_URL"} {
			if os.Getenv(other) != "" {
				return cli.UsageErrorf("%s and BINCARD_STORE are both set; unset one of them", other)
			}
		}
	}

	c.Store, c.Data, c.URL = database, "", ""
	c.StoreName, err = manage.PublicStore(database, f.Changed)

	return err
}

// PlainAllowed reports whether the environment allows a service's URL without TLS.
func PlainAllowed() bool {
	allowed, err := strconv.ParseBool(os.Getenv("BINCARD_ALLOW_PLAIN"))
	return err == nil && allowed
}

// overlayLedger is overlay for commands that accept --data or --url, but not both.
func overlayLedger(c *config.Config, cmd *cobra.Command) error {
	if err := Overlay(c, cmd); err != nil || !cmd.Flag("url").Changed {
		return err
	}
	if cmd.Flag("data").Changed {
		return cli.UsageErrorf("--data is for a local ledger and --url for a service; give one of them")
	}
	c.Data = ""
	return nil
}

// WithCompany runs fn on the organization that the flags, the environment or the settings
// select.
func WithCompany(cmd *cobra.Command, fn func(api.Service) error) (err error) {
	cfg, err := config.Read()
	if err != nil {
		return err
	}
	if err := overlayLedger(&cfg, cmd); err != nil {
		return err
	}

	cfg.Demo, _ = cmd.Flags().GetBool("demo")
	if cmd.Flag("offline") != nil {
		OverlayOffline(&cfg, cmd)
		cfg.JoinNode = true
	}

	if cfg.URL == "" && cfg.Store == "" && !cfg.Demo {
		if _, err := os.Stat(cfg.LedgerDir()); err != nil {
			return fmt.Errorf(
				"there is no ledger in %s: set --data or --store, or BINCARD_URL, BINCARD_ORG and BINCARD_KEY for a service",
				cfg.LedgerDir(),
			)
		}
	}

	b, err := Open(cmd.Context(), cfg)
	if err != nil {
		return err
	}
	if b == nil {
		return fmt.Errorf("there is no organization in %s yet; create one: bincard org create --data %[1]s --name NAME",
			cfg.LedgerDir())
	}

	defer func() { err = errors.Join(err, b.Close()) }()
	if b.Node != nil {
		defer func() {
			b.Node.AwaitSync(cmd.Context())
			if own := b.Node.Own(); own != nil && own.Status().Waiting > 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), SavedHere)
			}
		}()
	}

	if b.Remote && cfg.Operator != "" {
		return fn(OperatorService{b.Service, cfg.Operator})
	}

	return fn(b.Service)
}

// An OperatorService sends the operator's name with each request.
type OperatorService struct {
	api.Service
	Operator string
}

// Do performs the operation in the operator's name.
func (s OperatorService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	r := *req
	r.Operator = s.Operator
	return s.Service.Do(ctx, &r)
}

// ClockOf returns the clock of svc if it has one, else the machine's.
func ClockOf(svc api.Service) host.Clock {
	if s, ok := svc.(OperatorService); ok {
		svc = s.Service
	}
	if t, ok := svc.(host.Clock); ok {
		return t
	}
	return cli.MachineClock{}
}
