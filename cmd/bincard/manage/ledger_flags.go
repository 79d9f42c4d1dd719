package manage

import (
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server"
	"bincard/server/store"
	"bincard/server/store/pgstore"
)

// StoreUsage describes --store. Its default is not shown, because it may have a password.
const StoreUsage = "the `URL` of a PostgreSQL database with the ledger, instead of --data; see BINCARD_STORE"

// A LedgerPlace is where a ledger is: a data directory or a database.
type LedgerPlace struct {
	Dir      string
	Database string // its URL; empty for a data directory
	// Name is the directory, or the URL without its password.
	Name string
	// flags are the flags that select it in another command, after a space; empty if the
	// environment does.
	flags string
}

// Config returns the configuration of a server there.
func (p *LedgerPlace) Config() server.Config {
	return cli.WithClock(server.Config{Dir: p.Dir, Database: p.Database})
}

// LedgerFlags adds the flags that select a ledger to cmd.
func LedgerFlags(cmd *cobra.Command, p *LedgerPlace) {
	cmd.Flags().StringVar(&p.Dir, "data", cli.GetenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().StringVar(&p.Database, "store", "", StoreUsage)
}

// Require completes what ledgerFlags parsed. It returns an error unless they select one
// ledger and the flags are given.
func (p *LedgerPlace) Require(cmd *cobra.Command, flags ...string) error {
	data, database := cmd.Flag("data"), cmd.Flag("store")
	fromEnv := os.Getenv("BINCARD_STORE")
	switch {
	case data.Changed && database.Changed:
		return ErrTwoLedgers
	case database.Changed:
		p.Dir = ""
	case !data.Changed && fromEnv != "" && p.Dir != "":
		return cli.UsageErrorf(
			"BINCARD_DATA and BINCARD_STORE are both set; unset one of them, or give --data or --store",
		)
	case !data.Changed:
		p.Database = fromEnv
	}

	if p.Database != "" {
		var err error
		if p.Name, err = PublicStore(p.Database, database.Changed); err != nil {
			return err
		}
		if database.Changed {
			p.flags = storeFlag(p.Name)
		}
		return cli.RequireFlags(cmd, flags...)
	}

	if p.Dir == "" {
		return cli.UsageErrorf("%s needs --data or --store", cmd.CommandPath())
	}

	p.Name, p.flags = p.Dir, " --data "+p.Dir

	return cli.RequireFlags(cmd, flags...)
}

// storeFlag returns --store for a command that people copy to a shell.
func storeFlag(name string) string { return " --store '" + strings.ReplaceAll(name, "'", "%27") + "'" }

// ErrTwoLedgers is the error for both --data and --store.
var ErrTwoLedgers = cli.UsageErrorf(
	"--data is for a ledger in a directory and --store for one in a database; give one of them")

// PublicStore returns a database's URL without its password. It returns an error for a
// password in a flag.
func PublicStore(url string, flag bool) (string, error) {
	public, password, err := pgstore.WithoutPassword(url)
	switch {
	case err != nil:
		return "", &cli.UsageError{Err: err}
	case password && flag:
		return "", cli.UsageErrorf(
			"the URL has a password, which other users of this machine can see; set BINCARD_STORE to the URL instead, or PGPASSWORD to the password",
		)
	}

	return public, nil
}

// OpenError returns an error of opening a ledger with its exit status.
func OpenError(err error) error {
	var url *pgstore.URLError
	switch {
	case errors.As(err, &url):
		return &cli.UsageError{Err: err}
	case errors.Is(err, store.ErrUnavailable):
		return &cli.StatusError{Status: cli.StatusUnknown, Err: err}
	}

	return err
}
