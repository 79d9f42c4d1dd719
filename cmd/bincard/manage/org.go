package manage

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/admin"
	"bincard/server/api"
)

// OrgCommand manages the organizations in a data directory.
func OrgCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "org", Short: "Manage organizations", Args: cli.AtMost(0)}
	cmd.AddCommand(orgCreateCommand(), orgListCommand(), orgSetCommand())
	return cmd
}

func orgCreateCommand() *cobra.Command {
	var place LedgerPlace
	var name string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "create --data DIR|--store URL --name NAME",
		Short: "Create an organization with a default owner and channel",
		Args:  cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place.Require(cmd, "name"); err != nil {
				return err
			}

			return WithLedger(cmd.Context(), &place, func(a admin.Admin) error {
				org, err := a.CreateOrganization(cmd.Context(), name)
				if err != nil {
					return err
				}

				created := struct {
					OrganizationID   api.ID `json:"organizationId"`
					DefaultOwnerID   api.ID `json:"defaultOwnerId"`
					DefaultChannelID api.ID `json:"defaultChannelId"`
				}{org.ID, org.DefaultOwnerID, org.DefaultChannelID}

				return cli.PrintResult(cmd, asJSON, created, fmt.Sprintf(
					"Created %s\n  organization     %s\n  default owner    %s\n  default channel  %s\nNext: bincard key create%s --org %s --env live --scopes all --label LABEL",
					org.Name,
					org.ID,
					org.DefaultOwnerID,
					org.DefaultChannelID,
					place.flags,
					org.ID,
				))
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&name, "name", "", "the organization's name")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

func orgListCommand() *cobra.Command {
	var place LedgerPlace
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list --data DIR|--store URL",
		Short: "List the organizations",
		Args:  cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place.Require(cmd); err != nil {
				return err
			}

			return withExistingLedger(cmd.Context(), &place, func(a admin.Admin) error {
				list, err := a.Organizations(cmd.Context())
				if err != nil {
					return err
				}

				items := make([]listedOrg, len(list))
				for i, o := range list {
					items[i].Organization = o
					for env, rules := range map[api.Environment]*api.Rules{api.Live: &items[i].Rules.Live, api.Test: &items[i].Rules.Test} {
						if *rules, err = a.Rules(cmd.Context(), o.ID, env); err != nil {
							return err
						}
					}
				}

				words := "There is no organization yet. Create one: bincard org create" + place.flags + " --name NAME"
				for i, o := range items {
					if i == 0 {
						words = ""
					} else {
						words += "\n"
					}

					words += fmt.Sprintf("%s  %s", o.ID, o.Name)
					if live, test := o.Rules.Live.OverReceiptPercent, o.Rules.Test.OverReceiptPercent; live > 0 ||
						test > 0 {
						words += fmt.Sprintf("  (over-receipt: %d %% in live, %d %% in test)", live, test)
					}
					if live, test := countLimits(&o.Rules.Live), countLimits(&o.Rules.Test); live != "" || test != "" {
						words += fmt.Sprintf("  (count limits: %s in live, %s in test)", cmp.Or(live, "none"),
							cmp.Or(test, "none"))
					}
				}

				return cli.PrintResult(cmd, asJSON, map[string]any{"items": items}, words)
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// A listedOrg is an organization with its rules.
type listedOrg struct {
	api.Organization
	Rules struct {
		Live api.Rules `json:"live"`
		Test api.Rules `json:"test"`
	} `json:"rules"`
}
