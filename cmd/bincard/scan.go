package main

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"bincard/tui/scan/report"
)

// scanCommand shows how codes are parsed. It returns an error after all output if a code
// has problems.
func scanCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "scan [CODE]",
		Short: "Show how a scanned code is parsed",
		Long: `Show how a scanned code is parsed: GS1 element strings with or without separators
(0x1D) and symbology prefix, their bracketed form, GS1 Digital Links, and plain
EAN-8, UPC-A, EAN-13 and ITF-14 numbers.

Without CODE, codes are read from standard input, one per line. The exit status
is 1 if any code has a problem.`,
		Example: `  bincard scan '(01)09506000134352(10)ABC(17)270131'
  printf ']C10109506000134352\n' | bincard scan --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cmd.SilenceUsage = true
			return runScan(args, cmd.InOrStdin(), cmd.OutOrStdout(), asJSON, clockNow())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	return cmd
}

// runScan explains the code in args, or each line of in.
func runScan(args []string, in io.Reader, out io.Writer, asJSON bool, now time.Time) error {
	write := report.Words
	if asJSON {
		write = report.JSON
	}
	count, err := report.Count{}, error(nil)
	if len(args) == 1 {
		count, err = report.Code(args[0], out, write, now)
	} else {
		count, err = report.Codes(in, out, write, now)
	}
	if err != nil {
		return err
	}
	return count.Err()
}
