package e2e_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// TestEdge_AlarmsAboutClock has an edge whose clock is slow by more than the limit. A
// terminal shows it, whose own clock is right, until the clock of the edge is set.
func TestEdge_AlarmsAboutClock(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	e := h.withClockOffset(-5*time.Minute).startEdge(c, centre.url)
	e.waitForAlarm(api.AlarmClock, "clock")
	at := e.newTerminal("scanner-3", "WH-1")
	open := func(width, height int, shows ...string) {
		t.Helper()
		s := at.openScreen(width, height)
		s.waitFor(shows...)
		s.key("C-q").requireExit(0)
	}
	open(80, 24, "CLOCK · ONLINE", "The edge's clock differs from the service's.")
	open(20, 16, "CLOCK")
	out, status := at.run("status", "--check")
	require.Equal(t, 4, status, "%s", out)
	require.Contains(t, out, "The edge's clock differs from the service's.")
	s := at.openScreen(80, 24, "sync")
	s.waitFor("CLOCK · ONLINE", "The edge's clock differs from the service's.")
	e.end(syscall.SIGTERM)
	e.machine = h
	e.start()
	e.waitForNoAlarm()
	s.waitFor("ONLINE", "Everything is synced")
	require.NotContains(t, s.waitGone("CLOCK"), "clock")
	s.key("C-q").requireExit(0)
}
