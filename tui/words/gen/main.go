// Gen writes words_table.go, which hands the texts of words.go in the present
// folder to the table of all words.
package main

import (
	"fmt"
	"os"

	"bincard/tui/words/gen/table"
)

func main() {
	text, err := table.Of(".")
	if err == nil {
		err = os.WriteFile(table.File, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(1)
	}
}
