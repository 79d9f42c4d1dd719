package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bincard/server/archive"
	"bincard/server/local"
)

// backupCommand copies the ledger in a data directory.
func backupCommand() *cobra.Command {
	var dir string
	var asJSON, unproven bool
	cmd := &cobra.Command{
		Use:   "backup FILE --data DIR",
		Short: "Copy a ledger into one file, while it is in use or not",
		Long: `Copy the ledger in a data directory into one file, which is there whole and
proven or not at all, and must not be there yet. The ledger may be in use: then
the service or the terminal that has it open hands the copy over, as of one
instant, and goes on meanwhile. A service makes copies by itself too, see
--backup-dir of 'bincard serve'.

The copy is proven before it is put in place, page by page and record by record
as 'bincard verify' does; for the while that takes its space once more beside
it. With --unproven it is not, and 'bincard restore' does it later.

The file holds everything, the digests of the keys too: keep it where only you
can read it. 'bincard restore' puts it back.`,
		Example: `  bincard backup /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("%s needs a file to write", cmd.CommandPath())
			}
			if err := requireFlags(cmd, "data"); err != nil {
				return err
			}
			prove := archive.Verifier(verifyInProcess)
			if unproven {
				prove = nil
			}
			ctx := cmd.Context()
			told, done := showProgress(cmd.ErrOrStderr())
			defer done()
			return withExistingLedger(ctx, dir, func(desk local.Admin) error {
				fill := func(w io.Writer) error { return desk.Backup(ctx, w, told) }
				size, err := archive.WriteFile(ctx, args[0], fill, prove, told)
				done()
				if ctx.Err() != nil {
					return errors.New("stopped; nothing of the copy is left")
				}
				if err != nil {
					return err
				}
				words := "; everything adds up."
				if unproven {
					words = ", unproven."
				}
				return printResult(cmd, asJSON, map[string]any{"file": args[0], "bytes": size, "proven": !unproven},
					fmt.Sprintf("Copied %s to %s (%d bytes)%s", dir, args[0], size, words))
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().BoolVar(&unproven, "unproven", false, "do not prove the copy; 'bincard restore' will")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
