package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"bincard/server"
	"bincard/server/archive"
	"bincard/server/store/boltstore"
)

// backupCommand copies the ledger in a data directory.
func backupCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "backup FILE --data DIR",
		Short: "Copy a ledger that nobody has open into one file",
		Long: `Copy the ledger in a data directory into one file, which is there whole or not
at all and must not be there yet. Nobody may have the ledger open; a service
that runs makes copies itself, see --backup-dir of 'bincard serve'.

The file holds everything, the digests of the keys too: keep it where only you
can read it. 'bincard restore' puts it back.`,
		Example: `  bincard backup /backup/bincard-2026-03-31.db --data /var/lib/bincard`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("%s needs a file to write", cmd.CommandPath())
			}
			if err := need(cmd, "data"); err != nil {
				return err
			}
			if _, err := os.Stat(filepath.Join(dir, boltstore.File)); err != nil {
				return fmt.Errorf("there is no ledger in %s: %w", dir, err)
			}
			return on(dir, func(s *server.Server) error {
				size, err := archive.Write(s.Store, args[0])
				if err != nil {
					return err
				}
				return answer(cmd, asJSON, map[string]any{"file": args[0], "bytes": size},
					fmt.Sprintf("Copied %s to %s (%d bytes)", dir, args[0], size))
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", envOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
