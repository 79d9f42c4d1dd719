package offline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A filterFixture is a site whose network resets one request, over and over.
type filterFixture struct {
	*ledgertest.World
	n       *offline.Node
	svc     upstream
	product api.Product
	main    api.Place
}

func openFilter(t *testing.T) *filterFixture {
	w := ledgertest.Open(t)
	f := &filterFixture{World: w, product: w.Product("OAT-1L", api.TrackNone), main: w.Location("WH-1"), n: siteOf(t, w), svc: upstream{w.Ledger, callerOf(w)}}
	readAll(t, w, f.n)
	f.adjust(t, "poison", 2)
	for f.n.Status().Stuck == 0 {
		f.attempt(t)
	}
	return f
}

func (f *filterFixture) adjust(t *testing.T, key string, by int64) {
	_, err := api.AdjustStock.Call(t.Context(), f.n, api.AdjustStockInput{StockKey: api.StockKey{ProductID: f.product.ID, LocationID: f.main.ID},
		InventoryState: api.OnHand, QuantityDelta: by, Reason: key}, api.Key(key))
	require.NoError(t, err)
}

// attempt sends the operation once more, and the network resets the connection. All else
// works.
func (f *filterFixture) attempt(t *testing.T) *api.Request {
	f.Clock.Advance(4 * time.Minute)
	readAll(t, f.World, f.n)
	batch, err := f.n.NextBatch()
	require.NoError(t, err)
	require.Len(t, batch.Requests, 1)
	require.NoError(t, f.n.SendDone("poison", nil, &api.Error{Code: api.Unavailable, Message: "connection reset"}))
	f.n.NextProbe()
	f.n.ProbeDone(nil)
	return batch.Requests[0].Req
}

func (f *filterFixture) work(t *testing.T) api.Work {
	list, err := api.ListWork.Call(t.Context(), f.n, api.ListWorkInput{Key: "poison"})
	require.NoError(t, err)
	return list.Items[0]
}

func (f *filterFixture) onHand() int64 {
	return ledgertest.Do(f.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: f.product.ID}}).Items[0].OnHand
}

// What the service did not record can be edited without accepting that it may be done.
func TestLookup_NotRecordedCanBeEdited(t *testing.T) {
	t.Parallel()
	f := openFilter(t)
	f.adjust(t, "next", 3)
	readAll(t, f.World, f.n)
	require.Equal(t, api.WorkSent, f.work(t).State)
	edit := func() error {
		w := f.work(t)
		_, err := api.ReplaceWork.Call(t.Context(), f.n, api.ReplaceWorkInput{Key: "poison", Operation: w.Operation, Target: w.Target,
			Body: []byte(`{"productId":"` + f.product.ID.String() + `","locationId":"` + f.main.ID.String() + `","inventoryState":"onHand","quantityDelta":2,"reason":"found"}`)}, api.Key("edited"))
		return err
	}
	require.ErrorContains(t, edit(), "may have been applied")
	f.Clock.Advance(31 * time.Second)
	readAll(t, f.World, f.n)
	w := f.work(t)
	require.Equal(t, api.WorkWaiting, w.State)
	require.Equal(t, f.Clock.Now(), *w.NotRecorded)
	require.Zero(t, f.n.Sync().Sent)
	require.NoError(t, edit())
	sendAll(t, f.World, f.n)
	readAll(t, f.World, f.n)
	require.EqualValues(t, 5, f.onHand())
	require.NoError(t, f.n.Verify(t.Context()))
}

func TestLookup_NotRecordedCanBeDiscarded(t *testing.T) {
	t.Parallel()
	f := openFilter(t)
	discard := func() error {
		_, err := api.DiscardWork.Call(t.Context(), f.n, api.DiscardWorkInput{Key: "poison", Reason: "never gets through"})
		return err
	}
	require.ErrorContains(t, discard(), "may have been applied")
	f.Clock.Advance(31 * time.Second)
	readAll(t, f.World, f.n)
	require.NoError(t, discard())
	require.Equal(t, outbox.Discarded, f.n.Operation("poison").State)
}

// An attempt that the service recorded, although nothing came back, is found by its key,
// also when the replica was read anew and has no keys.
func TestLookup_FindsRecorded(t *testing.T) {
	t.Parallel()
	f := openFilter(t)
	req := f.attempt(t)
	_, err := f.svc.Do(t.Context(), req)
	require.NoError(t, err)
	f.Clock.Advance(31 * time.Second)
	readAll(t, f.World, f.n)
	require.True(t, f.n.Operation("poison").Confirmed)
	require.EqualValues(t, 2, f.onHand())
	require.NoError(t, f.n.Verify(t.Context()))
}
