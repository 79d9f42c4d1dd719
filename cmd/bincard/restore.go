package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bincard/server/archive"
)

// restoreCommand puts a copy of a ledger back.
func restoreCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restore FILE --data DIR",
		Short: "Put a copy of a ledger back, once it is proven",
		Long: `Put a copy of a ledger into a data directory, which must be empty or not there:
nothing is ever overwritten. The copy is proven first, page by page and record
by record as 'bincard verify' does, and only then put in place.

What was written after the copy was made is lost, and is to be entered again.
Keys that were revoked since work again: revoke them anew. Terminals and other
readers of the change feed notice, and read everything anew.`,
		Example: `  bincard restore /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("%s needs the file of a copy", cmd.CommandPath())
			}
			if err := requireFlags(cmd, "data"); err != nil {
				return err
			}
			told, done := showProgress(cmd.ErrOrStderr())
			defer done()
			err := archive.Restore(cmd.Context(), args[0], dir, verifyInProcess, told)
			done()
			if cmd.Context().Err() != nil {
				return errors.New("stopped; nothing was put in place")
			}
			if err != nil {
				return err
			}
			return printResult(cmd, asJSON, map[string]any{"file": args[0], "data": dir},
				fmt.Sprintf("Put %s back into %s; everything adds up.", args[0], dir))
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
