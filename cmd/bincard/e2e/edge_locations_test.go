package e2e_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

func TestEdge_LimitedToALocation(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	centre := h.serve(c, "")
	e := h.startEdge(c, centre.url, "--location", "ST-1")
	svc := c.client(e.url, e.createDeviceKey("till", ""))
	count := func(at api.ID) error {
		_, err := api.AdjustStock.Call(t.Context(), svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: c.mug, LocationID: at},
			InventoryState: api.OnHand, QuantityDelta: 4, Reason: "count"})
		return err
	}
	require.NoError(t, count(c.store))
	require.Equal(t, []string{"ST-1"}, do(t, svc, api.GetSync, api.SyncInput{}).Locations)
	err := count(c.main)
	require.True(t, api.HasCode(err, api.LocationNotAllowed), "%v", err)
	require.ErrorContains(t, err, "This must be done at WH-1. Only the work of ST-1 is done here.")
	e.end(syscall.SIGTERM)
	centre.end(syscall.SIGTERM)
	e.args = nil
	e.start() // without a connection, and with the location of the last start
	list := do(t, svc, api.ListBalances, api.ListBalancesInput{})
	require.Len(t, list.Items, 1)
	require.Equal(t, "ST-1", list.Items[0].Location.Code)
	require.EqualValues(t, 4, list.Items[0].OnHand)
	require.Len(t, do(t, svc, api.ListTransfers, api.ListTransfersInput{}).Items, 1, "the other end is here")
	require.NoError(t, count(c.store))
	require.Error(t, count(c.main))

	h.serve(c, centre.addr)
	h = h.withEnv("BINCARD_KEY=" + c.key)
	out, status := h.run("edge", "--upstream", centre.url, "--org", c.org.String(), "--data", h.path("second"), "--location", "ST-9")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "the service has no location ST-9")
}
