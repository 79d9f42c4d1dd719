package main

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/local"
)

func keyListCommand() *cobra.Command {
	var dir, org string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list --data DIR --org ID",
		Short: "List the API keys of an organization, without their secrets",
		Args:  atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			id, err := organizationFlag(cmd, org)
			if err != nil {
				return err
			}
			return withExistingLedger(cmd.Context(), dir, func(desk local.Admin) error {
				list, err := desk.Keys(cmd.Context(), id)
				if err != nil {
					return err
				}
				lines := make([]string, len(list))
				for i, k := range list {
					lines[i] = formatKey(k)
				}
				if len(list) == 0 {
					list = []account.APIKey{}
					lines = []string{fmt.Sprintf("There is no key yet. Create one: bincard key create --data %s --org %s --env live --label LABEL", dir, org)}
				}
				return printResult(cmd, asJSON, map[string]any{"items": list}, strings.Join(lines, "\n"))
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().StringVar(&org, "org", getenvOr("BINCARD_ORG", ""), "the organization's ID")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func keyRevokeCommand() *cobra.Command {
	var dir, org string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "revoke KEYID --data DIR --org ID",
		Short: "Revoke an API key immediately",
		Long: `Revoke an API key immediately; 'bincard key list' shows the IDs. Requests in
progress still finish. A revoked key cannot be restored.`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			owner, err := organizationFlag(cmd, org)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return usageErrorf("%s needs a key's ID; see 'bincard key list'", cmd.CommandPath())
			}
			id, err := uuid.Parse(args[0])
			if err != nil {
				return usageErrorf("give the key's ID from 'bincard key list', not the key or %d characters", len(args[0]))
			}
			return withExistingLedger(cmd.Context(), dir, func(desk local.Admin) error {
				key, err := desk.RevokeKey(cmd.Context(), owner, id)
				if err != nil {
					return err
				}
				return printResult(cmd, asJSON, key, fmt.Sprintf("%s (%s, %s) is revoked", key.Hint, key.Environment, key.Label))
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().StringVar(&org, "org", getenvOr("BINCARD_ORG", ""), "the organization's ID")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// organizationFlag is the id that --org names, beside which --data must be given.
func organizationFlag(cmd *cobra.Command, org string) (api.ID, error) {
	if err := requireFlags(cmd, "data", "org"); err != nil {
		return api.ID{}, err
	}
	id, err := uuid.Parse(org)
	if err != nil {
		return api.ID{}, usageErrorf("--org must be an organization ID, not %q", org)
	}
	return id, nil
}

// formatKey is a key in a line.
func formatKey(k account.APIKey) string {
	const day = "2006-01-02"
	scopes := make([]string, len(k.Scopes))
	for i, s := range k.Scopes {
		scopes[i] = string(s)
	}
	words := fmt.Sprintf("%s  %s  %-4s  %s  created %s", k.ID, k.Hint, k.Environment, k.Label, k.CreatedAt.Format(day))
	if k.LastUsedAt != nil {
		words += ", used " + k.LastUsedAt.Format(day)
	}
	switch {
	case k.RevokedAt != nil:
		words += ", revoked " + k.RevokedAt.Format(day)
	case k.ExpiresAt != nil:
		words += ", expires " + k.ExpiresAt.Format(day)
	}
	return words + "  " + strings.Join(scopes, ",")
}
