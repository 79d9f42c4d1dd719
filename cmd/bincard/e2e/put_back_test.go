package e2e_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// One site has shipped and another one received, and the service lost both. It rejects the
// receipt until the first site has sent the shipment again.
func TestSite_WaitsForWorkOfAnotherSite(t *testing.T) {
	t.Parallel()
	d := newBusyDay(t, 0, 1)
	var terminals []*machine
	for _, s := range d.sites[:2] {
		e := newMachine(t).startEdge(s.key, s.network.url)
		s.dir, s.svc = e.dir, s.key.client(e.url, e.createDeviceKey("office", ""))
		terminals = append(terminals, e.newTerminal("dock", ""))
	}
	first, second := d.sites[0], d.sites[1]
	svc := d.c.client(d.service.url, d.c.key)
	created := do(t, svc, api.CreateTransfer, api.CreateTransferInput{ProductID: d.products[0], SourceLocationID: d.c.main, DestinationLocationID: d.c.store, Quantity: 4}).Transfer.ID
	d.backUp()
	svc = d.c.client(d.service.url, d.c.key)
	in := api.MoveTransferInput{TransferID: created}
	move := func(s *busySite, key string, call func() error) {
		eventually(t, func() bool { return call() == nil }, func() string { return s.name + " does not know the document yet" })
		eventually(t, func() bool { return workOf(t, s, key).State == api.WorkDone }, func() string { return fmt.Sprintf("%+v", workOf(t, s, key)) })
	}
	move(first, "ship", func() error { _, err := api.ShipTransfer.Call(t.Context(), first.svc, in, api.Key("ship")); return err })
	move(second, "receive", func() error {
		_, err := api.ReceiveTransfer.Call(t.Context(), second.svc, in, api.Key("receive"))
		return err
	})

	d.putBackData()
	second.network.setMode(modeOpen)
	sync := func(s *busySite) { do(t, s.svc, api.TrySync, api.SyncInput{}) }
	eventually(t, func() bool { sync(second); return workOf(t, second, "receive").Wait == api.WaitOtherSite },
		func() string { return fmt.Sprintf("%+v", workOf(t, second, "receive")) })
	w := workOf(t, second, "receive")
	require.Equal(t, api.NothingPending, w.Refusal.Code)
	out, status := terminals[1].run("outbox", "list")
	require.Zero(t, status, out)
	require.Contains(t, out, "waits for another site to send its work again")
	screen := terminals[1].openScreen(80, 24)
	screen.waitFor(firstQuestion, "ONLINE", "1 pending")
	screen.key("8").waitFor("waits for a site", "The service lost work of another site")
	screen.key("C-q").requireExit(0)
	terminals[1].env = append(terminals[1].env, "LC_ALL=de_DE.UTF-8")
	screen = terminals[1].openScreen(80, 24)
	screen.waitFor("wartet auf Standort")
	screen.key("C-q").requireExit(0)
	_, err := api.AdjustStock.Call(t.Context(), second.svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: d.products[0], LocationID: d.c.store},
		InventoryState: api.OnHand, QuantityDelta: 1, Reason: "found"}, api.Key("found"))
	require.NoError(t, err)
	eventually(t, func() bool { return workOf(t, second, "found").State == api.WorkDone }, func() string { return "other work of the same stock waits too" })

	first.network.setMode(modeOpen)
	eventually(t, func() bool { sync(first); sync(second); return workOf(t, second, "receive").State == api.WorkDone },
		func() string { return fmt.Sprintf("%+v", workOf(t, second, "receive")) })
	got := do(t, svc, api.GetTransfer, api.TransferInput{TransferID: created})
	require.EqualValues(t, 4, got.ReceivedQuantity)
	require.EqualValues(t, 30, d.c.balance(svc, d.products[0], d.c.store).OnHand)
}

// workOf returns an operation of a site.
func workOf(t testing.TB, s *busySite, key string) *api.Work {
	list := do(t, s.svc, api.ListWork, api.ListWorkInput{Key: key}).Items
	require.Len(t, list, 1)
	return &list[0]
}
