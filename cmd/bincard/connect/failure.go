package connect

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/submit"
)

// StatusOf returns the exit status for a job's error.
func StatusOf(err error) int {
	var usage *cli.UsageError
	var unsure *submit.UnknownOutcomeError
	var withStatus *cli.StatusError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &withStatus):
		return withStatus.Status
	case errors.As(err, &usage):
		return cli.StatusUsage
	case errors.As(err, &unsure),
		api.HasCode(err, api.Unavailable),
		errors.Is(err, context.DeadlineExceeded),
		leavesOpen(err):
		return cli.StatusUnknown
	}

	return cli.StatusRefused
}

// leavesOpen reports whether an error says nothing about what the service decides.
func leavesOpen(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Details["outcome"] != nil
}

// Fail turns a command's error into one with an exit status and, with --json, prints it.
// key is the idempotency key of the command, or "" if it has none; printed is whether its result
// was printed.
func Fail(cmd *cobra.Command, err error, key string, printed bool) error {
	if err == nil {
		return nil
	}

	status := StatusOf(err)
	if status == cli.StatusUsage {
		return err
	}

	cfg, _ := config.Read() // else the language of the environment
	_ = overlayLedger(&cfg, cmd)
	t := translator(cfg)
	text := errorText(t, err)
	add := func(advice string) {
		if advice != "" {
			text += " " + advice
		}
	}

	if cmd.Flags().Lookup("swap") != nil {
		add(lotAdvice(t, err))
	}
	if isRefusedWork(err) {
		add(t.Message(i18n.Textf("It is kept as failed: see 'bincard outbox list'.")))
	}

	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON && !printed {
		var e *api.Error
		result := struct {
			Done   bool        `json:"done"`
			Unsure bool        `json:"unsure"`
			Words  string      `json:"words"`
			Key    string      `json:"key,omitzero"`
			Code   api.Code    `json:"code"`
			Detail api.Details `json:"details,omitzero"`
		}{Unsure: status == cli.StatusUnknown, Words: text, Key: key, Code: errorCode(err)}
		if errors.As(err, &e) {
			result.Detail = e.Details
		}
		if err := cli.PrintResult(cmd, true, result, ""); err != nil {
			return err
		}
	}

	if e := api.AsError(err); e.Details["insist"] == true {
		add(
			t.Message(
				i18n.Textf("If the items have already moved, repeat the command with --force to save it at risk; " +
					"the service decides."),
			),
		)
	}
	if status == cli.StatusUnknown && key != "" {
		add(t.Message(i18n.Textf("The key is %s.", key)))
	}

	return &cli.StatusError{Status: status, Err: errors.New(text)}
}

// A RefusedWorkError reports that the service rejected work that the node had saved.
type RefusedWorkError struct{ Err *api.Error }

func (e *RefusedWorkError) Error() string { return e.Err.Error() }

func (e *RefusedWorkError) Unwrap() error { return e.Err }

// isRefusedWork reports whether an error is a rejection of saved work, which waits for a
// decision.
func isRefusedWork(err error) bool { return errors.As(err, new(*RefusedWorkError)) }
