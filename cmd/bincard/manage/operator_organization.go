package manage

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/server/api"
	"bincard/views/session"
)

// WithSite runs fn on the configured ledger or service, if there is one.
type WithSite func(cmd *cobra.Command, fn func(context.Context, *session.Site) error) error

// people are the operators of the organization that a site is for.
type people struct {
	*session.Site
	ctx  context.Context
	list []api.Operator
}

// onOrganization runs fn with the operators of the organization. It reports false if those of this
// terminal count.
func onOrganization(
	cmd *cobra.Command,
	site WithSite,
	fn func(*people) error,
) (done bool, err error) {
	if local, _ := cmd.Flags().GetBool("local"); local {
		return false, nil
	}

	cfg, err := config.Read()
	if err != nil {
		return false, err
	}

	err = site(cmd, func(ctx context.Context, s *session.Site) error {
		list, err := s.Operators(ctx)
		done = err == nil && (len(list) > 0 || len(cfg.Operators) == 0 || cmd.Name() == "move")
		switch {
		case done:
			return fn(&people{s, ctx, list})
		case session.IsUnsupported(err):
			return nil
		}

		return err
	})

	return done, err
}

// saveOperator creates or changes an operator of the organization: what is not given stays.
func (p *people) save(o config.Operator, pin string) error {
	in := api.CreateOperatorInput{Name: o.Name, Role: api.Role(o.Role), Language: o.Language}
	in.Badge, in.PIN = p.PublicKeys(o.Badge, pin)
	if known := p.named(o.Name); known != nil {
		_, err := session.Call(p.ctx, p.Site, api.ChangeOperator, api.ChangeOperatorInput{OperatorID: known.ID,
			Role: in.Role, Language: in.Language, Badge: in.Badge, PIN: in.PIN, Removed: new(bool)})
		return err
	}

	in.Role = cmp.Or(in.Role, api.Worker)
	_, err := session.Call(p.ctx, p.Site, api.CreateOperator, in)

	return err
}

func (p *people) named(name string) *api.Operator {
	for i := range p.list {
		if strings.EqualFold(p.list[i].Name, name) {
			return &p.list[i]
		}
	}
	return nil
}

func operatorLine(o *api.Operator) string {
	line := fmt.Sprintf("%-20s %s", o.Name, o.Role)
	if o.PIN != "" {
		line += ", with PIN"
	}
	if o.Removed {
		line += ", removed"
	}
	return line
}

// operatorMoveCommand moves the operators of this terminal to the organization.
func operatorMoveCommand(site WithSite) *cobra.Command {
	return &cobra.Command{Use: "move", Short: "Move the operators of this terminal to the organization",
		Long: `Move the operators in config.toml to the organization, with their badges. A PIN
is stored as a hash there and cannot be moved: set a new one, as the command
says. SSH keys and passwords stay.`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.Read()
			if err != nil {
				return err
			}

			done, err := onOrganization(cmd, site, func(p *people) error {
				for _, o := range cfg.Operators {
					role := cmp.Or(o.Role, config.Supervisor)
					if o.PIN != "" || o.Badge == "" {
						fmt.Fprintf(cmd.ErrOrStderr(), "%s needs a new PIN: bincard operator add %q --role %s --pin\n",
							o.Name, o.Name, role)
					}
					if o.Badge == "" || p.named(o.Name) != nil {
						continue
					}

					o.Role = role
					if err := p.save(o, ""); err != nil {
						return fmt.Errorf("%s: %w", o.Name, err)
					}
					_ = cli.Say(cmd.OutOrStdout(), "Moved %s", o.Name)
				}

				return nil
			})
			if !done && err == nil {
				err = cli.UsageErrorf("there is no organization to move to: use --data, --store or --url")
			}

			return err
		}}
}
