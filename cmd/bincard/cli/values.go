package cli

import (
	"fmt"
	"slices"
	"strings"
)

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
