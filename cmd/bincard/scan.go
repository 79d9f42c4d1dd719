package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/export"
)

// scanCommand shows how codes are parsed. It returns an error after all output if a code
// has problems.
func scanCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "scan [CODE]",
		Short: "Show how a scanned code is parsed",
		Long: `Show how a scanned code is parsed: GS1 element strings with or without
separators (0x1D) and symbology prefix, their bracketed form, GS1 Digital Links,
and plain EAN-8, UPC-A, EAN-13 and ITF-14 numbers.

Without CODE, codes are read from standard input, one per line. The exit status
is 1 if any code has a problem.`,
		Example: `  bincard scan '(01)09506000134352(10)ABC(17)270131'
  printf ']C10109506000134352\n' | bincard scan --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cmd.SilenceUsage = true
			return runScan(args, cmd.InOrStdin(), cmd.OutOrStdout(), asJSON, cli.ClockNow())
		},
	}

	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	cmd.Flags().Bool("demo", false, "accepted as by other commands; a code is parsed without a ledger")

	return cmd
}

// runScan explains the code in args, or each line of in.
func runScan(args []string, in io.Reader, out io.Writer, asJSON bool, now time.Time) error {
	write := scan.WriteText
	if asJSON {
		write = scan.WriteJSON
	}

	count, err := scan.ReportCount{}, error(nil)
	if len(args) == 1 {
		count, err = scan.ReportCode(args[0], out, write, now)
	} else {
		count, err = scan.ReportCodes(in, out, write, now)
	}

	if err != nil {
		return err
	}

	return count.Err()
}

// sheetCommand writes a page of command barcodes or badges.
func sheetCommand() *cobra.Command {
	var out string
	var badges bool
	cmd := &cobra.Command{
		Use:   "sheet",
		Short: "Print command barcodes or badges",
		Long: `Write a page of command barcodes to print: confirm, back, full quantity, next,
damaged, close short, undo and log off. Scanned on any screen, each runs that
screen's action; an unavailable one says why. They are never read as items.

With --badges the page holds the operators' badges instead.`,
		Example: `  bincard sheet -o commands.html
  bincard sheet --badges -o badges.html`,
		Args: cli.AtMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := writeCommands
			if badges {
				cfg, err := config.Read()
				if err != nil {
					return err
				}

				people, _ := cfg.CompanyOperators()
				cards := people.Cards()
				if len(cards) == 0 {
					return fmt.Errorf("no operator has a badge: add one with 'bincard operator add'")
				}

				write = func(w io.Writer) error {
					return scan.WriteSheet(w, "Bincard", "", cards)
				}
			}

			if out == "" {
				return write(cmd.OutOrStdout())
			}

			return export.WriteFile(cli.English, out, 0o644, write)
		},
	}

	cmd.Flags().StringVarP(&out, "out", "o", "", "the file to write; standard output if omitted")
	cmd.Flags().BoolVar(&badges, "badges", false, "print the operators' badges")

	return cmd
}

func writeCommands(w io.Writer) error {
	var cards []scan.Card
	for _, c := range tui.Commands() {
		cards = append(cards, scan.Card{Title: c.Title(cli.English), Hint: c.Hint(cli.English), Code: c.Code()})
	}
	return scan.WriteSheet(w, tui.SheetTitle(cli.English), tui.SheetNote(cli.English), cards)
}
