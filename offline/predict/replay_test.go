package predict_test

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// TestReplay_ReusesCachedSteps replays operations with the steps of an earlier
// view from a cache: intact, and damaged at any byte.
func TestReplay_ReusesCachedSteps(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, shelf := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(oats.ID, shelf.ID, 3)
	cfg := predict.Config{Partition: store.Partition{Organization: w.Org.ID, Environment: string(api.Live)}, Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler),
		Caller: api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: api.Scopes, Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "key"}}}
	queue := outbox.New(outbox.Options{})
	for i, delta := range []int64{4, -6, -9, 2} { // the third is rejected
		req := &api.Request{Spec: api.AdjustStock.Spec, Caller: &cfg.Caller, IdempotencyKey: fmt.Sprint("key-", i),
			Input: &api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: shelf.ID}, InventoryState: api.Available, QuantityDelta: delta, Reason: "counted"}}
		c, err := outbox.NewCapture(req)
		require.NoError(t, err)
		c.At = w.Clock.Now()
		require.NoError(t, queue.Apply(&outbox.Entry{Capture: c}))
	}
	replay := func(known []*predict.Step) *predict.LocalView {
		v, err := predict.Replay(t.Context(), cfg, w.Store, false, queue, known, replicas.RowSet{})
		require.NoError(t, err)
		t.Cleanup(v.Close)
		return v
	}
	first := replay(nil)
	require.Len(t, first.Steps(), 4)
	for i, st := range first.Steps() {
		require.Equal(t, i == 2, st.Risk != nil, "%d: %+v", i, st.Risk)
		require.NotEmpty(t, st.Footprint.Writes)
	}
	data, err := predict.EncodeSteps(cfg, first.Steps(), "revision")
	require.NoError(t, err)
	steps := predict.DecodeSteps(cfg, data, "revision")
	require.Len(t, steps, 4)
	for i, st := range first.Steps() {
		require.Equal(t, st.Footprint.Writes, steps[i].Footprint.Writes)
		require.Equal(t, st.Risk != nil, steps[i].Risk != nil)
	}
	again := replay(steps)
	require.Same(t, steps[0], again.Steps()[0], "the step is reused")
	require.NoError(t, again.Compare(first))

	require.Nil(t, predict.DecodeSteps(cfg, data, "another revision"))
	other := cfg
	other.Caller.Scopes = nil
	require.Nil(t, predict.DecodeSteps(other, data, "revision"), "another caller")
	for i := range data {
		require.Nil(t, predict.DecodeSteps(cfg, data[:i], "revision"), "cut to %d bytes", i)
		data[i] ^= 0x20
		require.Nil(t, predict.DecodeSteps(cfg, data, "revision"), "damaged at %d", i)
		data[i] ^= 0x20
	}

	begin, err := predict.EncodeSteps(cfg, first.Steps()[:2], "revision")
	require.NoError(t, err)
	rest, err := predict.EncodeSteps(cfg, first.Steps()[2:], "revision")
	require.NoError(t, err)
	whole := slices.Concat(begin, rest)
	require.Len(t, predict.DecodeSteps(cfg, whole, "revision"), 4, "in two parts")
	require.Len(t, predict.DecodeSteps(cfg, whole[:len(whole)-1], "revision"), 2, "the last part is cut")
}
