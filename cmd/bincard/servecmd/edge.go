package servecmd

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bincard/apiclient"
	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/offline/host"
	"bincard/server/httpapi"
	"bincard/server/memory"
)

// EdgeCommand runs an edge: a site's own service in front of the company's.
func EdgeCommand() *cobra.Command {
	var e edgeService
	cmd := &cobra.Command{
		Use:   "edge --upstream URL --org ID --data DIR --addr HOST:PORT",
		Short: "Run a site's own service, which works offline",
		Long: `Run a service at a site, in front of the company's service. The site's terminals
use it like any service and keep working when the site's connection is down.
Each operation is saved on this machine's disk before it is acknowledged, and
reaches the service exactly once when there is a connection.

Only this program has a key for the service: from --key-file, BINCARD_KEY, the
systemd credential bincard-key, or the terminal's settings. A key that is
written to the file later is used without a restart, if it is one of the same
organization and environment. The terminals use keys that the edge issues with
'bincard edge key', each bound to the location where it is used. Operations that
failed or need a decision are resolved on the terminal that made them, with
'bincard outbox --edge DIR' on this machine, or over the network with a key that
is not bound to a location.

The TLS certificate is reloaded when its files change. Without TLS the edge
listens only on this machine, unless --allow-plain confirms that something in
front of it protects the connection.

--mirror keeps a second copy of the journal in a directory on another disk: each
operation is in both before it is acknowledged. If the mirror cannot be written,
the edge keeps working, status and /readyz report it, and the mirror is brought
up to date later. If the journal is missing, damaged or shorter than the mirror,
the edge does not start; see 'bincard edge restore-journal'.

--location limits the edge to locations of the site: it downloads their
balances, open documents, lots and serials, including transfers with one end
there, and all products. Work at other locations is rejected. When the locations
change, the data is downloaded again; operations must be synced before a
location is left out. A service other than Bincard's sends all data anyway. The
service itself limits a key of 'bincard key create --location WH-2', so that a
stolen edge can do nothing at other locations; the edge is then limited to WH-2
even without --location.

Answers for integrators: a write that an edge commits has the header
Bincard-Commit: edge. Final in it are the ids of documents. Not final are
movement ids, quantities before and after, versions and createdAt: the service
sets its own, and a repeat with the same key after the sync returns them. 202
means that the write is saved although the local ledger rejects it, because it
was sent with Bincard-Insist: true; the body has a warning instead of a result.
Do not send a 202 again with another key. GET /sync/work returns the state of
each write.

The exit status is 0 after SIGTERM or an interrupt, 1 if the edge cannot start
or fails, 2 for incorrect usage, and 3 if the service must answer first and does
not.`,
		Example: `  bincard edge --upstream https://stock.example.com --org ID \
      --key-file /etc/bincard/key --data /var/lib/bincard --addr :8080 \
      --tls-cert edge.pem --tls-key edge.key
  bincard edge key create --data /var/lib/bincard --location WH-2 --label scan-3`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.RequireFlags(cmd, "upstream", "org", "data", "addr"); err != nil {
				return err
			}
			if err := e.checkConnections(); err != nil {
				return err
			}
			return e.run(cmd)
		},
	}

	f := cmd.Flags()
	f.StringVar(&e.upstream, "upstream", cli.GetenvOr("BINCARD_URL", ""), "the service's URL")
	f.StringVar(&e.org, "org", cli.GetenvOr("BINCARD_ORG", ""), "the organization's ID")
	f.StringVar(&e.env, "env", cli.GetenvOr("BINCARD_ENV", ""),
		"live or test, if the key does not name its environment")
	f.StringVar(&e.dir, "data", cli.GetenvOr("BINCARD_DATA", ""),
		"the directory for the site's data, on a local disk of this machine")
	f.StringVar(&e.serve.Addr, "addr", "127.0.0.1:8080", "the address to listen on, as HOST:PORT")
	f.StringVar(&e.serve.CertFile, "tls-cert", "", "TLS certificate file (PEM)")
	f.StringVar(&e.serve.KeyFile, "tls-key", "", "TLS key file (PEM)")
	f.BoolVar(&e.serve.AllowPlain, "allow-plain", false,
		"allow HTTP without TLS on an address reachable from other machines")
	e.checkConnections = connectionFlags(cmd, &e.serve)
	f.IntVar(&e.rate, "rate", 20_000, "maximum requests per second for each device; -1 for no limit")
	f.StringVar(&e.label, "label", connect.MachineLabel(),
		"the site's name in the service's list, see 'bincard edge list'; the machine's name if omitted")
	f.BoolVar(&e.asJSON, "json", false, "print the address as JSON")
	upstreamPlainFlag(f, &e.plainUpstream)
	connect.KeyFileFlag(f)
	connect.MonthlyFlags(f)
	connect.MirrorFlag(f)
	f.StringArrayVar(&e.locations, "location", nil, connect.LocationsHelp)
	cmd.AddCommand(edgeKeyCommand(), edgeSetCommand(), edgeListCommand(), edgeRestoreCommand())

	return cmd
}

