package e2e_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/built"
)

// TestEdge_WorkHasTheTimeItOccurred works at an edge without a connection. Movements, the
// explanation of the balance and reports have the time of the work, not that of the sync.
func TestEdge_WorkHasTheTimeItOccurred(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	e := h.startEdge(c, network.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	network.setMode(modeSilent)
	before := built.Now()
	c.adjust(device)
	after := built.Now()
	require.Eventually(t, func() bool { return do(t, device, api.GetSync, api.SyncInput{}).State == api.SyncOffline }, 90*time.Second, 20*time.Millisecond)
	network.setMode(modeOpen)
	require.Eventually(t, func() bool { return do(t, device, api.GetSync, api.SyncInput{}).Waiting == 0 }, 90*time.Second, 20*time.Millisecond)

	svc := c.client(centre.url, c.key)
	last := c.latest(svc, c.mug)
	require.WithinRange(t, last.OccurredAt, before.Add(-time.Millisecond), after)
	require.True(t, last.CreatedAt.After(after), "it was synced later")
	explained := do(t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.balance(svc, c.mug, c.main).ID, OccurredFrom: &before, OccurredTo: &after})
	require.Len(t, explained.Movements, 2, "on hand and available")
	report := do(t, svc, api.ReportMovements, api.ReportMovementsInput{OccurredFrom: &before, OccurredTo: &after})
	require.Len(t, report.Items, 2)
	require.Equal(t, "scanner-3", report.Items[0].Device)
	require.Empty(t, do(t, svc, api.ReportMovements, api.ReportMovementsInput{CreatedFrom: &before, CreatedTo: &after}).Items)
}

// TestEdge_ReservationExpiresBeforeSync reserves stock without a connection, until a time
// that passes before the connection is back. A person must decide.
func TestEdge_ReservationExpiresBeforeSync(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	network := newFaultyNetwork(t, centre.url, 1)
	e := h.startEdge(c, network.url)
	device := c.client(e.url, e.createDeviceKey("scanner-3", "WH-1"))
	network.setMode(modeSilent)
	expires := built.Now().Add(3 * time.Second)
	made := do(t, device, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: c.main},
		Quantity: 4, ExpiresAt: &expires})
	do(t, device, api.CommitReservation, api.ReservationInput{ReservationID: made.Reservation.ID})
	require.Eventually(t, func() bool { return built.Now().After(expires.Add(time.Second)) }, 30*time.Second, 20*time.Millisecond)
	network.setMode(modeOpen)
	e.waitForAlarm(api.AlarmDecision, "need")
	list := do(t, device, api.ListWork, api.ListWorkInput{}).Items
	require.Len(t, list, 2)
	require.Equal(t, api.ReservationTooLate, list[0].Refusal.Code)
	require.Equal(t, api.WaitDependency, list[1].Wait, "its commit waits for the decision")
	for _, key := range []string{list[0].Key, list[1].Key} {
		out, status := h.run("outbox", "discard", key, "--reason", "the customer is gone", "--edge", e.dir)
		require.Zero(t, status, "%s", out)
	}
	e.waitForCalm()
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	c.requireMugs(30)
}
