package main

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/server/admin"
	"bincard/server/api"
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
		Short: "Set the rules of an organization in one environment",
		Long: `Set the rules of an organization in one environment, effective immediately.
--over-receipt is how far an inbound may exceed its expected quantity, in percent
of it, rounded down. At 0, the default, no more than the pending quantity can be
received. Earlier receipts do not change.`,
		Example: `  bincard org set ID --data DIR --env live --over-receipt 5`,
		Args:    atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			org := getenvOr("BINCARD_ORG", "")
			if len(args) > 0 {
				org = args[0]
			}
			if org == "" {
				return usageErrorf("give the organization's ID; see \"bincard org list\"")
			}
			if err := requireFlags(cmd, "data", "env"); err != nil {
				return err
			}
			if !cmd.Flag("over-receipt").Changed {
				return usageErrorf("nothing to set: give --over-receipt PERCENT")
			}
			id, err := uuid.Parse(org)
			if err != nil {
				return usageErrorf("the organization must be given by its ID, not %q", org)
			}
			if env != string(api.Live) && env != string(api.Test) {
				return usageErrorf("--env must be live or test, not %q", env)
			}
			if percent < 0 || percent > api.MaxOverReceiptPercent {
				return usageErrorf("--over-receipt must be 0 to %d, not %d", api.MaxOverReceiptPercent, percent)
			}
			return withExistingLedger(cmd.Context(), dir, func(desk admin.Admin) error {
				rules, err := desk.SetRules(cmd.Context(), id, api.Environment(env), api.Rules{OverReceiptPercent: percent})
				if err != nil {
					return err
				}
				words := fmt.Sprintf("In %s, an inbound can receive up to %d %% more than expected", env, rules.OverReceiptPercent)
				if rules.OverReceiptPercent == 0 {
					words = fmt.Sprintf("In %s, an inbound cannot receive more than expected", env)
				}
				return printResult(cmd, asJSON, map[string]any{"rules": rules}, words)
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().StringVar(&env, "env", "", "test or live")
	cmd.Flags().Int64Var(&percent, "over-receipt", 0, "how far receipts may exceed the expected quantity, in percent")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
