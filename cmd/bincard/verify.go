package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bincard/server/admin"
	"bincard/server/archive"
	"bincard/server/ledger/audit"
)

// verifyCommand verifies the ledger in a data directory.
func verifyCommand() *cobra.Command {
	var dir string
	var asJSON, pages, lines bool
	cmd := &cobra.Command{
		Use:   "verify --data DIR",
		Short: "Verify that movements add up to the balances",
		Long: `Read every journal entry and verify that the movements add up to the balances,
that each movement continues the one before, and that open documents account for
reserved, committed and incoming stock. If something does not add up, the exit
status is 1 and the balance is named.

The ledger may be in use: the service or terminal that has it open verifies a
consistent copy, including its pages, and keeps working; this temporarily needs
twice the ledger's space in the data directory. A service can also do it by
itself; see --verify-every of 'bincard serve'.`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := requireFlags(cmd, "data"); err != nil {
				return err
			}
			ctx := cmd.Context()
			if lines {
				return withExistingLedger(ctx, dir, func(a admin.Admin) error {
					admin.WriteProgress(cmd.OutOrStdout(), nil, func(progress archive.ProgressFunc) (*audit.Result, error) {
						return a.Verify(ctx, pages, progress)
					})
					return nil
				})
			}
			progress, done := showProgress(cmd.ErrOrStderr())
			defer done()
			return withExistingLedger(ctx, dir, func(a admin.Admin) error {
				proof, err := a.Verify(ctx, pages, progress)
				done()
				if ctx.Err() != nil {
					return errors.New("stopped; nothing was verified")
				}
				if err != nil {
					return err
				}
				if err := printResult(cmd, asJSON, proof, formatProof(proof)); err != nil {
					return err
				}
				if len(proof.Faults) > 0 {
					return errors.New("the ledger does not add up; keep a copy of the data directory before you do anything else")
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().BoolVar(&pages, "pages", false, "also check the file's pages")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&lines, "lines", false, "print progress and result as JSON lines, for the parent process")
	_ = cmd.Flags().MarkHidden("lines")
	return cmd
}

// formatProof formats the result of a verification.
func formatProof(proof *audit.Result) string {
	var words strings.Builder
	for _, f := range proof.Faults {
		fmt.Fprintf(&words, "! %s\n", f)
	}
	fmt.Fprintf(&words, "%d balances, %d movements in %d entries, %d documents: ",
		proof.Balances, proof.Movements, proof.Records, proof.Documents)
	if len(proof.Faults) == 0 {
		words.WriteString("everything adds up.")
	} else {
		fmt.Fprintf(&words, "%d faults.", len(proof.Faults))
	}
	return words.String()
}
