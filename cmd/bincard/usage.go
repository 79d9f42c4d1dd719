package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"bincard/server/api"
)

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
