package e2e_test

import (
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// automaticLabels prints the labels of receipts without asking, on a printer that cannot be
// reached: they stay in the queue.
const automaticLabels = `
[[printers]]
name    = "dock"
address = "tcp://127.0.0.1:1"

[[automatic]]
location = "WH-1"
`

// lockLabels keeps programs from the queue of labels until the returned function is called.
func (h *machine) lockLabels() (unlock func()) {
	h.t.Helper()
	dir := h.path("data_home", "bincard", "labels")
	require.NoError(h.t, os.MkdirAll(dir, 0o700))
	lock := flock.New(dir + "/queue.lock")
	require.NoError(h.t, lock.Lock())
	return func() { require.NoError(h.t, lock.Unlock()) }
}

// queuedLabels returns the lines of the label queue.
func (h *machine) queuedLabels() []string {
	h.t.Helper()
	out := strings.TrimSpace(h.mustRun("label", "queue", "--all"))
	if !strings.Contains(out, "OAT-1L") {
		return nil
	}
	return strings.Split(out, "\n")
}

// TestAutomaticLabel_TerminalKilledBeforeTheQueue kills the terminal after the service has
// recorded a receipt and before its label is in the queue. The next terminal continues the
// draft: the receipt is recorded once, and its label is there once.
func TestAutomaticLabel_TerminalKilledBeforeTheQueue(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	h.setUpLabels(automaticLabels)
	service := h.serve(c, "")
	remote := h.withService(c, service.url)
	s := remote.openScreen(80, 24, "receive/PO-1")
	s.countBoxWithLot()
	unlock := h.lockLabels()
	s.key("Enter")
	c.awaitRecorded(service)
	s.signal(syscall.SIGKILL)
	s.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })
	unlock()
	require.Equal(t, 1, h.drafts())
	require.Empty(t, h.queuedLabels())

	s = remote.openScreen(80, 24, "receive/PO-1")
	s.waitFor("No answer yet for: receive 12", "retry")
	s.key("Enter")
	s.waitFor("Received 12: 12 of 24, 12 to go", "1 label to dock")
	require.Zero(t, h.drafts())
	s.key("C-q").requireExit(0)
	require.Len(t, h.queuedLabels(), 1)
	service.end(syscall.SIGTERM)
	c.requireReceived(12)
}

// awaitRecorded waits until OAT-1L is received. A terminal waits only a few seconds for the
// queue.
func (c *company) awaitRecorded(at *service) {
	c.t.Helper()
	svc := c.client(at.url, c.key)
	require.Eventually(c.t, func() bool {
		rows := do(c.t, svc, api.ReportMovements, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: c.oat}}).Items
		return slices.ContainsFunc(rows, func(m api.MovementRow) bool { return m.Operation == api.OpInboundReceive })
	}, waitTimeout, pollInterval, "the receipt is not recorded")
}
