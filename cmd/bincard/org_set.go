package main

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/server/api"
	"bincard/server/local"
)

// A listedOrg is an organization with its rules.
type listedOrg struct {
	api.Organization
	Rules struct {
		Live api.Rules `json:"live"`
		Test api.Rules `json:"test"`
	} `json:"rules"`
}

func orgSetCommand() *cobra.Command {
	var dir, env string
	var percent int64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "set ID --data DIR --env test|live --over-receipt PERCENT",
		Short: "Set how an organization works in one environment",
		Long: `Set how an organization works in one environment, at once. With --over-receipt
more than expected may be received on an inbound, by that many percent of what
was expected, rounded down. With 0, as it is at first, no more than is pending.
What was received stays received.`,
		Example: `  bincard org set ID --data DIR --env live --over-receipt 5`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			org := getenvOr("BINCARD_ORG", "")
			if len(args) > 0 {
				org = args[0]
			}
			if org == "" {
				return usageErrorf("give the organization's id; \"bincard org list\" tells it")
			}
			if err := requireFlags(cmd, "data", "env"); err != nil {
				return err
			}
			if !cmd.Flag("over-receipt").Changed {
				return usageErrorf("say what to set: --over-receipt PERCENT")
			}
			id, err := uuid.Parse(org)
			if err != nil {
				return usageErrorf("the organization must be given by its id, not %q", org)
			}
			if env != string(api.Live) && env != string(api.Test) {
				return usageErrorf("--env must be live or test, not %q", env)
			}
			if percent < 0 || percent > api.MaxOverReceiptPercent {
				return usageErrorf("--over-receipt must be 0 to %d, not %d", api.MaxOverReceiptPercent, percent)
			}
			return withExistingLedger(cmd.Context(), dir, func(desk local.Admin) error {
				rules, err := desk.SetRules(cmd.Context(), id, api.Environment(env), api.Rules{OverReceiptPercent: percent})
				if err != nil {
					return err
				}
				words := fmt.Sprintf("In %s up to %d %% more than expected may be received on an inbound", env, rules.OverReceiptPercent)
				if rules.OverReceiptPercent == 0 {
					words = fmt.Sprintf("In %s no more than expected may be received on an inbound", env)
				}
				return printResult(cmd, asJSON, map[string]any{"rules": rules}, words)
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().StringVar(&env, "env", "", "test or live")
	cmd.Flags().Int64Var(&percent, "over-receipt", 0, "how many percent more than expected may be received")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