// An edgeService holds the flags of the edge command.
type edgeService struct {
	upstream, org, env string
	dir, label         string
	locations          []string
	rate               int
	plainUpstream      bool
	asJSON             bool
	serve              httpapi.ServeConfig
	checkConnections   func() error
}

func (e *edgeService) run(cmd *cobra.Command) error {
	ctx := cmd.Context()
	log := slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
	slog.SetDefault(log)
	org, err := uuid.Parse(e.org)
	if err != nil {
		return cli.UsageErrorf("--org must be an organization ID, not %q", e.org)
	}

	cfg := config.Config{Settings: config.Settings{URL: e.upstream, Organization: e.org, Environment: e.env}}
	cfg.KeyFile, _ = cmd.Flags().GetString("key-file")
	cfg.MonthlyRequests, _ = cmd.Flags().GetUint32(connect.MonthlyFlag)
	cfg.Mirror, _ = cmd.Flags().GetString("mirror")
	cfg.Mirror = cmp.Or(cfg.Mirror, os.Getenv("BINCARD_MIRROR"))
	cfg.AllowPlain = e.plainUpstream
	b, err := connectUpstream(cfg)
	switch {
	case err != nil:
		return err
	case b.Environment == "":
		if saved, ok := host.LoadAccess(e.dir); ok && saved.Organization.ID == org {
			b.Environment = saved.Environment
		} else if b.Environment, err = connect.ResolveEnvironment(ctx, cfg, b.Service); err != nil {
			return err
		}
	}

	memory.Manage(ctx)
	if e.serve.CertFile != "" {
		signal.Ignore(syscall.SIGHUP) // other servers reload certificates on SIGHUP; this one does so by itself
	}

	e.serve.Listening = func(addr net.Addr) {
		url := "http://" + addr.String()
		if e.serve.CertFile != "" {
			url = "https://" + addr.String()
		}
		_ = cli.PrintResult(cmd, e.asJSON, map[string]string{"url": url},
			fmt.Sprintf("Serving %s for %s on %s", e.dir, e.upstream, url))
	}

	up := connect.Upstream(cfg, e.dir, org, b)
	up.Label, up.Locations = e.label, e.locations

	return host.RunEdge(ctx, host.EdgeConfig{Upstream: up, Rate: e.rate, Serve: e.serve, Log: log})
}

// upstreamPlainFlag adds the flag that allows an edge's service without TLS. It is not
// --allow-plain, which allows the edge itself to be without TLS.
func upstreamPlainFlag(f *pflag.FlagSet, allow *bool) {
	f.BoolVar(allow, "allow-plain-upstream", connect.PlainAllowed(),
		"allow an http URL of the service, although the network can then read the API key")
}

// connectUpstream is connectRemote for an edge.
func connectUpstream(cfg config.Config) (*connect.Backend, error) {
	b, err := connect.ConnectRemote(cfg)
	if plain := (*apiclient.PlainError)(nil); errors.As(err, &plain) {
		return nil, fmt.Errorf(
			"%s is not encrypted: the network could read the API key; use https, or allow it with --allow-plain-upstream",
			plain.URL,
		)
	}

	return b, err
}
