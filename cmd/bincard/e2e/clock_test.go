package e2e_test

import (
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/built"
)

// off is the same machine with its clock off by so much.
func (h *machine) off(by time.Duration) *machine {
	shift := (time.Until(built.Now()) + by).Round(time.Second)
	env := slices.DeleteFunc(slices.Clone(h.env), func(v string) bool { return strings.HasPrefix(v, built.ClockVariable+"=") })
	other := *h
	other.env = append(env, built.ClockVariable+"="+shift.String())
	return &other
}

// oldest is when the oldest work that is kept on the machine was done.
func (h *machine) oldest() time.Time {
	h.t.Helper()
	out, status := h.runs("status", "--json")
	require.Zero(h.t, status, out)
	var sync struct {
		Oldest time.Time `json:"oldest"`
	}
	require.NoError(h.t, json.Unmarshal([]byte(out), &sync), out)
	return sync.Oldest
}

// TestTerminal_GoesByTheServicesClock works at a machine whose clock is a day
// off: what is late is as late as the service says, and the terminal says why
// it differs from the clock on the wall. A node between the two does the same.
func TestTerminal_GoesByTheServicesClock(t *testing.T) {
	t.Parallel()
	for word, by := range map[string]time.Duration{"fast": 24 * time.Hour, "slow": -24 * time.Hour} {
		for name, flags := range map[string][]string{"": nil, " with a node": {"--offline"}} {
			t.Run(word+name, func(t *testing.T) {
				t.Parallel()
				h := newMachine(t)
				c := newCompany(t, h.path("data"))
				c.addProblems() // PO-9 is 50 hours late
				service := h.serve(c, "")
				machine := h.withService(c, service.url).off(by)
				s := machine.openScreen(80, 24, append(flags, "--place", "WH-1", "late")...)
				s.shows("1 late", "PO-9", "2 d")
				s.key("Escape")
				s.shows(firstQuestion, "This machine's clock is 1 day "+word+". Times shown are the service's.", "1 late")
				if flags == nil {
					s.key("C-q").requireExit(0)
					return
				}
				out, _ := machine.runs("status")
				require.Contains(t, out, "This machine's clock is 1 day "+word)
				service.end(syscall.SIGKILL)
				out, status := machine.runs("receive", "PO-9", "2")
				require.Zero(t, status, out)
				require.WithinDuration(t, built.Now(), machine.oldest(), 10*time.Minute, "what is kept is dated by the service's clock, too")
				s.shows("OFFLINE", "This machine's clock is 1 day "+word)
				s.key("C-q").requireExit(0)
			})
		}
	}
}
