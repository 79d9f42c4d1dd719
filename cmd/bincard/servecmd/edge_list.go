package servecmd

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/server/api"
)

// edgeListCommand lists the edges and offline terminals of a service.
func edgeListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the edges and offline terminals of the service",
		Long: `List the edges and offline terminals that have read the service's changes since
it started: when they last did, their version, and how many of their operations
are pending or failed, the locations to which it is limited, by how much its
clock is wrong (from a minute on), and whether copies of its directory are in
use at the same time. One that is connected reads at least every 25 seconds. If
several processes run the service, each knows those that read from it.

The key needs the scope admin.`,
		Example: `  bincard edge list --url https://HOST --org ID --key-file admin.key
  bincard edge list --json`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return connect.WithCompany(cmd, func(svc api.Service) error {
				list := []api.NodeStatus{}
				most := int64(100)
				for in := (api.ListNodesInput{Page: api.Page{Limit: &most}}); ; {
					page, err := api.ListNodes.Call(cmd.Context(), svc, in)
					if err != nil {
						return err
					}

					list = append(list, page.Items...)
					if page.NextCursor == nil {
						break
					}

					in.Cursor = *page.NextCursor
				}

				return cli.PrintResult(cmd, asJSON, map[string]any{"items": list},
					formatNodes(list, connect.ClockOf(svc).Now()))
			})
		},
	}

	connect.CompanyFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// formatNodes formats the nodes as lines.
func formatNodes(list []api.NodeStatus, now time.Time) string {
	if len(list) == 0 {
		return "No edge or offline terminal has connected since the service started. Start one: bincard edge --upstream URL --org ID --data DIR"
	}
	lines := make([]string, len(list))
	for i := range list {
		lines[i] = formatNode(&list[i], now)
	}
	return strings.Join(lines, "\n")
}

func formatNode(s *api.NodeStatus, now time.Time) string {
	line := fmt.Sprintf("%s  %-8s  %s  version %s  seen %s ago  pending %d, failed %d", s.ID, s.Kind, s.Label,
		s.Version, max(0, now.Sub(s.SeenAt)).Round(time.Second), s.Pending, s.Failed)
	if s.Oldest != nil {
		line += ", oldest " + s.Oldest.Local().Format("2006-01-02 15:04:05")
	}
	if len(s.Locations) > 0 {
		line += "  locations " + strings.Join(s.Locations, ", ")
	}
	if len(s.Copies) > 0 {
		line += "  its directory is in use twice: " + strings.Join(s.Copies, ", ")
	}
	if offset := (time.Duration(s.ClockOffset) * time.Millisecond).Round(time.Second); offset.Abs() >= time.Minute {
		line += fmt.Sprintf("  clock wrong by %s", -offset)
	}

	return line
}
