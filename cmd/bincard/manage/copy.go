package manage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/archive"
	"bincard/server/local"
)

// CopyCommand copies a ledger between a data directory and a database.
func CopyCommand() *cobra.Command {
	var from, to string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "copy --from DIR|URL --to DIR|URL",
		Short: "Copy a ledger from a data directory to a database, or back",
		Long: `Copy a ledger from a data directory to a PostgreSQL database, or back. Nothing
changes for its users: keys, plans, answers, replays, cursors and heads stay the
same. Stop the services and terminals on the ledger first.

The ledger is verified, and every row of the copy is compared with it; until
then nothing opens the copy. The target must be empty. Repeat an interrupted
copy to finish it. The source is not changed; stop using it when the copy is
done.

If BINCARD_STORE is set, --from or --to may be omitted; see 'bincard help
database'.`,
		Example: `  bincard copy --from /var/lib/bincard \
      --to postgres://bincard@db.example.com/bincard
  BINCARD_STORE=postgres://bincard:PASSWORD@db.example.com/bincard \
      bincard copy --from /var/lib/bincard`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			source, target, err := copyPlaces(from, to)
			if err != nil {
				return err
			}
			if source.Dir != "" {
				if err := RequireLedger(source.Dir); err != nil {
					return err
				}
			}

			ctx := cmd.Context()
			for _, place := range []archive.Place{source, target} {
				if place.Dir != "" && local.Running(ctx, place.Dir) { // before a long verification
					return &cli.StatusError{
						Status: cli.StatusUnknown,
						Err: fmt.Errorf("%s is in use. Stop the services and terminals on it, then repeat the command",
							place.Dir),
					}
				}
			}

			progress, done := showProgress(cmd.ErrOrStderr())
			defer done()
			result, err := archive.Copy(ctx, source, target, cli.ClockNow(), VerifyInProcess, progress)
			done()
			if ctx.Err() != nil {
				return errors.New("stopped; repeat the command to continue")
			}
			if err != nil {
				return OpenError(err)
			}

			resumed := ""
			if result.Resumed {
				resumed = ", continued from an earlier run"
			}

			return cli.PrintResult(cmd, asJSON, result, fmt.Sprintf("Copied %s to %s (%s, %d bytes%s).\n%s%s",
				source.Name, target.Name, cli.Plural(int(result.Rows), "row"), result.Bytes, resumed,
				formatProof(result.Proof), formatHeads(result.Proof.Heads)))
		},
	}

	cmd.Flags().StringVar(&from, "from", "", "the data directory or the `URL` of the database to copy")
	cmd.Flags().StringVar(&to, "to", "", "the data directory or the `URL` of the database to copy to")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// copyPlaces returns the source and the target of a copy.
func copyPlaces(from, to string) (source, target archive.Place, err error) {
	fromEnv := os.Getenv("BINCARD_STORE")
	if from == "" && to == "" || fromEnv == "" && (from == "" || to == "") {
		return source, target, cli.UsageErrorf("bincard copy needs --from and --to, or one of them and BINCARD_STORE")
	}

	for _, x := range []struct {
		text string
		to   *archive.Place
	}{{from, &source}, {to, &target}} {
		given := x.text != ""
		switch {
		case !given:
			x.to.Database = fromEnv
		case strings.Contains(x.text, "://"):
			x.to.Database = x.text
		default:
			x.to.Dir = x.text
			if x.to.Name, err = filepath.Abs(x.text); err != nil {
				return source, target, err
			}
			continue
		}

		if x.to.Name, err = PublicStore(x.to.Database, given); err != nil {
			return source, target, err
		}
	}

	if source.Name == target.Name {
		return source, target, cli.UsageErrorf("--from and --to are the same ledger")
	}

	return source, target, nil
}
