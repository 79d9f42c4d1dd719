package servecmd

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/offline/edge"
	"bincard/offline/host"
	"bincard/server/api"
)

// edgeKeyCommand manages the device keys that an edge issues.
func edgeKeyCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "Manage the device keys of a site",
		Long: `Manage the keys that an edge issues to its site's terminals. The service does
not know them. This works whether or not the edge is running.`, Args: cli.AtMost(0)}
	cmd.AddCommand(edgeKeyCreateCommand(), edgeKeyListCommand(), edgeKeyRevokeCommand())
	return cmd
}

func edgeKeyCreateCommand() *cobra.Command {
	var dir, scopes string
	var in edge.DeviceInput
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "create --data DIR --location CODE --label LABEL",
		Short: "Create a device key and show it once",
		Long: `Create a device key and show it once. A device with a location works only there,
and sees and resolves only its own operations; the other end of a transfer may
be elsewhere. A key without a location is for a supervisor.`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.RequireFlags(cmd, "data", "label"); err != nil {
				return err
			}

			for _, s := range strings.Split(scopes, ",") {
				if s = strings.TrimSpace(s); s == "all" {
					in.Scopes = append(in.Scopes, api.Scopes...)
				} else {
					in.Scopes = append(in.Scopes, api.Scope(s))
				}
			}

			return host.WithDevices(cmd.Context(), dir, cli.MachineClock{}, func(devices host.Devices) error {
				created, err := devices.Create(cmd.Context(), in)
				if err != nil {
					return err
				}

				return cli.PrintResult(
					cmd,
					asJSON,
					map[string]any{"key": created.Secret, "keyId": created.Device.ID},
					fmt.Sprintf("%s\nSave it now: it is not shown again. Its ID is %s.", created.Secret,
						created.Device.ID),
				)
			})
		},
	}

	cmd.Flags().StringVar(&dir, "data", cli.GetenvOr("BINCARD_DATA", ""), "the edge's data directory")
	cmd.Flags().StringVar(&in.Location, "location", "",
		"the code of the only location where the device may work; any if omitted")
	cmd.Flags().StringVar(&in.Label, "label", "", "the device's name, recorded with its operations")
	cmd.Flags().StringVar(
		&scopes,
		"scopes",
		"all",
		"all, or a list like inventory:read,reports:read of "+strings.Join(
			api.Scope("").Values()[:len(api.Scopes)],
			", ",
		),
	)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

func edgeKeyListCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list --data DIR",
		Short: "List the device keys, without their secrets",
		Args:  cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.RequireFlags(cmd, "data"); err != nil {
				return err
			}

			return host.WithDevices(cmd.Context(), dir, cli.MachineClock{}, func(devices host.Devices) error {
				list, err := devices.List(cmd.Context())
				if err != nil {
					return err
				}

				var lines []string
				for i := range list {
					lines = append(lines, formatDevice(&list[i]))
				}

				if len(list) == 0 {
					list, lines = []edge.Device{}, []string{
						fmt.Sprintf(
							"There is no key yet. Create one: bincard edge key create --data %s --location CODE --label LABEL",
							dir,
						),
					}
				}

				return cli.PrintResult(cmd, asJSON, map[string]any{"items": list}, strings.Join(lines, "\n"))
			})
		},
	}

	cmd.Flags().StringVar(&dir, "data", cli.GetenvOr("BINCARD_DATA", ""), "the edge's data directory")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")

	return cmd
}

// formatDevice formats a device key as one line.
func formatDevice(d *edge.Device) string {
	const day = "2006-01-02"
	where := d.Location
	if where == "" {
		where = "anywhere"
	}

	words := fmt.Sprintf("%s  %s  %s  %s  created %s", d.ID, d.Hint, where, d.Label, d.CreatedAt.Format(day))
	if d.LastUsedAt != nil {
		words += ", used " + d.LastUsedAt.Format(day)
	}
	if d.RevokedAt != nil {
		words += ", revoked " + d.RevokedAt.Format(day)
	}

	scopes := make([]string, len(d.Scopes))
	for i, s := range d.Scopes {
		scopes[i] = string(s)
	}

	return words + "  " + strings.Join(scopes, ",")
}

func edgeKeyRevokeCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{Use: "revoke KEYID --data DIR", Short: "Revoke a device key immediately", Args: cli.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.RequireFlags(cmd, "data"); err != nil {
				return err
			}
			if len(args) == 0 {
				return cli.UsageErrorf("%s needs a key's ID; see 'bincard edge key list'", cmd.CommandPath())
			}

			id, err := uuid.Parse(args[0])
			if err != nil {
				return cli.UsageErrorf("give the key's ID from 'bincard edge key list', not the key or %d characters",
					len(args[0]))
			}

			return host.WithDevices(cmd.Context(), dir, cli.MachineClock{}, func(devices host.Devices) error {
				d, err := devices.Revoke(cmd.Context(), id)
				if err != nil {
					return err
				}
				return cli.PrintResult(cmd, false, nil, fmt.Sprintf("%s (%s) is revoked", d.Hint, d.Label))
			})
		}}

	cmd.Flags().StringVar(&dir, "data", cli.GetenvOr("BINCARD_DATA", ""), "the edge's data directory")

	return cmd
}
