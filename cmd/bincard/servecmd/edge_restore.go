package servecmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/offline/host"
)

// edgeRestoreCommand replaces the journal of an edge by its second copy.
func edgeRestoreCommand() *cobra.Command {
	var dir, mirror string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restore-journal --data DIR --mirror DIR",
		Short: "Replace a lost or damaged journal by its second copy",
		Long: `Replace the journal of an edge or an offline terminal by the second copy that
--mirror made, if that has more. Stop the edge first, and start it afterward.
The replaced file stays beside the journal. Operations that the service has
already applied are sent again with their keys and are not applied twice. On a
new disk, create the device keys again, and start the edge with a connection.`,
		Example: "  bincard edge restore-journal --data /var/lib/bincard --mirror /mnt/usb/bincard",
		Args:    cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.RequireFlags(cmd, "data", "mirror"); err != nil {
				return err
			}

			n, err := host.RestoreJournal(dir, mirror)
			if err != nil {
				return err
			}

			return cli.PrintResult(cmd, asJSON, map[string]any{"records": n},
				fmt.Sprintf("Restored %d records of the journal in %s. Start the edge again.", n, dir))
		},
	}

	cmd.Flags().StringVar(&dir, "data", cli.GetenvOr("BINCARD_DATA", ""), "the edge's data directory, which must exist")
	cmd.Flags().StringVar(&mirror, "mirror", "", "the directory of the second copy")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}
