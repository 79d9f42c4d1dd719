// Bincard is a terminal for warehouse staff and the inventory ledger service
// behind it, in one binary.
//
// This package has the flags, the configuration and the wiring. Each command is in a
// file of its own; root.go lists them. config.go reads the settings, and backend.go
// opens what they select: a ledger, a service, or the node in front of a service.
// terminal.go and ssh.go run sessions of the terminal, job.go runs single jobs, and
// admin.go administers ledgers.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"bincard/server/api"
	_ "bincard/tui/background" // must be initialized before Bubble Tea queries the background color
)

func main() { os.Exit(run(os.Args[1:])) }

// run runs the program and returns its exit status: 0 on success, 1 on failure, 2 for
// incorrect usage, or the status of a statusError.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cmd := rootCommand()
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "bincard:", errorSentence(err))
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintln(os.Stderr, "Run 'bincard --help' for usage.")
		return 2
	}
	var withStatus *statusError
	if errors.As(err, &withStatus) {
		return withStatus.status
	}
	return 1
}

// A usageError reports an invalid command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usageErrorf(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// atMost accepts up to n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usageErrorf("%s takes at most %d arguments, not %q", cmd.CommandPath(), n, args)
		}
		return nil
	}
}

// requireFlags returns an error if one of the flags is empty.
func requireFlags(cmd *cobra.Command, flags ...string) error {
	for _, f := range flags {
		if cmd.Flag(f).Value.String() == "" {
			return usageErrorf("%s needs --%s", cmd.CommandPath(), f)
		}
	}
	return nil
}

// errorSentence returns the message to show for an error.
func errorSentence(err error) string {
	var said *translatedError
	if errors.As(err, &said) {
		return said.text
	}
	var e *api.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	if e.Err != nil {
		return fmt.Sprintf("%s (%v)", strings.TrimSuffix(e.Message, "."), e.Err)
	}
	return e.Message
}

// printResult prints result as JSON if asJSON is set, else text.
func printResult(cmd *cobra.Command, asJSON bool, result any, text string) error {
	if !asJSON {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	}
	data, err := json.Marshal(result, jsontext.SpaceAfterComma(false))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", data)
	return err
}
