package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bincard/server"
)

// verifyCommand proves the ledger in a data directory.
func verifyCommand() *cobra.Command {
	var dir string
	var asJSON, pages bool
	cmd := &cobra.Command{
		Use:   "verify --data DIR",
		Short: "Prove that every balance is what its movements add up to",
		Long: `Read every record of the ledger and prove that the movements add up to the
balances, that each one continues the one before, and that open documents stand
behind what is reserved, committed and incoming. The exit status is 1 where
something does not add up, and the balance is named. Nobody may have the ledger
open; a service that runs proves itself, see --verify-every of 'bincard serve'.`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := need(cmd, "data"); err != nil {
				return err
			}
			if _, err := os.Stat(dir); err != nil {
				return fmt.Errorf("there is no ledger in %s: %w", dir, err)
			}
			return on(dir, func(s *server.Server) error {
				if pages {
					if err := s.Store.Check(); err != nil {
						return err
					}
				}
				proof, err := s.Ledger.Verify(cmd.Context())
				if err != nil {
					return err
				}
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
				if err := answer(cmd, asJSON, proof, words.String()); err != nil {
					return err
				}
				if len(proof.Faults) > 0 {
					return errors.New("the ledger does not add up; keep a copy of the data directory before anything else")
				}
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&dir, "data", envOr("BINCARD_DATA", ""), "the data directory")
	cmd.Flags().BoolVar(&pages, "pages", false, "check the pages of the file as well")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
