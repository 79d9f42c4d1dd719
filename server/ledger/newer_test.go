package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// The test adds the fields of a newer version to every kind of row, then changes rows
// with this version. No field may be lost, the ledger must verify, and replays must
// still work.
func TestRows_NewerFieldsSurviveWrites(t *testing.T) {
	t.Parallel()
	w, recorder := everyDocument(t)
	oat, milk, drill := w.Product("OAT-2L", api.TrackNone), w.Product("MILK-2", api.TrackLot), w.Product("DRILL-2", api.TrackSerial)
	unused := w.Product("UNUSED", api.TrackNone)
	wh, shop := w.Location("WH-9").ID, w.Location("SHOP-9").ID
	w.Stock(oat.ID, wh, 50)
	w.Receive(milk.ID, wh, 9, "A")
	w.Receive(drill.ID, wh, 2, "", "S-1", "S-2")
	in := ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: milk.ID, LocationID: wh}, ExpectedQuantity: 9}).Inbound.ID
	out := ledgertest.Do(w, api.CreateOutbound, api.CreateOutboundInput{LocationID: wh, Lines: []api.OutboundLineInput{
		{ProductID: drill.ID, RequestedQuantity: 2}, {ProductID: milk.ID, RequestedQuantity: 6}}}).Outbound.ID
	tr := ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: oat.ID, SourceLocationID: wh, DestinationLocationID: shop, Quantity: 3}).Transfer.ID
	res := ledgertest.Do(w, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh}, Quantity: 4,
		ExpiresAt: new(w.Clock.Now().Add(1000 * time.Hour))}).Reservation.ID
	_, key := w.Key()
	w.Limit(api.Limits{Reports: true, ActiveProducts: new(int64(100))})
	w.Allow(api.Rules{OverReceiptPercent: 1})

	live := store.Partition{Organization: w.Org.ID, Environment: string(api.Live)}
	parts := []store.Partition{{}, live}
	require.Eventually(t, func() bool { // the requests are counted within a second
		counted := false
		require.NoError(t, w.Store.View(t.Context(), live, func(r store.Reader) error {
			data, err := r.Get(account.RequestsTable, singleRows[account.RequestsTable])
			counted = data != nil
			return err
		}))
		return counted
	}, time.Minute, time.Millisecond)
	for _, p := range parts {
		require.NoError(t, w.Store.Update(t.Context(), p, setNewerFields))
	}
	w.Verify()

	before := count(t, w, live)
	ledgertest.Do(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in, Quantity: 4, NewLot: api.NewLot{LotCode: "A"}})
	ledgertest.Do(w, api.PickOutbound, api.HandleOutboundInput{OutboundID: out, ProductID: drill.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"S-1"}}})
	ledgertest.Do(w, api.PickOutbound, api.HandleOutboundInput{OutboundID: out, ProductID: milk.ID, Quantity: new(int64(2))})
	ledgertest.Do(w, api.ShipTransfer, api.MoveTransferInput{TransferID: tr})
	ledgertest.Do(w, api.CommitReservation, api.ReservationInput{ReservationID: res})
	ledgertest.Do(w, api.ArchiveProduct, api.ProductInput{ProductID: unused.ID})
	_, err := w.Ledger.RevokeKey(t.Context(), w.Org.ID, key.ID, false)
	require.NoError(t, err)
	w.Limit(api.Limits{Reports: true, ActiveProducts: new(int64(200))})
	w.Allow(api.Rules{OverReceiptPercent: 2})

	for _, p := range parts {
		require.NoError(t, w.Store.View(t.Context(), p, func(r store.Reader) error {
			lacking, all, err := withoutNewerFields(r)
			for table := range all {
				require.Equal(t, all[table]-before[p][table], lacking[table], "rows of %s lost fields: only new rows have none", table)
			}
			return err
		}))
	}
	for _, s := range recorder.seen {
		req := s.req
		res, err := recorder.Service.Do(t.Context(), &req)
		require.NoError(t, err)
		require.True(t, res.Replayed)
		require.Equal(t, s.answer, encoded(t, res.Output), "%s, whose rows have changed since", req.Spec.ID)
	}
}

func count(t *testing.T, w *ledgertest.World, live store.Partition) map[store.Partition]map[string]int {
	t.Helper()
	counts := map[store.Partition]map[string]int{}
	for _, p := range []store.Partition{{}, live} {
		require.NoError(t, w.Store.View(t.Context(), p, func(r store.Reader) (err error) {
			lacking, all, err := withoutNewerFields(r)
			counts[p] = all
			require.Empty(t, lacking)
			return err
		}))
	}
	return counts
}
