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

// keyCommand manages the API keys of a data directory, in use or not.
func keyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Manage API keys", Args: atMost(0)}
	cmd.AddCommand(keyCreateCommand(), keyListCommand(), keyRevokeCommand())
	return cmd
}

func keyCreateCommand() *cobra.Command {
	var dir, org, env, scopes, label string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "create --data DIR --org ID --env test|live --scopes all|a,b --label LABEL",
		Short: "Create an API key and show it once",
		Args:  atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := requireFlags(cmd, "data", "org", "env", "label"); err != nil {
				return err
			}
			id, err := uuid.Parse(org)
			if err != nil {
				return usageErrorf("--org must be an organization ID, not %q", org)
			}
			in := account.KeyInput{Organization: id, Environment: api.Environment(env), Label: label}
			for _, s := range strings.Split(scopes, ",") {
				if s = strings.TrimSpace(s); s == "all" {
					in.Scopes = append(in.Scopes, api.Scopes...)
				} else {
					in.Scopes = append(in.Scopes, api.Scope(s))
				}
			}
			return withExistingLedger(cmd.Context(), dir, func(desk local.Admin) error {
				secret, key, err := desk.CreateKey(cmd.Context(), in)
				if err != nil {
					return err
				}
				return printResult(cmd, asJSON, map[string]any{"key": secret, "keyId": key.ID},
					fmt.Sprintf("%s\nSave it now: it is not shown again. Its ID is %s.", secret, key.ID))
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().StringVar(&org, "org", getenvOr("BINCARD_ORG", ""), "the organization's ID")
	cmd.Flags().StringVar(&env, "env", "", "test or live")
	cmd.Flags().StringVar(&scopes, "scopes", "all", "all (except admin), or a list like all,admin of "+strings.Join(api.Scope("").Values(), ","))
	cmd.Flags().StringVar(&label, "label", "", "what the key is for")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
