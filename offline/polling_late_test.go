package offline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A transfer created while an answer without it is on its way appears in the
// next cycle, even if later times of the service's clock were seen meanwhile.
func TestPolling_ReadsTransferCreatedBehindLateAnswer(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location, other := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1"), w.Location("WH-2")
	w.Stock(oats.ID, location.ID, 20)
	in := ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10}).Inbound
	n, served := openPolling(t, w)
	countReads(t, w, n, time.Hour, served)
	ledgertest.Do(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1}) // causes more reads in the same cycle
	var created api.ID
	countReads(t, w, n, 20*time.Minute, func(req *api.Request) (*api.Response, error) {
		res, err := served(req)
		if req.Spec == api.ListTransfers.Spec && created == (api.ID{}) {
			w.Clock.Advance(time.Minute)
			created = ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: location.ID,
				DestinationLocationID: other.ID, Quantity: 5}).Transfer.ID
			w.Clock.Advance(8 * time.Minute)
			w.Stock(oats.ID, location.ID, 3)
		}
		return res, err
	})
	require.NotZero(t, created)
	list, err := api.ListTransfers.Call(t.Context(), n, api.ListTransfersInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Equal(t, created, list.Items[0].ID)
}

// The clocks of the service and the node may be wrong. The node reads the reservation that it
// made nevertheless, although that has ended by then.
func TestPolling_ReadsItsReservation_WithWrongClocks(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	n, served := openPolling(t, w)
	start := w.Clock.Now()
	w.Clock.Set(start.Add(48 * time.Hour))
	w.Stock(oats.ID, location.ID, 20)
	countReads(t, w, n, time.Hour, served)
	w.Clock.Set(start) // the service's time in the report stays ahead
	ends := start.Add(time.Hour)
	made, err := api.CreateReservation.Call(t.Context(), n, api.CreateReservationInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, Quantity: 5, ExpiresAt: &ends}, api.Key("reserve"))
	require.NoError(t, err)
	_, err = api.CommitReservation.Call(t.Context(), n, api.ReservationInput{ReservationID: made.Reservation.ID}, api.Key("commit"))
	require.NoError(t, err)
	for _, key := range []string{"reserve", "commit"} {
		batch, err := n.NextBatch()
		require.NoError(t, err)
		require.Len(t, batch.Requests, 1)
		res, err := served(batch.Requests[0].Req)
		require.NoError(t, n.SendDone(key, res, err))
	}
	w.Clock.Set(start.Add(96 * time.Hour))
	countReads(t, w, n, time.Hour, served)
	list, err := api.ListReservations.Call(t.Context(), n, api.ListReservationsInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
}

// Something between a node and Bincard's own service may answer that it lacks operations.
// The node then polls the service, and stops once it learns better.
func TestPolling_EndsWithBincardsOwnService(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	w.Location("WH-1")
	n, served := openPolling(t, w)
	countReads(t, w, n, time.Hour, served)
	require.True(t, n.Polled())
	require.True(t, n.Ready())
	up := upstream{w.Ledger, callerOf(w)}
	for n.Polled() {
		req, _, err := n.NextRead(t.Context())
		require.NoError(t, err)
		if req == nil {
			w.Clock.Advance(time.Minute)
			continue
		}
		if in, ok := req.Input.(*api.ListChangesInput); ok {
			in.Wait = nil
		}
		res, err := up.Do(t.Context(), req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
	require.True(t, n.Ready())
	list, err := api.ListLocations.Call(t.Context(), n, api.ListPlacesInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1, "the node has every operation of the service")
}
