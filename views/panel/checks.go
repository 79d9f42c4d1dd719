package panel

import (
	"errors"
	"strconv"
	"strings"

	"bincard/tui/i18n"
)

// CheckReason returns a check that rejects an empty reason.
func CheckReason(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errors.New(t.Get("Enter a reason: it is saved with the document"))
		}
		return nil
	}
}

// CheckPositive returns a check that rejects quantities less than 1.
func CheckPositive(t *i18n.Translator) func(text string) error {
	return func(text string) error {
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n < 1 {
			return errors.New(t.Get("at least 1"))
		}
		return nil
	}
}
