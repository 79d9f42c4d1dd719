package manage

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/admin"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
)

// BackupCommand backs up the ledger in a data directory to a file.
func BackupCommand() *cobra.Command {
	var place LedgerPlace
	var asJSON, unproven bool
	cmd := &cobra.Command{
		Use:   "backup FILE --data DIR|--store URL",
		Short: "Back up a ledger to one file, even while it is in use",
		Long: `Back up the ledger in a data directory to one new file. The file appears only
when it is complete and verified. The ledger may be in use: the service or
terminal that has it open writes a consistent copy and keeps working. A service
can also make backups by itself; see --backup-dir of 'bincard serve'.

The backup of a ledger in a database is the same: one file, as of one point in
time, which can also be restored to a data directory. It temporarily needs its
space in the folder for temporary files, too.

The copy is verified first, page by page and entry by entry as 'bincard verify'
does, which temporarily needs the same space again beside it. --unproven skips
this; 'bincard restore' verifies the copy later.

The last line is the head of the copy; see 'bincard help verify'. Keep it apart
from the file: 'bincard restore --head' then proves that the file is the same.

The file contains everything, including the key digests. Keep it where only you
can read it. 'bincard restore' restores it.`,
		Example: `  bincard backup /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs a file to write", cmd.CommandPath())
			}
			if err := place.Require(cmd); err != nil {
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

				return cli.PrintResult(cmd, asJSON,
					map[string]any{"file": args[0], "bytes": size, "proven": !unproven, "heads": heads},
					fmt.Sprintf("Copied %s to %s (%d bytes)%s", place.Name, args[0], size, words)+formatHeads(heads))
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().BoolVar(&unproven, "unproven", false, "do not verify the copy; 'bincard restore' will")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// RestoreCommand restores a backup to a data directory.
func RestoreCommand() *cobra.Command {
	var place LedgerPlace
	var head string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restore FILE --data DIR|--store URL",
		Short: "Verify and restore a backup of a ledger",
		Long: `Restore a backup to a data directory that is empty or does not exist, or to an
empty database; nothing is ever overwritten. Repeat an interrupted restore to a
database. The backup is verified first, page by page and entry by entry as
'bincard verify' does.

The last line is the head of the ledger. With --head it is restored only if that
head, which you kept, is part of its history; see 'bincard help verify'.

Anything written after the backup is lost and must be entered again. Keys
revoked since then work again; revoke them again. Terminals and other readers of
the change feed notice and reload everything.`,
		Example: `  bincard restore /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs a backup file", cmd.CommandPath())
			}
			if err := place.Require(cmd); err != nil {
				return err
			}

			kept, err := parseHead(head)
			if err != nil {
				return err
			}

			var heads []audit.Head
			progress, done := showProgress(cmd.ErrOrStderr())
			defer done()
			verify := keepHeads(&heads, kept)
			if place.Database != "" {
				err = OpenError(archive.RestoreDatabase(cmd.Context(), args[0], place.Database, verify, progress))
			} else {
				err = archive.Restore(cmd.Context(), args[0], place.Dir, verify, progress)
			}

			done()
			switch {
			case cmd.Context().Err() != nil && place.Database != "":
				return errors.New("stopped; repeat the command to continue")
			case cmd.Context().Err() != nil:
				return errors.New("stopped; nothing was restored")
			}

			if err != nil {
				return err
			}

			return cli.PrintResult(cmd, asJSON, map[string]any{"file": args[0], "data": place.Name, "heads": heads},
				fmt.Sprintf("Restored %s to %s; everything adds up.", args[0], place.Name)+formatHeads(heads))
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&head, "head", "", "a head that you kept, NUMBER:HASH, which must be part of the history")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}
