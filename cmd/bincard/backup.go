package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bincard/server/admin"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
)

// backupCommand backs up the ledger in a data directory to a file.
func backupCommand() *cobra.Command {
	var place ledgerPlace
	var asJSON, unproven bool
	cmd := &cobra.Command{
		Use:   "backup FILE --data DIR",
		Short: "Back up a ledger to one file, even while it is in use",
		Long: `Back up the ledger in a data directory to one new file. The file appears only
when it is complete and verified. The ledger may be in use: the service or
terminal that has it open writes a consistent copy and keeps working. A service
can also make backups by itself; see --backup-dir of 'bincard serve'.

The copy is verified first, page by page and entry by entry as 'bincard verify'
does, which temporarily needs the same space again beside it. --unproven skips
this; 'bincard restore' verifies the copy later.

The last line is the head of the copy; see 'bincard help verify'. Keep it apart
from the file: 'bincard restore --head' then proves that the file is the same.

The file contains everything, including the key digests. Keep it where only you
can read it. 'bincard restore' restores it.`,
		Example: `  bincard backup /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("%s needs a file to write", cmd.CommandPath())
			}
			if err := place.require(cmd); err != nil {
				return err
			}
			var heads []audit.Head
			verify := keepHeads(&heads, audit.Head{})
			if unproven {
				verify = nil
			}
			ctx := cmd.Context()
			progress, done := showProgress(cmd.ErrOrStderr())
			defer done()
			return withExistingLedger(ctx, &place, func(a admin.Admin) error {
				write := func(w io.Writer) error { return a.Backup(ctx, w, progress) }
				size, err := archive.WriteFile(ctx, args[0], write, verify, progress)
				done()
				if ctx.Err() != nil {
					return errors.New("stopped; the partial copy was removed")
				}
				if err != nil {
					return err
				}
				words := "; everything adds up."
				if unproven {
					words = ", not verified."
				}
				return printResult(cmd, asJSON, map[string]any{"file": args[0], "bytes": size, "proven": !unproven, "heads": heads},
					fmt.Sprintf("Copied %s to %s (%d bytes)%s", place.name, args[0], size, words)+formatHeads(heads))
			})
		},
	}
	ledgerFlags(cmd, &place)
	cmd.Flags().BoolVar(&unproven, "unproven", false, "do not verify the copy; 'bincard restore' will")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// restoreCommand restores a backup to a data directory.
func restoreCommand() *cobra.Command {
	var place ledgerPlace
	var head string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restore FILE --data DIR",
		Short: "Verify and restore a backup of a ledger",
		Long: `Restore a backup to a data directory that is empty or does not exist; nothing is
ever overwritten. The backup is verified first, page by page and entry by entry
as 'bincard verify' does.

The last line is the head of the ledger. With --head it is restored only if that
head, which you kept, is part of its history; see 'bincard help verify'.

Anything written after the backup is lost and must be entered again. Keys
revoked since then work again; revoke them again. Terminals and other readers of
the change feed notice and reload everything.`,
		Example: `  bincard restore /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("%s needs a backup file", cmd.CommandPath())
			}
			if err := place.require(cmd); err != nil {
				return err
			}
			kept, err := parseHead(head)
			if err != nil {
				return err
			}
			var heads []audit.Head
			progress, done := showProgress(cmd.ErrOrStderr())
			defer done()
			err = archive.Restore(cmd.Context(), args[0], place.dir, keepHeads(&heads, kept), progress)
			done()
			if cmd.Context().Err() != nil {
				return errors.New("stopped; nothing was restored")
			}
			if err != nil {
				return err
			}
			return printResult(cmd, asJSON, map[string]any{"file": args[0], "data": place.name, "heads": heads},
				fmt.Sprintf("Restored %s to %s; everything adds up.", args[0], place.name)+formatHeads(heads))
		},
	}
	ledgerFlags(cmd, &place)
	cmd.Flags().StringVar(&head, "head", "", "a head that you kept, NUMBER:HASH, which must be part of the history")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
