package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"bincard/server"
	"bincard/server/archive"
	"bincard/server/httpapi"
)

// serveCommand runs the service until it is told to end.
func serveCommand() *cobra.Command {
	var dir string
	var cfg httpapi.ServeConfig
	var asJSON bool
	var rate int
	var care maintenance
	cmd := &cobra.Command{
		Use:   "serve --data DIR --addr HOST:PORT",
		Short: "Run the service over HTTP",
		Long: `Run the service over HTTP on the ledger in a data directory, which is made
when it is not there. It ends when it is interrupted, after the requests under way.

A TLS certificate is read anew when its files change; no signal is needed, and
SIGHUP does nothing then. Without TLS it listens on this machine alone, unless --allow-plain says that
something in front of it keeps the line private.

With --backup-dir it copies the ledger there while it runs, each copy one file,
whole and consistent; 'bincard restore' puts one back. With --verify-every it
proves a copy of the ledger as 'bincard verify' does, in a process beside it, and
logs the outcome. For the while, a copy needs its space once more in the data
directory, and a proof twice.`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := requireFlags(cmd, "data", "addr"); err != nil {
				return err
			}
			if err := care.check(); err != nil {
				return err
			}
			relaxGC()
			log := slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
			s, err := openServer(server.Config{Dir: dir, Log: log, Rate: rate})
			if err != nil {
				return err
			}
			defer s.Close()
			archive.RemoveTempCopies(dir)
			desk, unshare := serveAdmin(s, dir, log)
			defer unshare()
			tired := care.start(cmd.Context(), s, desk, log)
			stop := func() { unshare(); tired() }
			defer stop()
			if cfg.CertFile != "" {
				signal.Ignore(syscall.SIGHUP) // the usual word for reading certificates anew, which is done anyway
			}
			cfg.Handler, cfg.Logger = s.Handler(), log
			cfg.Listening = func(addr net.Addr) {
				url := "http://" + addr.String()
				if cfg.CertFile != "" {
					url = "https://" + addr.String()
				}
				_ = printResult(cmd, asJSON, map[string]string{"url": url}, fmt.Sprintf("Serving %s on %s", dir, url))
			}
			if err := httpapi.Serve(cmd.Context(), cfg); err != nil {
				return err
			}
			stop()
			return s.Close()
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().StringVar(&cfg.Addr, "addr", "127.0.0.1:8080", "where to listen, as HOST:PORT")
	cmd.Flags().StringVar(&cfg.CertFile, "tls-cert", "", "certificate file (PEM)")
	cmd.Flags().StringVar(&cfg.KeyFile, "tls-key", "", "key file of the certificate (PEM)")
	cmd.Flags().BoolVar(&cfg.AllowPlain, "allow-plain", false, "allow HTTP without TLS on an address that others can reach")
	cmd.Flags().IntVar(&rate, "rate", 20_000, "most requests a second that one key may make; -1 for no limit")
	care.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the address as JSON")
	return cmd
}

// relaxGC lets garbage grow to four times what is in use before it is
// collected: the service keeps little in memory, the data being mapped from the
// file, and would spend a quarter of its time collecting. GOGC and GOMEMLIMIT
// hold where they are set.
func relaxGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
