package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bincard/server/archive"
	"bincard/server/ledger"
	"bincard/server/local"
)

// verifyCommand proves the ledger in a data directory.
func verifyCommand() *cobra.Command {
	var dir string
	var asJSON, pages, lines bool
	cmd := &cobra.Command{
		Use:   "verify --data DIR",
		Short: "Prove that every balance is what its movements add up to",
		Long: `Read every record of the ledger and prove that the movements add up to the
balances, that each one continues the one before, and that open documents stand
behind what is reserved, committed and incoming. The exit status is 1 where
something does not add up, and the balance is named.

The ledger may be in use: then the service or the terminal that has it open
proves a copy of it, as of one instant and page by page, and goes on meanwhile;
that takes the ledger's space twice more in the data directory for the while. A
service does it by itself too, see --verify-every of 'bincard serve'.`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := requireFlags(cmd, "data"); err != nil {
				return err
			}
			ctx := cmd.Context()
			if lines {
				return withExistingLedger(ctx, dir, func(desk local.Admin) error {
					local.WriteProgress(cmd.OutOrStdout(), nil, func(told archive.ProgressFunc) (*ledger.VerifyResult, error) { return desk.Verify(ctx, pages, told) })
					return nil
				})
			}
			told, done := showProgress(cmd.ErrOrStderr())
			defer done()
			return withExistingLedger(ctx, dir, func(desk local.Admin) error {
				proof, err := desk.Verify(ctx, pages, told)
				done()
				if ctx.Err() != nil {
					return errors.New("stopped; nothing was proven")
				}
				if err != nil {
					return err
				}
				if err := printResult(cmd, asJSON, proof, formatProof(proof)); err != nil {
					return err
				}
				if len(proof.Faults) > 0 {
					return errors.New("the ledger does not add up; keep a copy of the data directory before anything else")
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", getenvOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().BoolVar(&pages, "pages", false, "check the pages of the file as well")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&lines, "lines", false, "tell progress and outcome in lines of JSON, for the process that waits for it")
	_ = cmd.Flags().MarkHidden("lines")
	return cmd
}

// formatProof is a proof as people read it.
func formatProof(proof *ledger.VerifyResult) string {
	var words strings.Builder
	for _, f := range proof.Faults {
		fmt.Fprintf(&words, "! %s\n", f)
	}
	fmt.Fprintf(&words, "%d balances, %d movements in %d records, %d documents: ",
		proof.Balances, proof.Movements, proof.Records, proof.Documents)
	if len(proof.Faults) == 0 {
		words.WriteString("everything adds up.")
	} else {
		fmt.Fprintf(&words, "%d faults.", len(proof.Faults))
	}
	return words.String()
}
