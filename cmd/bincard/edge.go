package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"bincard/offline"
	"bincard/offline/edge"
	"bincard/server/api"
	"bincard/server/httpapi"
)

// edgeCommand runs a site's own service until it is stopped.
func edgeCommand() *cobra.Command {
	var e edgeService
	cmd := &cobra.Command{
		Use:   "edge --upstream URL --org ID --data DIR --addr HOST:PORT",
		Short: "Run a site's own service, which works offline",
		Long: `Run a service at a site, in front of the company's service. The site's terminals
use it like any service and keep working when the site's connection is down.
Each operation is saved on this machine's disk before it is acknowledged, and
reaches the service exactly once when there is a connection.

Only this program has a key for the service, from BINCARD_KEY or the terminal's
settings. The terminals use keys that the edge issues with 'bincard edge key',
each bound to the location where it is used. Operations that failed or need a
decision are resolved on the terminal that made them, with 'bincard outbox
--edge DIR' on this machine, or over the network with a key that is not bound to
a location.

The TLS certificate is reloaded when its files change. Without TLS the edge
listens only on this machine, unless --allow-plain confirms that something in
front of it protects the connection.`,
		Example: `  BINCARD_KEY=… bincard edge --upstream https://stock.example.com --org ID --data /var/lib/bincard --addr :8080 --tls-cert edge.pem --tls-key edge.key
  bincard edge key create --data /var/lib/bincard --location WH-2 --label scanner-3`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := requireFlags(cmd, "upstream", "org", "data", "addr"); err != nil {
				return err
			}
			return e.run(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.upstream, "upstream", getenvOr("BINCARD_URL", ""), "the service's URL")
	f.StringVar(&e.org, "org", getenvOr("BINCARD_ORG", ""), "the organization's ID")
	f.StringVar(&e.env, "env", getenvOr("BINCARD_ENV", ""), "live or test, if the key does not name its environment")
	f.StringVar(&e.dir, "data", getenvOr("BINCARD_DATA", ""), "the directory for the site's data, on a local disk of this machine")
	f.StringVar(&e.serve.Addr, "addr", "127.0.0.1:8080", "the address to listen on, as HOST:PORT")
	f.StringVar(&e.serve.CertFile, "tls-cert", "", "TLS certificate file (PEM)")
	f.StringVar(&e.serve.KeyFile, "tls-key", "", "TLS key file (PEM)")
	f.BoolVar(&e.serve.AllowPlain, "allow-plain", false, "allow HTTP without TLS on an address reachable from other machines")
	f.IntVar(&e.rate, "rate", 20_000, "maximum requests per second for each device; -1 for no limit")
	f.BoolVar(&e.asJSON, "json", false, "print the address as JSON")
	monthlyFlags(f)
	cmd.AddCommand(edgeKeyCommand())
	return cmd
}

// An edgeService is an edge as its flags tell it.
type edgeService struct {
	upstream, org, env string
	dir                string
	rate               int
	asJSON             bool
	serve              httpapi.ServeConfig
}

const (
	// edgeOpenTimeout is how long the start waits for a command that settles something
	// in the directory.
	edgeOpenTimeout = 5 * time.Second
	// accessInterval is how often an edge asks who it is, and by which rules it works.
	accessInterval = 10 * time.Minute
)

func (e *edgeService) run(cmd *cobra.Command) error {
	ctx := cmd.Context()
	log := slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
	slog.SetDefault(log)
	org, err := uuid.Parse(e.org)
	if err != nil {
		return usageErrorf("--org must be an organization ID, not %q", e.org)
	}
	cfg := config{URL: e.upstream, Organization: e.org, Environment: e.env}
	cfg.MonthlyRequests, _ = cmd.Flags().GetUint32(monthlyFlag)
	l, err := connectRemote(cfg)
	switch {
	case err != nil:
		return err
	case l.environment == "":
		if l.environment, err = resolveEnvironment(ctx, cfg, l.service); err != nil {
			return err
		}
	}
	access, missing, err := resolveAccess(ctx, l.service, e.dir, org, l.environment)
	switch {
	case err != nil:
		return err
	case isUnsupported(missing): // it has the documented operations alone, and they will do
		missing = nil
	case missing != nil:
		log.Warn("the service does not answer; starting with the saved data", "upstream", e.upstream, "error", missing)
	}
	relaxGC()
	w, err := e.open(ctx, cfg, access, l.service)
	if err != nil {
		return err
	}
	defer func() { _ = w.close() }() // told below, where nothing else failed
	for _, note := range w.notes {
		log.Warn(note)
	}
	devices, err := edge.OpenDevices(e.dir, w.caller, w.clock.Now)
	if err != nil {
		return err
	}
	site := edge.New(w.Node, w.caller, access)
	w.run(ctx)
	if missing == nil {
		first, cancel := context.WithTimeout(ctx, firstReadTimeout)
		w.awaitData(first)
		cancel()
	}
	w.serve(site, deviceAdminHandler(&localDeviceAdmin{devices: devices, node: w}))
	go e.refreshAccess(ctx, org, l, site)
	if e.serve.CertFile != "" {
		signal.Ignore(syscall.SIGHUP) // the usual word for reading certificates anew, which is done anyway
	}
	e.serve.Logger = log
	e.serve.Handler = httpapi.New(httpapi.Config{Service: site, Extra: api.NodeOperations(), AllowAcceptRisk: true, Authenticate: devices.Authenticate,
		Ready: readiness(w.Node), Logger: log, Rate: e.rate, Now: w.clock.Now, Collectors: []prometheus.Collector{edge.NewCollector(w.Node, w.clock.Now)}})
	e.serve.Listening = func(addr net.Addr) {
		url := "http://" + addr.String()
		if e.serve.CertFile != "" {
			url = "https://" + addr.String()
		}
		_ = printResult(cmd, e.asJSON, map[string]string{"url": url}, fmt.Sprintf("Serving %s for %s on %s", e.dir, e.upstream, url))
	}
	if err := httpapi.Serve(ctx, e.serve); err != nil {
		return err
	}
	return w.close()
}

// open opens the node. A command that is at work in the directory ends soon.
func (e *edgeService) open(ctx context.Context, cfg config, access api.Access, upstream api.Service) (*nodeHandle, error) {
	for late := time.Now().Add(edgeOpenTimeout); ; {
		w, err := openNode(ctx, cfg, e.dir, access, upstream)
		var taken *offline.LockedError
		if !errors.As(err, &taken) || time.Now().After(late) {
			return w, err
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// refreshAccess asks from time to time who the edge is to the service.
func (e *edgeService) refreshAccess(ctx context.Context, org api.ID, l *backend, site *edge.Service) {
	tick := time.NewTicker(accessInterval)
	defer tick.Stop()
	for {
		if access, missing, err := resolveAccess(ctx, l.service, e.dir, org, l.environment); err == nil && missing == nil {
			site.SetAccess(access)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// readiness reports whether a site can work, with warnings that need attention.
func readiness(n *offline.Node) func(context.Context) ([]string, error) {
	return func(context.Context) (warnings []string, err error) {
		if !n.Ready() {
			return nil, errors.New("no data from the service yet; an edge needs one connection to start")
		}
		s := n.Sync()
		if s.State != api.SyncOnline {
			words := fmt.Sprintf("connection to the service: %s", s.State)
			if s.Since != nil {
				words += " since " + s.Since.Format(time.RFC3339)
			}
			warnings = append(warnings, words)
		}
		if s.Why != nil {
			warnings = append(warnings, s.Why.Message)
		}
		if s.Refused+s.Held > 0 {
			warnings = append(warnings, fmt.Sprintf("%d operations failed or need a decision", s.Refused+s.Held))
		}
		for _, a := range s.Alarms {
			if a == api.AlarmLate && s.Oldest != nil {
				warnings = append(warnings, "the oldest operation has been waiting to sync since "+s.Oldest.Format(time.RFC3339))
			}
		}
		return append(warnings, s.Troubles...), nil
	}
}
