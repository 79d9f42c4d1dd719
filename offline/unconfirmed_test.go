package offline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// TestRead_RejectedCreationIsNotConfirmed reserves and commits offline what
// others take meanwhile.
func TestRead_RejectedCreationIsNotConfirmed(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 10)
	d.waitReady()
	d.link.cut.Store(true)
	stock := api.StockKey{ProductID: oats.ID, LocationID: location.ID}
	expiry := d.world.Clock.Now().Add(24 * time.Hour)
	reserved, err := api.CreateReservation.Call(t.Context(), d.svc, api.CreateReservationInput{StockKey: stock, Quantity: 8, ExpiresAt: &expiry}, api.Key("reserve"))
	require.NoError(t, err)
	in := api.ReservationInput{ReservationID: reserved.Reservation.ID}
	_, err = api.CommitReservation.Call(t.Context(), d.svc, in, api.Key("commit"))
	require.NoError(t, err)
	ledgertest.Do(d.world, api.AdjustStock, api.AdjustStockInput{StockKey: stock, InventoryState: api.Available, QuantityDelta: -5, Reason: "sold"})
	d.link.cut.Store(false)
	d.Resume()
	d.eventually("the service rejects the reservation", func() bool { d.Resume(); return d.Operation("reserve").State == outbox.Refused })
	require.Equal(t, outbox.Pending, d.Operation("commit").State)
	require.Equal(t, api.WaitDependency, d.work("commit").Wait)
	_, err = api.GetReservation.Call(t.Context(), d.svc, in)
	require.True(t, api.HasCode(err, api.AtRisk), "%v", err)
	require.ErrorContains(t, err, "not confirmed")
	d.world.Stock(oats.ID, location.ID, 5)
	require.NoError(t, d.Retry(t.Context(), "reserve", "Ada"))
	d.eventually("both are done", func() bool { d.Resume(); return d.Operation("commit").State == outbox.Done })
}
