package outbounds_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

// A serial that is not here is refused when it is scanned, and not when the order leaves.
func TestFulfill_RefusesSerialOfAnotherLocation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.World.Receive(f.Phone.ID, f.Shop.ID, 2, "", "SN-8", "SN-9")
	other := f.addOrder("SO-1", tuitest.Noon.Add(time.Hour), line(f.Phone, 1))
	ledgertest.Do(f.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: other.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-1"}}})
	o := f.addOrder("SO-2", tuitest.Noon.Add(time.Hour), line(f.Phone, 2))
	d := f.open(f.Service, "fulfill/SO-2")
	for serial, text := range map[string]string{
		"SN-9": "Serial SN-9 of PHONE-7 is recorded at " + f.Shop.Code,
		"SN-1": "Serial SN-1 of PHONE-7 was shipped from " + f.Main.Code,
		"SN-X": "Serial SN-X of PHONE-7 was never received",
	} {
		d.Scan("PHONE-7").Sees("Scan the serial number of PHONE-7").Scan(serial)
		viewtest.RequireErrors(t, d, text)
	}
	ledgertest.Do(f.World, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: f.Phone.ID, LocationID: f.Main.ID}, Reason: "found", Serials: []api.SerialInput{{SerialNumber: "SN-4"}}})
	d.Scan("PHONE-7").Scan("SN-4").Scan("PHONE-7").Scan("SN-2").Sees("All counted")
	require.Zero(t, f.reload(o).FulfilledQuantity)
	d.Key("enter").Sees("This order is fulfilled (2 of 2)")
}

// An item that is not on the order leads to its own screen, and the count stays.
func TestFulfill_OffersScreenOfItemOfNoOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	d := f.open(f.Service, "fulfill/SO-7790")
	d.Scan("SOY-1L").Scan("PHONE-7")
	d.Sees("F8 open PHONE-7")
	viewtest.RequireErrors(t, d, "Not on this list: this is PHONE-7")
	d.Sees("▸ SOY-1L", "enter fulfill 1")
}
