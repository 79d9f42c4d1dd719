package manage

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/admin"
	"bincard/server/api"
)

// PlanCommand manages the plans of organizations.
func PlanCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "plan", Short: "Manage the plan of an organization", Args: cli.AtMost(0)}
	cmd.AddCommand(planSetCommand())
	return cmd
}

func planSetCommand() *cobra.Command {
	var place LedgerPlace
	var org, env string
	var reports, asJSON bool
	numbers := map[string]*int64{"api-requests": new(int64), "billable": new(int64), "active-products": new(int64)}
	cmd := &cobra.Command{
		Use:   "set --data DIR|--store URL --org ID --env test|live",
		Short: "Set the plan of an organization in one environment",
		Long: `Set the plan of an organization in one environment. Anything without a flag is
unlimited. Quotas are per calendar month in UTC; usage this month still counts.

--billable counts and limits these operations, and no others:
  ` + strings.Join(billable(), ",\n  "),
		Example: `  bincard plan set --data DIR --org ID --env live --api-requests 100000 \
      --billable 5000
  bincard plan set --data DIR --org ID --env test --reports=false`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place.Require(cmd, "org", "env"); err != nil {
				return err
			}

			id, err := uuid.Parse(org)
			if err != nil {
				return cli.UsageErrorf("--org must be an organization ID, not %q", org)
			}
			if env != string(api.Live) && env != string(api.Test) {
				return cli.UsageErrorf("--env must be live or test, not %q", env)
			}

			given := func(flag string) *int64 {
				if cmd.Flag(flag).Changed {
					return numbers[flag]
				}
				return nil
			}

			limits := api.Limits{APIRequests: given("api-requests"), BillableOperations: given("billable"),
				ActiveProducts: given("active-products"), Reports: reports}
			for flag, n := range numbers {
				if *n < 0 {
					return cli.UsageErrorf("--%s must be 0 or more, not %d", flag, *n)
				}
			}

			return withExistingLedger(cmd.Context(), &place, func(a admin.Admin) error {
				plan, err := a.SetPlan(cmd.Context(), id, api.Environment(env), limits)
				if err != nil {
					return err
				}

				result := struct {
					Plan   api.Plan   `json:"plan"`
					Limits api.Limits `json:"limits"`
				}{plan, limits}

				return cli.PrintResult(cmd, asJSON, result, formatPlan(plan, env, limits))
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&org, "org", cli.GetenvOr("BINCARD_ORG", ""), "the organization's ID")
	cmd.Flags().StringVar(&env, "env", "", "test or live")
	cmd.Flags().Int64Var(numbers["api-requests"], "api-requests", 0, "maximum API key requests per month")
	cmd.Flags().Int64Var(numbers["billable"], "billable", 0, "maximum billable inventory operations per month")
	cmd.Flags().Int64Var(numbers["active-products"], "active-products", 0,
		"maximum products, not counting archived ones")
	cmd.Flags().BoolVar(&reports, "reports", true, "whether reports are allowed")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// formatPlan formats a plan and its limits.
func formatPlan(plan api.Plan, env string, limits api.Limits) string {
	limit := func(n *int64) string {
		if n == nil {
			return "no limit"
		}
		return strconv.FormatInt(*n, 10)
	}

	reports := "allowed"
	if !limits.Reports {
		reports = "not allowed"
	}

	return strings.Join([]string{
		fmt.Sprintf("The plan in %s is %s, version %d", env, plan.Code, plan.Version),
		"  requests a month             " + limit(limits.APIRequests),
		"  billable operations a month  " + limit(limits.BillableOperations),
		"  active products              " + limit(limits.ActiveProducts),
		"  reports                      " + reports,
	}, "\n")
}

// billable returns the names of the billable operations.
func billable() (names []string) {
	for _, spec := range api.Operations() {
		if spec.Billable {
			names = append(names, spec.ID)
		}
	}

	return names
}
