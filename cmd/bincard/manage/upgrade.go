package manage

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server"
	"bincard/server/ledger"
)

// UpgradeCommand records the format of this version in a ledger.
func UpgradeCommand() *cobra.Command {
	var place LedgerPlace
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "upgrade --data DIR|--store URL",
		Short: "Upgrade a ledger to the format of this version",
		Long: `Upgrade a ledger that an earlier Bincard wrote to the format of this version. An
earlier Bincard cannot read the ledger afterwards; to be able to go back, make a
backup first.

Without it, the first change by a service, a terminal or a command does the
same. Commands that only read change nothing. The ledger must not be in use.`,
		Example: `  bincard backup /backup/before.db --data /var/lib/bincard
  bincard upgrade --data /var/lib/bincard`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place.Require(cmd); err != nil {
				return err
			}
			if place.Database == "" {
				if err := RequireLedger(place.Dir); err != nil {
					return err
				}
			}

			cfg := place.Config()
			cfg.Passive = true
			s, err := server.Open(cfg)
			if err != nil {
				return OpenError(err)
			}

			before, err := s.Ledger.Upgrade(cmd.Context())
			if err = errors.Join(err, s.Close()); err != nil {
				return OpenError(err)
			}

			words := fmt.Sprintf("%s has format %d already; nothing was changed.", place.Name, before)
			if before != ledger.Format {
				words = fmt.Sprintf(
					"Upgraded %s from format %d to %d. Earlier versions of Bincard cannot read it any more.",
					place.Name, before, ledger.Format)
			}

			return cli.PrintResult(cmd, asJSON,
				map[string]any{"data": place.Name, "before": before, "format": ledger.Format}, words)
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}
