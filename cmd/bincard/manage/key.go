package manage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/server/account"
	"bincard/server/admin"
	"bincard/server/api"
)

// KeyCommand manages the API keys of an organization.
func KeyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Manage API keys", Args: cli.AtMost(0)}
	cmd.AddCommand(keyCreateCommand(), keyListCommand(), keyRevokeCommand())
	return cmd
}

func keyCreateCommand() *cobra.Command {
	var place LedgerPlace
	var org, env, scopes, label, location, role string
	var asJSON bool
	cmd := &cobra.Command{
		Use:                   "create --data DIR|--store URL --org ID --env ENV --label LABEL",
		DisableFlagsInUseLine: true, // the line has 80 columns at most
		Short:                 "Create an API key and show it once",
		Long: `Create an API key and show it once. With --location it is for one location: it
reads the catalog, documents and balances, but reports and changes of that
location alone, and writes only there. A transfer is shipped and canceled at its
source, and received and closed at its destination. Use such a key for an edge
that could be stolen, and revoke it then.

With --role worker, what the rules of workers do not allow needs the approval of
a supervisor, which the service checks; see 'bincard help operators'.`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := place.Require(cmd, "org", "env", "label"); err != nil {
				return err
			}

			id, err := uuid.Parse(org)
			if err != nil {
				return cli.UsageErrorf("--org must be an organization ID, not %q", org)
			}

			in := account.KeyInput{Organization: id, Environment: api.Environment(env), Label: label,
				Location: location, Role: api.Role(role)}
			for _, s := range strings.Split(scopes, ",") {
				if s = strings.TrimSpace(s); s == "all" {
					in.Scopes = append(in.Scopes, api.Scopes...)
				} else {
					in.Scopes = append(in.Scopes, api.Scope(s))
				}
			}

			return withExistingLedger(cmd.Context(), &place, func(a admin.Admin) error {
				secret, key, err := a.CreateKey(cmd.Context(), in)
				if err != nil {
					return err
				}
				return cli.PrintResult(cmd, asJSON, map[string]any{"key": secret, "keyId": key.ID},
					fmt.Sprintf("%s\nSave it now: it is not shown again. Its ID is %s.", secret, key.ID))
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&org, "org", cli.GetenvOr("BINCARD_ORG", ""), "the organization's ID")
	cmd.Flags().StringVar(&env, "env", "", "test or live")
	cmd.Flags().StringVar(
		&scopes,
		"scopes",
		"all",
		"all (except admin), or a list like all,admin of "+strings.Join(api.Scope("").Values(), ", "),
	)

	cmd.Flags().StringVar(&label, "label", "", "what the key is for")
	cmd.Flags().StringVar(&role, "role", "", "worker: approvals are checked; none if omitted")
	cmd.Flags().StringVar(&location, "location", "",
		"the code of the only location where the key may be used; all if omitted")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

func keyListCommand() *cobra.Command {
	var place LedgerPlace
	var org string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list --data DIR|--store URL --org ID",
		Short: "List the API keys of an organization, without their secrets",
		Args:  cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := organizationFlag(cmd, &place, org)
			if err != nil {
				return err
			}

			return withExistingLedger(cmd.Context(), &place, func(a admin.Admin) error {
				list, err := a.Keys(cmd.Context(), id)
				if err != nil {
					return err
				}

				lines := make([]string, len(list))
				for i, k := range list {
					lines[i] = formatKey(k, list)
				}

				if len(list) == 0 {
					list = []account.APIKey{}
					lines = []string{
						fmt.Sprintf(
							"There is no key yet. Create one: bincard key create%s --org %s --env live --label LABEL",
							place.flags, org),
					}
				}

				return cli.PrintResult(cmd, asJSON, map[string]any{"items": list}, strings.Join(lines, "\n"))
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&org, "org", cli.GetenvOr("BINCARD_ORG", ""), "the organization's ID")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

func keyRevokeCommand() *cobra.Command {
	var place LedgerPlace
	var org string
	var asJSON, descendants bool
	cmd := &cobra.Command{
		Use:   "revoke KEYID --data DIR|--store URL --org ID",
		Short: "Revoke an API key immediately",
		Long: `Revoke an API key immediately; 'bincard key list' shows the IDs. Requests in
progress still finish. A revoked key cannot be restored.

The keys that it created over HTTP stay valid; --descendants revokes them too,
as well as those that they created, and so on.`,
		Args: cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			owner, err := organizationFlag(cmd, &place, org)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs a key's ID; see 'bincard key list'", cmd.CommandPath())
			}

			id, err := uuid.Parse(args[0])
			if err != nil {
				return cli.UsageErrorf("give the key's ID from 'bincard key list', not the key or %d characters",
					len(args[0]))
			}

			return withExistingLedger(cmd.Context(), &place, func(a admin.Admin) error {
				revoked, err := a.RevokeKey(cmd.Context(), owner, id, descendants)
				if err != nil {
					return err
				}
				return cli.PrintResult(cmd, asJSON, revoked, formatRevocation(revoked))
			})
		},
	}

	LedgerFlags(cmd, &place)
	cmd.Flags().StringVar(&org, "org", cli.GetenvOr("BINCARD_ORG", ""), "the organization's ID")
	cmd.Flags().BoolVar(&descendants, "descendants", false,
		"also revoke the keys that it created, those that they created, and so on")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// formatRevocation says which keys were revoked and how many descendants were not.
func formatRevocation(r account.Revocation) string {
	text := fmt.Sprintf("%s (%s, %s) is revoked", r.Hint, r.Environment, r.Label)
	switch n := len(r.Revoked); {
	case n == 1:
		text += ", and 1 key that descends from it"
	case n > 1:
		text += fmt.Sprintf(", and %d keys that descend from it", n)
	case r.Remaining != nil && *r.Remaining == 1:
		text += ". 1 key that descends from it is still valid; --descendants revokes it too"
	case r.Remaining != nil && *r.Remaining > 1:
		text += fmt.Sprintf(". %d keys that descend from it are still valid; --descendants revokes them too",
			*r.Remaining)
	}

	return text
}

// organizationFlag parses --org. It requires a ledger, too.
func organizationFlag(cmd *cobra.Command, place *LedgerPlace, org string) (api.ID, error) {
	if err := place.Require(cmd, "org"); err != nil {
		return api.NoID, err
	}
	id, err := uuid.Parse(org)
	if err != nil {
		return api.NoID, cli.UsageErrorf("--org must be an organization ID, not %q", org)
	}
	return id, nil
}

// formatKey formats a key of a list as one line.
func formatKey(k account.APIKey, list []account.APIKey) string {
	const day = "2006-01-02"
	scopes := make([]string, len(k.Scopes))
	for i, s := range k.Scopes {
		scopes[i] = string(s)
	}

	words := fmt.Sprintf("%s  %s  %-4s  %s  created %s", k.ID, k.Hint, k.Environment, k.Label, k.CreatedAt.Format(day))
	if at := slices.IndexFunc(list,
		func(x account.APIKey) bool { return k.CreatedBy != nil && x.ID == *k.CreatedBy }); at >= 0 {
		words += " by " + list[at].Hint
	}
	if k.LastUsedAt != nil {
		words += ", used " + k.LastUsedAt.Format(day)
	}
	if k.Location != "" {
		words += ", only for " + k.Location
	}
	if k.Role != "" {
		words += ", for the role " + string(k.Role)
	}

	switch {
	case k.RevokedAt != nil:
		words += ", revoked " + k.RevokedAt.Format(day)
	case k.ExpiresAt != nil:
		words += ", expires " + k.ExpiresAt.Format(day)
	}

	return words + "  " + strings.Join(scopes, ",")
}
