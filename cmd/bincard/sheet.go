package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"bincard/tui"
	"bincard/tui/scan/sheet"
	"bincard/views/export"
)

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
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := writeCommands
			if badges {
				cfg, err := readConfig()
				if err != nil {
					return err
				}
				people, _ := cfg.companyOperators()
				cards := people.Cards()
				if len(cards) == 0 {
					return fmt.Errorf("no operator has a badge: add one with 'bincard operator add'")
				}
				write = func(w io.Writer) error {
					return sheet.Write(w, "Bincard", "", cards)
				}
			}
			if out == "" {
				return write(cmd.OutOrStdout())
			}
			return export.WriteFile(english, out, 0o644, write)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the file to write; standard output if omitted")
	cmd.Flags().BoolVar(&badges, "badges", false, "print the operators' badges")
	return cmd
}

func writeCommands(w io.Writer) error {
	var cards []sheet.Card
	for _, c := range tui.Commands() {
		cards = append(cards, sheet.Card{Title: c.Title(english), Hint: c.Hint(english), Code: c.Code()})
	}
	return sheet.Write(w, tui.SheetTitle(english), tui.SheetNote(english), cards)
}
