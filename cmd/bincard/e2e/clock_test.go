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

// withClockOffset returns the same machine with its clock off by this much.
func (h *machine) withClockOffset(by time.Duration) *machine {
	shift := (time.Until(built.Now()) + by).Round(time.Second)
	env := slices.DeleteFunc(slices.Clone(h.env), func(v string) bool { return strings.HasPrefix(v, built.ClockVariable+"=") })
	other := *h
	other.env = append(env, built.ClockVariable+"="+shift.String())
	return &other
}

// oldestPending returns the time of the oldest pending operation on the machine.
func (h *machine) oldestPending() time.Time {
	h.t.Helper()
	out, status := h.run("status", "--json")
	require.Zero(h.t, status, out)
	var sync struct {
		Oldest time.Time `json:"oldest"`
	}
	require.NoError(h.t, json.Unmarshal([]byte(out), &sync), out)
	return sync.Oldest
}

// TestTerminal_UsesServiceClock checks that on a machine whose clock is a day off, the
// terminal uses the service's clock and shows a note about the difference. The same holds
// with a node in between.
func TestTerminal_UsesServiceClock(t *testing.T) {
	t.Parallel()
	for word, by := range map[string]time.Duration{"fast": 24 * time.Hour, "slow": -24 * time.Hour} {
		for name, flags := range map[string][]string{"": nil, " with a node": {"--offline"}} {
			t.Run(word+name, func(t *testing.T) {
				t.Parallel()
				h := newMachine(t)
				c := newCompany(t, h.path("data"))
				c.addProblems() // PO-9 is 50 hours late
				service := h.serve(c, "")
				machine := h.withService(c, service.url).withClockOffset(by)
				s := machine.openScreen(80, 24, append(flags, "--location", "WH-1", "late")...)
				s.waitFor("1 late", "PO-9", "2 d")
				s.key("Escape")
				s.waitFor(firstQuestion, "This machine's clock is 1 day "+word+". Times shown are the service's.", "1 late")
				if flags == nil {
					s.key("C-q").requireExit(0)
					return
				}
				out, _ := machine.run("status")
				require.Contains(t, out, "This machine's clock is 1 day "+word)
				service.end(syscall.SIGKILL)
				out, status := machine.run("receive", "PO-9", "2")
				require.Zero(t, status, out)
				require.WithinDuration(t, built.Now(), machine.oldestPending(), 10*time.Minute, "saved operations have the service's time")
				s.waitFor("OFFLINE", "This machine's clock is 1 day "+word)
				s.key("C-q").requireExit(0)
			})
		}
	}
}
