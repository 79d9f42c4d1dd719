//go:build noterminal

package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/config"
)

// terminal fails: this program has the commands only. The tests of commands use it, so that
// they need not run again when a screen changes.
func terminal(context.Context, config.Config, []string, io.Writer) error {
	return errors.New("this program was built without the terminal")
}

// terminalCommands returns the commands that run the terminal: none.
func terminalCommands() []*cobra.Command { return nil }
