// Bincard is a terminal for warehouse staff and the inventory ledger service
// behind it, in one binary.
//
// This package has flags, the configuration and the wiring; a file is a command
// (root.go lists them). config.go reads the settings, and backend.go connects to
// what they name: a ledger, a service, or the node in front of it. Then terminal.go
// and ssh.go run sessions of the terminal, job.go does single jobs, and admin.go
// administers ledgers.
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
	_ "bincard/tui/background" // before Bubble Tea asks for the background color
)

func main() { os.Exit(run(os.Args[1:])) }

// run is the whole program; its result is the exit status: 0 done, 1 failed,
// 2 wrong usage, 3 of a job that may or may not be done.
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
	var own *statusError
	if errors.As(err, &own) {
		return own.status
	}
	return 1
}

// A usageError is an invalid command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usageErrorf(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// atMost allows up to n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return usageErrorf("%s takes at most %d arguments, not %q", cmd.CommandPath(), n, args)
		}
		return nil
	}
}

// requireFlags returns an error if a required flag is missing.
func requireFlags(cmd *cobra.Command, flags ...string) error {
	for _, f := range flags {
		if cmd.Flag(f).Value.String() == "" {
			return usageErrorf("%s needs --%s", cmd.CommandPath(), f)
		}
	}
	return nil
}

// errorSentence returns an error's message for a person.
func errorSentence(err error) string {
	var e *api.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	if e.Err != nil {
		return fmt.Sprintf("%s (%v)", strings.TrimSuffix(e.Message, "."), e.Err)
	}
	return e.Message
}

// printResult prints the result of a command: JSON for machines, words for people.
func printResult(cmd *cobra.Command, asJSON bool, result any, words string) error {
	if !asJSON {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), words)
		return err
	}
	text, err := json.Marshal(result, jsontext.SpaceAfterComma(false))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", text)
	return err
}
