package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/config"
	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// english is nil: a nil Translator returns texts in English, which commands print.
var english *i18n.Translator

// The exit statuses of job commands besides 0.
const (
	statusRefused = 1
	statusUsage   = 2
	statusUnknown = 3
	statusAlarm   = 4 // bincard status --check: something needs attention
)

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
	var translated *translatedError
	if errors.As(err, &translated) {
		return translated.text
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

// say prints a text for people. It may quote names and messages from elsewhere, which must
// not give orders to the reader's terminal.
func say(w io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintln(w, widget.CleanLines(fmt.Sprintf(format, args...)))
	return err
}

// printResult prints result as JSON if asJSON is set, else text.
func printResult(cmd *cobra.Command, asJSON bool, result any, text string) error {
	if !asJSON {
		return say(cmd.OutOrStdout(), "%s", text)
	}
	data, err := json.Marshal(result, jsontext.SpaceAfterComma(false))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", data)
	return err
}

// A statusError ends the program with its exit status.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// getenvOr returns the environment variable, or otherwise if it is empty.
func getenvOr(name, otherwise string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// A translatedError is an error of the terminal in the operator's language.
type translatedError struct {
	text string
	err  error
}

func (e *translatedError) Error() string { return e.text }
func (e *translatedError) Unwrap() error { return e.err }

// translated returns err in the operator's language, or as it is if that is not possible.
func translated(cfg config.Config, err error) error {
	if err == nil {
		return nil
	}
	t, _, _ := cfg.Translator(cfg.OperatorName(), os.Environ())
	english := errorSentence(err)
	if text := t.Message(english); text != english {
		return &translatedError{text, err}
	}
	return err
}
