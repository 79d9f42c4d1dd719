package manage

import (
	"fmt"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/store/pgstore"
)

// StoreCommand manages the database of a ledger.
func StoreCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "store", Short: "Manage the PostgreSQL database of a ledger", Args: cli.AtMost(0),
		Long: `Manage the PostgreSQL database of a ledger. Commands that take --data take
--store URL instead, or BINCARD_STORE; any number of services can run on one
database.

Put passwords in BINCARD_STORE, PGPASSWORD or ~/.pgpass, not in --store:
other users of the machine can see the arguments of a process. See 'bincard help
service'.`}

	cmd.AddCommand(storeInitCommand(), storeStatusCommand())

	return cmd
}

// databaseOf returns the database that an argument, --store or BINCARD_STORE names.
func databaseOf(cmd *cobra.Command, args []string) (*LedgerPlace, error) {
	p := &LedgerPlace{Database: cli.GetenvOr("BINCARD_STORE", "")}
	given := len(args) > 0 || cmd.Flag("store").Changed
	switch {
	case len(args) > 0 && cmd.Flag("store").Changed:
		return nil, cli.UsageErrorf("the database is given twice: as an argument and with --store")
	case len(args) > 0:
		p.Database = args[0]
	case given:
		p.Database = cmd.Flag("store").Value.String()
	}

	if p.Database == "" {
		return nil, cli.UsageErrorf("%s needs the URL of a database, or BINCARD_STORE", cmd.CommandPath())
	}

	var err error
	if p.Name, err = PublicStore(p.Database, given); given {
		p.flags = storeFlag(p.Name)
	}

	return p, err
}

func storeInitCommand() *cobra.Command {
	var opts pgstore.InitOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "init [URL]",
		Short: "Create the tables of a ledger in a PostgreSQL database",
		Long: `Create the tables of a ledger in the schema "bincard" of a PostgreSQL database,
if they are missing. The role of the URL must be allowed to create a schema, and
owns the tables. 'bincard serve' does the same on its first start, if it may.
Repeating this is safe, also from several machines at once.

With --role, another role, which must exist, may read and write the rows
afterwards but not change the tables. Run the services with it.

With --citus, the tables are distributed by organization and environment, with
the extension Citus.`,
		Example: `  bincard store init postgres://owner@db.example.com/bincard --role bincard
  BINCARD_STORE=postgres://owner:PASSWORD@HOST/bincard bincard store init`,
		Args: cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			place, err := databaseOf(cmd, args)
			if err != nil {
				return err
			}

			created, err := pgstore.Init(cmd.Context(), place.Database, opts)
			if err != nil {
				return OpenError(err)
			}

			words := fmt.Sprintf("Created the tables in %s.", place.Name)
			if !created {
				words = fmt.Sprintf("The tables in %s exist.", place.Name)
			}
			if opts.Citus {
				words += " They are distributed."
			}
			if opts.Role != "" {
				words += fmt.Sprintf(" The role %s may read and write them.", opts.Role)
			}

			words += fmt.Sprintf("\nNext: bincard org create%s --name NAME", place.flags)

			return cli.PrintResult(cmd, asJSON,
				map[string]any{"store": place.Name, "created": created, "role": opts.Role, "citus": opts.Citus}, words)
		},
	}

	cmd.Flags().String("store", "", StoreUsage)
	cmd.Flags().StringVar(&opts.Role, "role", "", "a role that may read and write the rows")
	cmd.Flags().BoolVar(&opts.Citus, "citus", false, "distribute the tables with Citus")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

func storeStatusCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status [URL]",
		Short: "Show the database of a ledger",
		Args:  cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			place, err := databaseOf(cmd, args)
			if err != nil {
				return err
			}

			s, err := pgstore.Inspect(cmd.Context(), place.Database)
			if err != nil {
				return OpenError(err)
			}

			return cli.PrintResult(cmd, asJSON, s, formatStore(&s, place))
		},
	}

	cmd.Flags().String("store", "", StoreUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// formatStore formats the status of a database.
func formatStore(s *pgstore.Status, place *LedgerPlace) string {
	kind := "primary"
	if s.Standby {
		kind = "standby, which bincard cannot use"
	}

	words := fmt.Sprintf("Database %s, as the role %s\nPostgreSQL %s, %s", s.Database, s.Role, s.Server, kind)
	if s.Tables == 0 {
		return words + fmt.Sprintf("\nNo tables. Create them: bincard store init%s", place.flags)
	}

	return words + fmt.Sprintf("\nTables of version %d, %s, %.1f MB", s.Tables,
		cli.Plural(int(s.Partitions), "partition"), float64(s.Bytes)/1e6)
}
