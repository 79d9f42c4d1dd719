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

// receiveOat receives oat milk of a lot that expires.
func (f *orderFixture) receiveOat(q int64, lot string, ends time.Time) {
	ledgertest.Do(f.World, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: f.Oat.ID, LocationID: f.Main.ID},
		Quantity: &q, NewLot: api.NewLot{LotCode: lot, ExpiresAt: &ends}})
}

// newExpiring returns a fixture with an order for 20 of oat milk, of which lot E1 (10)
// and E2 (30) expire first.
func newExpiring(t *testing.T) (*orderFixture, api.Outbound) {
	t.Helper()
	f := newFixture(t)
	f.receiveOat(30, "E2", time.Date(2027, 4, 30, 0, 0, 0, 0, time.UTC))
	f.receiveOat(10, "E1", time.Date(2027, 3, 31, 0, 0, 0, 0, time.UTC))
	return f, f.addOrder("SO-7900", tuitest.Noon.Add(time.Hour), line(f.Oat, 20))
}

func TestFulfill_ShowsWhatToTake(t *testing.T) {
	t.Parallel()
	f, _ := newExpiring(t)
	scale := f.Product("SCALE-5", api.TrackSerial)
	for _, serial := range []string{"SC-1", "SC-2", "SC-3"} {
		f.World.Receive(scale.ID, f.Main.ID, 1, "", serial)
	}
	f.addOrder("SO-7901", tuitest.Noon.Add(time.Hour), line(f.Oat, 5), line(scale, 2), line(f.Soy, 3))
	d := f.open(f.Service, "fulfill/SO-7900")
	d.Sees("E1 +1", "Scan OAT-1L from lot E1, or type a quantity")
	d = f.open(f.Service, "fulfill/SO-7901")
	d.Sees("lot or serial", "E2", "SC-1 +1").Key("down").Sees("Scan each serial number of SCALE-5, such as SC-1")
	d.Goldens("take")
	d.Size(120, 40).Sees("allocated", "picked", "packed", "to go").Size(80, 24)
	d.Scan("SC-1").Sees("SC-2").Lacks("SC-2 +").Scan("SC-3").Sees("SCALE-5 is counted")
}

func TestFulfill_AsksBeforeALaterLot(t *testing.T) {
	t.Parallel()
	f, o := newExpiring(t)
	d := f.open(f.Service, "fulfill/SO-7900")
	d.Scan("]C1010952123454321310E2").Sees("E1 expires earlier (2027-03-31) and is here. This is lot E2.", "Scan it again to confirm")
	d.Goldens("later")
	d.Key("enter").Lacks("expires earlier").Lacks("enter fulfill")
	d.Scan(l42).Sees("E1 expires earlier").Key("enter")
	d.Scan("]C1010952123454321310E1").Sees("enter fulfill 1").Type("0").Key("enter")
	d.Scan("]C1010952123454321310E2").Scan("]C1010952123454321310E2").Sees("enter fulfill 1").Scan("]C1010952123454321310E2").Sees("enter fulfill 2")
	d.Key("enter").Sees("Fulfilled 2: 2 of 20 done")
	require.Equal(t, map[string]int64{"E2": 2}, f.issued(), "recorded as scanned")
	require.EqualValues(t, 2, f.reload(o).FulfilledQuantity)
}

func TestFulfill_AsksBeforeATypedLaterLot(t *testing.T) {
	t.Parallel()
	f, _ := newExpiring(t)
	d := f.open(f.Service, "fulfill/SO-7900")
	d.Type("3").Key("enter", "f7").Type("E2").Key("enter", "enter").Sees("E1 expires earlier (2027-03-31) and is here. This is lot E2.", "enter take E2")
	d.Advance(time.Second).Key("esc").Sees("Expiry").Key("enter", "enter").Advance(time.Second).Key("enter").Lacks("expires earlier").Key("enter").Sees("Fulfilled 3")
	require.Equal(t, map[string]int64{"E2": 3}, f.issued())
}

func TestFulfill_PickStockUnavailable(t *testing.T) {
	t.Parallel()
	f, _ := newExpiring(t)
	link := viewtest.NewFaultProxy(f.Service)
	link.Fail(api.ListPickableStock.Spec, viewtest.ErrUnreachable, nil)
	link.Fail(api.ListOutboundLots.Spec, viewtest.ErrUnreachable, nil)
	d := f.open(link, "fulfill/SO-7900")
	d.Scan("]C1010952123454321310E2").Sees("enter fulfill 1").Key("enter").Sees("Fulfilled 1: 1 of 20 done")
}

func TestFulfill_NamesSerialsInAscendingOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	cam := f.Product("CAM-9", api.TrackSerial)
	f.World.Receive(cam.ID, f.Main.ID, 3, "", "S-3", "S-1", "S-2")
	f.addOrder("SO-S", tuitest.Noon, line(cam, 2))
	f.open(f.Service, "fulfill/SO-S").Sees("such as S-1", "(S-1  S-2)")
}
