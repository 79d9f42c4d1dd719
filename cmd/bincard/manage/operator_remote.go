package manage

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/term"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/tui/remote"
)

// operatorKeyCommand lets an operator log on over SSH with a public key.
func operatorKeyCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "key NAME FILE|KEY",
		Short: "Let an operator log on over SSH with a public key",
		Long: `Let an operator log on over SSH with a public key, given as a file or as text
("ssh-ed25519 AAAA… ada@quay"). --remove removes it.`,
		Example: "  bincard operator key Ada ~/.ssh/ada.pub",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text := args[1]
			if raw, err := os.ReadFile(text); err == nil {
				text = string(raw)
			}

			key, comment, _, _, err := gossh.ParseAuthorizedKey([]byte(text))
			if err != nil {
				return cli.UsageErrorf(
					"%q is neither a public key nor a file with one: a key starts like ssh-ed25519 AAAA…", args[1])
			}

			line := strings.TrimSpace(strings.TrimSpace(string(gossh.MarshalAuthorizedKey(key))) + " " + comment)

			return changeOperator(args[0], func(o *config.Operator) string {
				o.Keys = slices.DeleteFunc(o.Keys, func(k string) bool {
					known, _, _, _, err := gossh.ParseAuthorizedKey([]byte(k))
					return err == nil && string(known.Marshal()) == string(key.Marshal())
				})
				if remove {
					return fmt.Sprintf("%s can no longer log on with %s", o.Name, gossh.FingerprintSHA256(key))
				}

				o.Keys = append(o.Keys, line)

				return fmt.Sprintf("%s can log on with %s", o.Name, gossh.FingerprintSHA256(key))
			}, cmd)
		},
	}

	cmd.Flags().BoolVar(&remove, "remove", false, "remove the key")

	return cmd
}

// operatorPasswordCommand lets an operator log on over SSH with a password.
func operatorPasswordCommand() *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use:   "password NAME",
		Short: "Let an operator log on over SSH with a password",
		Long: `Let an operator log on over SSH with a password, typed without echo or read from
standard input, and stored as a hash. --remove removes it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			hash := ""
			if _, err := knownOperator(args[0]); err != nil {
				return err
			}

			if !remove {
				text, err := askSecret(cmd, "Password: ")
				if err != nil {
					return fmt.Errorf("no password was entered: %w", err)
				}
				if len([]rune(text)) < remote.MinPassword {
					return fmt.Errorf("the password needs at least %d characters", remote.MinPassword)
				}
				if hash, err = remote.HashPassword(text); err != nil {
					return fmt.Errorf("cannot save the password: %w", err)
				}
			}

			return changeOperator(args[0], func(o *config.Operator) string {
				o.Password = hash
				if remove {
					return o.Name + " no longer has a password"
				}
				return o.Name + " can log on with a password"
			}, cmd)
		},
	}

	cmd.Flags().BoolVar(&remove, "remove", false, "remove the password")

	return cmd
}

// changeOperator changes an operator in the settings and prints the text that change
// returns.
func changeOperator(name string, change func(*config.Operator) string, cmd *cobra.Command) error {
	cfg, err := knownOperator(name)
	if err != nil {
		return err
	}

	words := change(&cfg.Operators[cfg.Operators.Index(name)])
	if err := cfg.Save(); err != nil {
		return err
	}

	_ = cli.Say(cmd.OutOrStdout(), "%s", words)

	return nil
}

// knownOperator returns the configuration. It is an error if the operator does not exist.
func knownOperator(name string) (config.Config, error) {
	cfg, err := config.Read()
	if err == nil && cfg.Operators.Index(name) < 0 {
		err = fmt.Errorf("there is no operator %s: add one with 'bincard operator add'", name)
	}
	return cfg, err
}

// askSecret reads a line from standard input; on a terminal, it prompts and does not
// echo.
func askSecret(cmd *cobra.Command, what string) (string, error) {
	if file, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		fmt.Fprint(cmd.ErrOrStderr(), what)
		text, err := term.ReadPassword(int(file.Fd()))
		fmt.Fprintln(cmd.ErrOrStderr())
		return string(text), err
	}

	text, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if text != "" {
		err = nil
	}

	return strings.TrimRight(text, "\r\n"), err
}
