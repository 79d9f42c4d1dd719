package manage

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/server/api"
	"bincard/views/session"
)

// OperatorCommand manages the operators of the organization, or of this terminal. flags adds the
// flags that site reads.
func OperatorCommand(flags func(*cobra.Command), site WithSite) *cobra.Command {
	cmd := &cobra.Command{Use: "operator", Short: "Manage operators", Args: cli.AtMost(0),
		Long: `Manage operators. Once there is one, terminals ask for a badge or a name first,
and record the name with every movement. The operators of the organization work
at all its terminals. Those in config.toml work here without a ledger
or service, with --local, and until 'bincard operator move' has moved them.`}
	for _, c := range []*cobra.Command{operatorAddCommand(site), operatorListCommand(site),
		operatorRemoveCommand(site), operatorMoveCommand(site)} {
		flags(c)
		c.Flags().Bool("local", false, "the operators in config.toml of this terminal")
		cmd.AddCommand(c)
	}

	cmd.AddCommand(operatorKeyCommand(), operatorPasswordCommand())

	return cmd
}

func operatorAddCommand(site WithSite) *cobra.Command {
	var o config.Operator
	var pin bool
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add or change an operator",
		Long: `Add an operator, or change one: what is not given stays. A new operator is a
worker, who needs a supervisor's badge for what [roles.worker] in config.toml
does not allow; see 'bincard help operators'.`,
		Example: `  bincard operator add Eve --badge 'EVE-0043' --role supervisor --pin
  bincard operator add Ada --badge 'ADA-0042'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name = strings.TrimSpace(args[0])
			o.Company, _ = cmd.Flags().GetString("org")
			languages, _ := config.Languages()
			_, known := languages.Find(o.Language)
			switch {
			case o.Name == "":
				return cli.UsageErrorf("the name is empty")
			case (&api.Request{Operator: o.Name}).CheckPeople() != nil:
				return cli.UsageErrorf("a name must not read like an approval: leave out \"approved by\"")
			case o.Role != "" && o.Role != config.Worker && o.Role != config.Supervisor:
				return cli.UsageErrorf("--role must be worker or supervisor, not %q", o.Role)
			case o.Language != "" && !known:
				return cli.UsageErrorf("unknown --language %q: use one of %s", o.Language,
					strings.Join(languages.Codes(), ", "))
			case o.Badge != "" && len([]rune(o.Badge)) < config.MinBadge:
				return cli.UsageErrorf("--badge needs at least %d characters: shorter codes look like typing",
					config.MinBadge)
			}

			var secret string
			var err error
			if pin {
				if secret, err = askPIN(cmd); err != nil {
					return err
				}
			}

			done, err := onOrganization(cmd, site, func(p *people) error {
				err := p.save(o, secret)
				if err == nil {
					err = cli.Say(cmd.OutOrStdout(), "%s is saved in the organization", o.Name)
				}
				return err
			})
			if done || err != nil {
				return err
			}

			cfg, err := config.Read()
			if err != nil {
				return err
			}
			for _, other := range cfg.Operators {
				if o.Badge != "" && strings.EqualFold(other.Badge, o.Badge) && !strings.EqualFold(other.Name, o.Name) {
					return fmt.Errorf("the badge %s already belongs to %s", o.Badge, other.Name)
				}
			}

			if pin {
				if o.PIN, err = config.HashPIN(secret); err != nil {
					return err
				}
			}

			if i := cfg.Operators.IndexOf(o.Name, o.Company); i >= 0 {
				o.Keys, o.Password = cfg.Operators[i].Keys, cfg.Operators[i].Password
				if !pin {
					o.PIN = cfg.Operators[i].PIN
				}
				o.Badge = cmp.Or(o.Badge, cfg.Operators[i].Badge)
				o.Language = cmp.Or(o.Language, cfg.Operators[i].Language)
				o.Role = cmp.Or(o.Role, cfg.Operators[i].Role, config.Supervisor)
				cfg.Operators[i] = o
			} else {
				o.Role = cmp.Or(o.Role, config.Worker)
				cfg.Operators = append(cfg.Operators, o)
			}

			if err := cfg.Save(); err != nil {
				return err
			}

			_ = cli.Say(cmd.OutOrStdout(), "%s can work here as %s; restart open terminals to apply this", o.Name,
				o.Role)
			if note := o.NoPINNote(); note != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), note)
			}
			if !cfg.Operators.HasSupervisor() {
				fmt.Fprintln(cmd.ErrOrStderr(), config.NoSupervisorNote())
			}

			return nil
		},
	}

	cmd.Flags().StringVar(&o.Badge, "badge", "", "the badge's code")
	cmd.Flags().StringVar(&o.Role, "role", "",
		"worker (the default for a new operator) or supervisor, who may do everything")
	cmd.Flags().StringVar(&o.Language, "language", "", "the code of the operator's language; the terminal's if omitted")
	cmd.Flags().BoolVar(&pin, "pin", false, "ask for a PIN, also needed with the badge")

	return cmd
}

// askPIN asks for a PIN.
func askPIN(cmd *cobra.Command) (string, error) {
	pin, err := askSecret(cmd, "PIN: ")
	pin = strings.TrimSpace(pin)
	if err != nil {
		return "", fmt.Errorf("no PIN was entered: %w", err)
	}
	if len([]rune(pin)) < config.MinPIN {
		return "", fmt.Errorf("the PIN needs at least %d characters", config.MinPIN)
	}

	return pin, nil
}

func operatorListCommand(site WithSite) *cobra.Command {
	return &cobra.Command{Use: "list", Short: "List the operators", Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			done, err := onOrganization(cmd, site, func(p *people) error {
				for i := range p.list {
					_ = cli.Say(cmd.OutOrStdout(), "%s", operatorLine(&p.list[i]))
				}
				return nil
			})
			if done || err != nil {
				return err
			}

			cfg, err := config.Read()
			if err != nil {
				return err
			}

			for _, o := range cfg.Operators {
				role, pin := o.Role, ""
				if role == "" {
					role = config.Supervisor
				}
				if o.PIN != "" {
					pin = "with PIN"
				}

				_ = cli.Say(
					cmd.OutOrStdout(),
					"%s",
					strings.TrimRight(fmt.Sprintf("%-20s %-12s %-20s %-9s %s", o.Name, role, o.Badge, pin, o.Company),
						" "),
				)
			}

			_, notes := cfg.CompanyOperators()
			for _, n := range notes {
				_ = cli.Say(cmd.ErrOrStderr(), "%s", n)
			}

			return nil
		}}
}

func operatorRemoveCommand(site WithSite) *cobra.Command {
	cmd := &cobra.Command{Use: "remove NAME", Short: "Remove an operator", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			done, err := onOrganization(cmd, site, func(p *people) error {
				o := p.named(args[0])
				if o == nil {
					return fmt.Errorf("there is no operator %s; see 'bincard operator list'", args[0])
				}
				removed := true
				_, err := session.Call(p.ctx, p.Site, api.ChangeOperator,
					api.ChangeOperatorInput{OperatorID: o.ID, Removed: &removed})
				if err == nil {
					err = cli.Say(cmd.OutOrStdout(), "Removed %s", o.Name)
				}
				return err
			})
			if done || err != nil {
				return err
			}

			company, _ := cmd.Flags().GetString("org")
			cfg, err := config.Read()
			if err != nil {
				return err
			}

			i := cfg.Operators.IndexOf(args[0], company)
			if i < 0 {
				return fmt.Errorf("there is no operator %s; see 'bincard operator list'", args[0])
			}

			cfg.Operators = append(cfg.Operators[:i], cfg.Operators[i+1:]...)
			if err := cfg.Save(); err != nil {
				return err
			}

			_ = cli.Say(cmd.OutOrStdout(), "Removed %s", args[0])

			return nil
		}}

	return cmd
}
