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

// wordsFile holds the words that differ from the English ones, a line each.
func wordsFile() string { return filepath.Join(xdg.ConfigHome, "bincard", "words.txt") }

// useWords says what the file of words says, before the first screen opens.
// What cannot be used is told and left in English.
func useWords() (notes []string) {
	f, err := os.Open(wordsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []string{fmt.Sprintf("The words in %s cannot be read: %v.", wordsFile(), err)}
	}
	defer f.Close()
	problems, err := words.Load(f)
	if err != nil {
		return []string{fmt.Sprintf("The words in %s cannot be read: %v.", wordsFile(), err)}
	}
	for _, p := range problems {
		notes = append(notes, filepath.Base(wordsFile())+", "+p.String())
	}
	return notes
}

// wordsCommand prints all that the terminal says.
func wordsCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "words",
		Short: "Print all words of the terminal, to say them in another language",
		Long: `Print all words of the terminal, a line "key = text" each, to say them in another
language: put the lines that differ into the file words.txt beside config.toml.
Values such as %s and {pending} stay; where their order changes, they are
numbered (%[2]s %[1]s).

With --check the faults of that file are told, and the exit status is 1 when
there are any.`,
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
				return fmt.Errorf("%d lines of %s are not used", len(notes), wordsFile())
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "tell the faults of the file of words")
	return cmd
}
