package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"bincard/tui/words"
)

// wordsFile is the file of translated texts, one per line.
func wordsFile() string { return filepath.Join(xdg.ConfigHome, "bincard", "words.txt") }

// useWords loads the translated texts before the first screen opens. Unusable lines
// are reported and stay in English.
func useWords() (notes []string) {
	f, err := os.Open(wordsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []string{fmt.Sprintf("Cannot read the texts in %s: %v.", wordsFile(), err)}
	}
	defer f.Close()
	problems, err := words.Load(f)
	if err != nil {
		return []string{fmt.Sprintf("Cannot read the texts in %s: %v.", wordsFile(), err)}
	}
	for _, p := range problems {
		notes = append(notes, filepath.Base(wordsFile())+", "+p.String())
	}
	return notes
}

// wordsCommand prints all texts of the terminal.
func wordsCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "words",
		Short: "Print all texts of the terminal for translation",
		Long: `Print all texts of the terminal, one "key = text" per line, for translation. Put
the changed lines in words.txt beside config.toml. Keep placeholders such as %s
and {pending}; if their order changes, number them (%[2]s %[1]s).

--check reports the errors in that file; the exit status is 1 if there are any.`,
		Example: `  bincard words | grep inbounds
  bincard words --check`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			notes := useWords()
			if !check {
				return words.Write(cmd.OutOrStdout(), words.All())
			}
			for _, n := range notes {
				fmt.Fprintln(cmd.OutOrStdout(), n)
			}
			if len(notes) > 0 {
				return fmt.Errorf("%d lines of %s are ignored", len(notes), wordsFile())
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "report errors in words.txt")
	return cmd
}
