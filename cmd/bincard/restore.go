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
		Short: "Verify and restore a backup of a ledger",
		Long: `Restore a backup to a data directory that is empty or does not exist; nothing is
ever overwritten. The backup is verified first, page by page and entry by entry
as 'bincard verify' does.

Anything written after the backup is lost and must be entered again. Keys
revoked since then work again; revoke them again. Terminals and other readers of
the change feed notice and reload everything.`,
		Example: `  bincard restore /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("%s needs a backup file", cmd.CommandPath())
			}
			if err := requireFlags(cmd, "data"); err != nil {
				return err
			}
			told, done := showProgress(cmd.ErrOrStderr())
			defer done()
			err := archive.Restore(cmd.Context(), args[0], dir, verifyInProcess, told)
			done()
			if cmd.Context().Err() != nil {
				return errors.New("stopped; nothing was restored")
			}
			if err != nil {
				return err
			}
			return printResult(cmd, asJSON, map[string]any{"file": args[0], "data": dir},
				fmt.Sprintf("Restored %s to %s; everything adds up.", args[0], dir))
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
