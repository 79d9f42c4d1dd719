package servecmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/connect"
	"bincard/offline/host"
)

// edgeSetCommand changes what an edge has recorded about its service.
func edgeSetCommand() *cobra.Command {
	var dir, url string
	var asJSON, otherHistory, plain bool
	cmd := &cobra.Command{
		Use:   "set --data DIR --upstream URL",
		Short: "Change the address of the service, keeping the site's data",
		Long: `Record that the service of an edge has another address. Stop the edge first, and
start it with the new address afterward. All its data stays: pending operations,
device keys and what was downloaded. The service at the new address must accept
the key, for the same organization and environment, and have the same history:
it knows the last change that the edge has read. A service that was restored
from a backup may not; --other-history accepts that. The edge then downloads its
data and sends the work again that it lacks.`,
		Example: "  bincard edge set --data /var/lib/bincard \\\n      --upstream https://stock.example.org --key-file /etc/bincard/key",
		Args:    cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.RequireFlags(cmd, "data", "upstream"); err != nil {
				return err
			}

			access, ok := host.LoadAccess(dir)
			if !ok {
				return fmt.Errorf("there is no edge in %s; give the --data directory of 'bincard edge'", dir)
			}

			cfg := config.Config{
				Settings: config.Settings{
					URL:          url,
					Organization: access.Organization.ID.String(),
					Environment:  string(access.Environment),
				},
			}

			cfg.KeyFile, _ = cmd.Flags().GetString("key-file")
			cfg.AllowPlain = plain
			b, err := connectUpstream(cfg)
			if err != nil {
				return err
			}

			before, err := host.SetUpstream(
				cmd.Context(),
				host.Upstream{
					Dir:       dir,
					URL:       url,
					Service:   b.Service,
					Clock:     cli.MachineClock{},
					UserAgent: cli.UserAgent(),
					Now:       cli.ClockNow,
				},
				otherHistory,
			)
			if err != nil {
				return err
			}

			return cli.PrintResult(
				cmd,
				asJSON,
				map[string]string{"before": before, "upstream": url},
				fmt.Sprintf("The service of %s is now %s (it was %s). Start the edge with --upstream %s", dir, url,
					before, url),
			)
		},
	}

	cmd.Flags().StringVar(&dir, "data", cli.GetenvOr("BINCARD_DATA", ""), "the edge's data directory")
	cmd.Flags().StringVar(&url, "upstream", "", "the service's new URL")
	cmd.Flags().BoolVar(&otherHistory, "other-history", false, "accept a service that lacks changes the edge has read")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	upstreamPlainFlag(cmd.Flags(), &plain)
	connect.KeyFileFlag(cmd.Flags())

	return cmd
}
