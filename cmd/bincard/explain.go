package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"bincard/views/balances"
)

// explainCommand explains a balance.
func explainCommand() *cobra.Command {
	var movements int64
	cmd := &cobra.Command{
		Use:   "explain SKU@LOCATION",
		Short: "Explain a balance",
		Long: `Explain a balance: its eight quantities, whether the movements add up to them, and
the newest movements with the balance before and after. The exit status is 1 if
they do not add up. 'bincard explain/SKU@LOCATION' shows it on the screen.` + exitHelp,
		Example: "  bincard explain OAT-1L@WH-1\n  bincard explain OAT-1L@WH-1 --json --movements 200",
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("%s needs SKU@LOCATION, or a balance ID", cmd.CommandPath())
			}
			var g jobFlags
			return g.fail(cmd, withSite(cmd, func(ctx context.Context, at cliContext) error {
				text := args[0]
				if !strings.Contains(text, "@") && at.site.Location().IsSet() && len(text) != 36 {
					text += "@" + at.site.Location().Code
				}
				a, err := balances.ExplainText(ctx, at.site, text, movements)
				if err != nil {
					return err
				}
				asJSON, _ := cmd.Flags().GetBool("json")
				if err := printResult(cmd, asJSON, a.Explanation, strings.Join(a.Lines(english), "\n")); err != nil {
					return err
				}
				return a.Err()
			}))
		},
		ValidArgsFunction: complete(balanceRefs),
	}
	siteFlags(cmd)
	locationFlag(cmd.Flags(), "the location's code, if the balance does not name it")
	cmd.Flags().Int64Var(&movements, "movements", 20, "the number of movements, at most 200")
	return cmd
}
