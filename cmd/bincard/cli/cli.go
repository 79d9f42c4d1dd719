package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"bincard/cmd/bincard/config"
	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// English is nil: a nil Translator returns texts in English, which commands print.
var English *i18n.Translator

// The exit statuses of job commands besides 0.
const (
	StatusRefused = 1
	StatusUsage   = 2
	StatusUnknown = 3
	StatusAlarm   = 4 // bincard status --check: something needs attention
)

// A UsageError reports an invalid command line.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// UsageErrorf returns a *UsageError.
func UsageErrorf(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// ParseTime parses the value of a flag as i18n.ParseTime does, in the zone of the machine; nil for
// an empty text. If ends is set, a day means its end. Dates with slashes are not taken: which number
// is the month differs by country.
func ParseTime(flag, text string, ends bool) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}
	at, onlyDay, ok := English.ParseTime(text, ClockNow().Local())
	if onlyDay && ends {
		at = at.AddDate(0, 0, 1).Add(-time.Millisecond)
	}
	if !ok || strings.Contains(text, "/") {
		return nil, UsageErrorf("--%s must be a day like 2026-03-31, or a time like 2026-03-31T14:00 or "+
			"2026-03-31T14:00:00Z, not %q", flag, text)
	}

	return &at, nil
}

// AtMost accepts up to n arguments.
func AtMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return UsageErrorf("%s takes at most %d arguments, not %q", cmd.CommandPath(), n, args)
		}
		return nil
	}
}

// RequireFlags returns an error if one of the flags is empty.
func RequireFlags(cmd *cobra.Command, flags ...string) error {
	for _, f := range flags {
		if cmd.Flag(f).Value.String() == "" {
			return UsageErrorf("%s needs --%s", cmd.CommandPath(), f)
		}
	}

	return nil
}

// ErrorSentence returns the message to show for an error.
func ErrorSentence(err error) string {
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

// Say prints a text for people. It may quote names and messages from elsewhere, which must
// not give orders to the reader's terminal.
func Say(w io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintln(w, widget.CleanLines(fmt.Sprintf(format, args...)))
	return err
}

// PrintResult prints result as JSON if asJSON is set, else text.
func PrintResult(cmd *cobra.Command, asJSON bool, result any, text string) error {
	if !asJSON {
		return Say(cmd.OutOrStdout(), "%s", text)
	}

	data, err := json.Marshal(result, jsontext.SpaceAfterComma(false))
	if err != nil {
		return err
	}

	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", data)

	return err
}

// A StatusError ends the program with its exit status.
type StatusError struct {
	Status int
	Err    error
}

func (e *StatusError) Error() string { return e.Err.Error() }
func (e *StatusError) Unwrap() error { return e.Err }

// GetenvOr returns the environment variable, or otherwise if it is empty.
func GetenvOr(name, otherwise string) string {
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

// Translated returns err in the operator's language, or as it is if that is not possible.
func Translated(cfg config.Config, err error) error {
	if err == nil {
		return nil
	}

	t, _, _ := cfg.Translator(cfg.OperatorName(), os.Environ())
	english := ErrorSentence(err)
	if text := t.Message(english); text != english {
		return &translatedError{text, err}
	}

	return err
}

// ParseCount parses a whole number, with or without thousands separators.
func ParseCount(text string) (n int64, err error) {
	_, err = fmt.Sscanf(strings.ReplaceAll(text, ",", "")+" .", "%d .", &n)
	return n, err
}

// StateFlag returns a usage error if the flag does not name a known state.
func StateFlag(flag, state string, known []string) error {
	if !slices.Contains(known, state) {
		return UsageErrorf("--%s must be one of %s, not %q", flag, strings.Join(known, ", "), state)
	}
	return nil
}

// Plural returns n with a noun in the singular or plural.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
