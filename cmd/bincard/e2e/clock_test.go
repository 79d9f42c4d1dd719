package e2e_test

import (
	"slices"
	"strings"
	"time"

	"bincard/server/built"
)

// withClockOffset returns the same machine with its clock off by this much.
func (h *machine) withClockOffset(by time.Duration) *machine {
	shift := (time.Until(built.Now()) + by).Round(time.Second)
	env := slices.DeleteFunc(slices.Clone(h.env), func(v string) bool { return strings.HasPrefix(v, built.ClockVariable+"=") })
	other := *h
	other.env = append(env, built.ClockVariable+"="+shift.String())
	return &other
}
