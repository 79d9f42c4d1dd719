package servecmd

import (
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/manage"
	"bincard/server"
	"bincard/server/admin"
	"bincard/server/archive"
	"bincard/server/httpapi"
	"bincard/server/memory"
)

// ServeCommand runs the service until it is stopped.
func ServeCommand() *cobra.Command {
	var place manage.LedgerPlace
	var cfg httpapi.ServeConfig
	var asJSON bool
	var limits server.Config
	var maintenance admin.Maintenance
	var inboxes serveInboxes
	var checks []func() error
	cmd := &cobra.Command{
		Use:   "serve --data DIR|--store URL --addr HOST:PORT",
		Short: "Run the service over HTTP",
		Long: `Run the service over HTTP on the ledger in a data directory, which is created if
needed. On an interrupt it finishes the requests in progress and stops.

With --store or BINCARD_STORE the ledger is in a PostgreSQL database, whose
tables are created if needed. Any number of services can run on one database,
and each answers for all organizations. See 'bincard help service'.

The TLS certificate is reloaded when its files change; no signal is needed, and
SIGHUP is ignored. Without TLS the service listens only on this machine, unless
--allow-plain confirms that something in front of it protects the connection.

Organizations share the service fairly: one does not hold up another. A
key that sends too much gets 429, an organization with too many requests in
progress 503, both with Retry-After.

With --admin-addr the health checks and metrics (/healthz, /readyz, /metrics)
have a listener of their own, which answers even when all connections are in
use. The other listener then does not show the metrics.

With --backup-dir it backs up the ledger while it runs, each backup one
complete, consistent file; 'bincard restore' restores one. With --verify-every
it verifies a copy of the ledger as 'bincard verify' does, in a separate
process, and logs the result. In the data directory, a backup temporarily needs
the ledger's space once more, and a verification twice more; with a database,
one of its services should do it, and they need the space in the directory for
temporary files.

With --inbox it imports the files that other systems put into a directory; see
'bincard help files'.`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place.Require(cmd, "addr"); err != nil {
				return err
			}
			if err := checkMaintenance(&maintenance); err != nil {
				return err
			}
			if cfg.LeaveDelay < 0 {
				return cli.UsageErrorf("--leave-delay must be 0 or more, not %s", cfg.LeaveDelay)
			}
			for _, check := range checks {
				if err := check(); err != nil {
					return err
				}
			}

			memory.Manage(cmd.Context())
			log := slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
			limits.Dir, limits.Database, limits.CreateTables, limits.Log = place.Dir, place.Database, true, log
			s, err := server.Open(cli.WithClock(limits))
			if err != nil {
				return manage.OpenError(err)
			}

			defer s.Close()
			var url atomic.Value
			a := admin.NewDirectAdmin(s, place.Name, manage.VerifyInProcess, log)
			stopAdmin := func() {}
			if place.Database == "" { // other commands use a database directly
				archive.RemoveTempCopies(place.Dir)
				stopAdmin = admin.Serve(place.Dir, a, func() admin.Owner {
					at, _ := url.Load().(string)
					return admin.Owner{URL: at}
				}, log)
			}

			defer stopAdmin()
			stopMaintenance := maintenance.Start(cmd.Context(), s, a, log)
			stopInboxes, err := inboxes.start(cmd.Context(), s, log)
			if err != nil {
				stopMaintenance()
				return err
			}

			stop := func() { stopInboxes(); stopAdmin(); stopMaintenance() }
			defer stop()
			if cfg.CertFile != "" {
				signal.Ignore(syscall.SIGHUP) // other servers reload certificates on SIGHUP; this one does so by itself
			}

			cfg.Handler, cfg.Logger = s.Handler(), log
			cfg.Listening = func(addr net.Addr) {
				at := "http://" + addr.String()
				if cfg.CertFile != "" {
					at = "https://" + addr.String()
				}
				url.Store(at)
				_ = cli.PrintResult(cmd, asJSON, map[string]string{"url": at},
					fmt.Sprintf("Serving %s on %s", place.Name, at))
			}

			if err := httpapi.Serve(cmd.Context(), cfg); err != nil {
				return err
			}

			stop()

			return s.Close()
		},
	}

	manage.LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&cfg.Addr, "addr", "127.0.0.1:8080", "the address to listen on, as HOST:PORT")
	cmd.Flags().StringVar(&cfg.CertFile, "tls-cert", "", "TLS certificate file (PEM)")
	cmd.Flags().StringVar(&cfg.KeyFile, "tls-key", "", "TLS key file (PEM)")
	cmd.Flags().BoolVar(&cfg.AllowPlain, "allow-plain", false,
		"allow HTTP without TLS on an address reachable from other machines")
	cmd.Flags().DurationVar(
		&cfg.LeaveDelay,
		"leave-delay",
		0,
		"on an interrupt, how long to still accept requests while /readyz fails, so that a load balancer chooses another service first",
	)

	cmd.Flags().IntVar(&limits.Rate, "rate", 20_000, "maximum requests per second for each key; -1 for no limit")
	checks = append(checks, connectionFlags(cmd, &cfg), inboxes.addFlags(cmd),
		longPollFlags(cmd, &limits.LongPollsPerOrg, &limits.LongPollsPerKey))
	maintenanceFlags(cmd, &maintenance)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the address as JSON")

	return cmd
}

// maintenanceFlags adds the flags for backups and verifications of a running service.
func maintenanceFlags(cmd *cobra.Command, m *admin.Maintenance) {
	cmd.Flags().StringVar(&m.BackupDir, "backup-dir", "", "the directory for backups made while the service runs")
	cmd.Flags().DurationVar(&m.BackupEvery, "backup-every", 24*time.Hour, "the time between backups")
	cmd.Flags().IntVar(&m.BackupKeep, "backup-keep", 14, "the number of backups to keep; 0 for all")
	cmd.Flags().DurationVar(&m.VerifyEvery, "verify-every", 0,
		"how often to verify the ledger while the service runs; 0 for never")
}

func checkMaintenance(m *admin.Maintenance) error {
	switch {
	case m.BackupEvery < time.Second:
		return cli.UsageErrorf("--backup-every must be at least 1s, not %s", m.BackupEvery)
	case m.BackupKeep < 0:
		return cli.UsageErrorf("--backup-keep must be 0 or more, not %d", m.BackupKeep)
	case m.VerifyEvery != 0 && m.VerifyEvery < time.Second:
		return cli.UsageErrorf("--verify-every must be at least 1s, or 0, not %s", m.VerifyEvery)
	}

	return nil
}
