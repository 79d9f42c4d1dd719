package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/connect"
	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/balances"
	"bincard/views/session"
	"bincard/views/stocktext"
)

// reportCommand prints one page of a report.
func reportCommand() *cobra.Command {
	var filter queryFilter
	var limit int64
	var days int
	var cursor string
	cmd := &cobra.Command{
		Use:   "report movements|snapshot",
		Short: "Print the newest rows of a report",
		Long: `Print the newest rows of a report that match the filters. --json prints the
service's response; pass its nextCursor to --cursor for the next page. For whole
reports, use 'bincard export'.` + exitHelp,
		Example: `  bincard report movements --sku OAT-1L --days 7
  bincard report snapshot --location WH-1 --status outOfStock --json`,
		ValidArgs: []string{"movements", "snapshot"},
		Args:      cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] != "movements" && args[0] != "snapshot" {
				return cli.UsageErrorf("%s needs movements or snapshot", cmd.CommandPath())
			}
			if limit < 1 || limit > 500 {
				return cli.UsageErrorf("--limit must be from 1 to 500, not %d", limit)
			}

			return connect.Fail(cmd, connect.WithSite(cmd, func(ctx context.Context, at connect.Connection) error {
				if days > 0 && filter.From == "" {
					filter.From = at.Now().Local().AddDate(0, 0, 1-days).Format(time.DateOnly)
				}

				q, err := parseQuery(ctx, at.Service, &filter)
				if err != nil {
					return err
				}

				q.Limit, q.Cursor = &limit, cursor
				asJSON, _ := cmd.Flags().GetBool("json")
				if args[0] == "movements" {
					list, err := session.Call(ctx, at.Site, api.ReportMovements, q.ReportMovementsInput)
					return printPage(cmd, asJSON, list, err, movementLine)
				}

				list, err := session.Call(ctx, at.Site, api.ReportSnapshot, q.Snapshot(cursor))

				return printPage(cmd, asJSON, list, err, snapshotLine)
			}), "", false)
		},
	}

	connect.SiteFlags(cmd)
	f := cmd.Flags()
	f.Int64Var(&limit, "limit", 50, "the number of rows, at most 500")
	f.IntVar(&days, "days", 0, "only the last days including today")
	f.StringVar(&cursor, "cursor", "", "the nextCursor of the page before")
	filter.AddFlags(f)
	f.String("place", "", "") // earlier versions accepted and ignored it
	_ = f.MarkHidden("place")

	return cmd
}

// printPage prints one page of a report, or returns err.
func printPage[T any](cmd *cobra.Command, asJSON bool, list api.List[T], err error, line func(*T) string) error {
	if err != nil {
		return err
	}

	lines := make([]string, 0, len(list.Items)+1)
	for i := range list.Items {
		lines = append(lines, widget.Clean(line(&list.Items[i])))
	}

	switch {
	case len(lines) == 0:
		lines = append(lines, "no matching rows")
	case list.NextCursor != nil:
		lines = append(lines, fmt.Sprintf("the newest %d; there are more", len(lines)))
	}

	return cli.PrintResult(cmd, asJSON, list, strings.Join(lines, "\n"))
}

func movementLine(m *api.MovementRow) string {
	return strings.TrimRight(
		fmt.Sprintf("%s  %s  %s  %s  %s %s  %s  %s  %s  %s", m.CreatedAt.Local().Format("2006-01-02 15:04:05"),
			widget.Left(string(m.Operation), 20), widget.Left(m.ProductSKU, 12), widget.Left(m.LocationCode, 8),
			widget.Left(m.InventoryState.Title(), 15), widget.Right(cli.English.Change(m.Quantity), 8),
			widget.Right(cli.English.Count(m.BalanceAfter), 8), widget.Left(cmp.Or(m.Operator, m.ActorLabel), 10),
			widget.Left(m.LotCode, 10), stocktext.Document(m.ReferenceType, m.ReferenceID)),
		" ",
	)
}

func snapshotLine(r *api.SnapshotRow) string {
	parts := []string{widget.Left(r.ProductSKU, 12), widget.Left(r.LocationCode, 8)}
	for _, s := range api.States {
		parts = append(parts, s.Title()+" "+cli.English.Count(r.Of(s)))
	}
	return strings.Join(parts, "  ")
}

// explainCommand explains a balance.
func explainCommand() *cobra.Command {
	var movements int64
	cmd := &cobra.Command{
		Use:   "explain SKU@LOCATION",
		Short: "Explain a balance",
		Long: `Explain a balance: its eight quantities, whether the movements add up to them,
and the newest movements with the balance before and after. The exit status is 1
if they do not add up. 'bincard explain/SKU@LOCATION' shows it on the screen.` + exitHelp,
		Example: "  bincard explain OAT-1L@WH-1\n  bincard explain OAT-1L@WH-1 --json --movements 200",
		Args:    cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs SKU@LOCATION, or a balance ID", cmd.CommandPath())
			}

			return connect.Fail(cmd, connect.WithSite(cmd, func(ctx context.Context, at connect.Connection) error {
				text := args[0]
				if !strings.Contains(text, "@") && at.Site.Location().IsSet() && len(text) != 36 {
					text += "@" + at.Site.Location().Code
				}

				a, err := balances.ExplainText(ctx, at.Site, text, movements)
				if err != nil {
					return err
				}

				asJSON, _ := cmd.Flags().GetBool("json")
				if err := cli.PrintResult(cmd, asJSON, a.Explanation,
					strings.Join(a.Lines(at.Site.T()), "\n")); err != nil {
					return err
				}

				return a.Err()
			}), "", false)
		},
		ValidArgsFunction: connect.Complete(connect.BalanceRefs),
	}

	connect.SiteFlags(cmd)
	connect.LocationFlag(cmd.Flags(), "the location's code, if the balance does not name it")
	cmd.Flags().Int64Var(&movements, "movements", 20, "the number of movements, at most 200")

	return cmd
}
