package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"bincard/server"
	"bincard/server/store"
	"bincard/server/store/pgstore"
)

// storeUsage describes --store. Its default is not shown, because it may have a password.
const storeUsage = "the `URL` of a PostgreSQL database with the ledger, instead of --data; see BINCARD_STORE"

// A ledgerPlace is where a ledger is: a data directory or a database.
type ledgerPlace struct {
	dir      string
	database string // its URL; empty for a data directory
	// name is the directory, or the URL without its password.
	name string
	// flags are the flags that select it in another command, after a space; empty if the
	// environment does.
	flags string
}

// config returns the configuration of a server there.
func (p *ledgerPlace) config() server.Config {
	return withClock(server.Config{Dir: p.dir, Database: p.database})
}

// ledgerFlags adds the flags that select a ledger to cmd.
func ledgerFlags(cmd *cobra.Command, p *ledgerPlace) {
	cmd.Flags().StringVar(&p.dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().StringVar(&p.database, "store", "", storeUsage)
}

// require completes what ledgerFlags parsed. It returns an error unless they select one
// ledger and the flags are given.
func (p *ledgerPlace) require(cmd *cobra.Command, flags ...string) error {
	data, database := cmd.Flag("data"), cmd.Flag("store")
	fromEnv := os.Getenv("BINCARD_STORE")
	switch {
	case data.Changed && database.Changed:
		return errTwoLedgers
	case database.Changed:
		p.dir = ""
	case !data.Changed && fromEnv != "" && p.dir != "":
		return usageErrorf("BINCARD_DATA and BINCARD_STORE are both set; unset one of them, or give --data or --store")
	case !data.Changed:
		p.database = fromEnv
	}
	if p.database != "" {
		var err error
		if p.name, err = publicStore(p.database, database.Changed); err != nil {
			return err
		}
		if database.Changed {
			p.flags = " --store " + p.name
		}
		return requireFlags(cmd, flags...)
	}
	if p.dir == "" {
		return usageErrorf("%s needs --data or --store", cmd.CommandPath())
	}
	p.name, p.flags = p.dir, " --data "+p.dir
	return requireFlags(cmd, flags...)
}

var errTwoLedgers = usageErrorf("--data is for a ledger in a directory and --store for one in a database; give one of them")

// publicStore returns a database's URL without its password. It returns an error for a
// password in a flag.
func publicStore(url string, flag bool) (string, error) {
	public, password, err := pgstore.WithoutPassword(url)
	switch {
	case err != nil:
		return "", &usageError{err}
	case password && flag:
		return "", usageErrorf("--store has a password, which other users of this machine can see; set BINCARD_STORE to the URL instead, or PGPASSWORD to the password")
	}
	return public, nil
}

// openError returns an error of opening a ledger with its exit status.
func openError(err error) error {
	var url *pgstore.URLError
	switch {
	case errors.As(err, &url):
		return &usageError{err}
	case errors.Is(err, store.ErrUnavailable):
		return &statusError{statusUnknown, err}
	}
	return err
}
