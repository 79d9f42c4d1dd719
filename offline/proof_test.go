package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// TestSendDone_RejectsAnswerToAnotherOperation delivers well-formed answers
// that belong to another operation, as a cache or a proxy may.
func TestSendDone_RejectsAnswerToAnotherOperation(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, soy, location := w.Product("OAT-1L", api.TrackNone), w.Product("SOY-1L", api.TrackNone), w.Location("WH-1")
	n := openNode(t, w, offline.Config{Replicas: &replicas.Memory{}, Folder: &journal.Memory{}})
	up := upstream{w.Ledger, callerOf(w)}
	read := func() {
		for !n.Ready() {
			req, _, err := n.NextRead(t.Context())
			require.NoError(t, err)
			res, asked := up.Do(t.Context(), req)
			require.NoError(t, n.ReadDone(t.Context(), res, asked))
		}
	}
	read()
	adjust := func(product api.ID, key string) {
		_, err := api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: location.ID},
			InventoryState: api.OnHand, QuantityDelta: 2, Reason: "found"}, api.Key(key))
		require.NoError(t, err)
	}
	adjust(oats.ID, "one")
	adjust(soy.ID, "two")
	_, err := api.CreateTransfer.Call(t.Context(), n, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: location.ID, DestinationLocationID: w.Location("WH-2").ID, Quantity: 1}, api.Key("three"))
	require.Error(t, err, "the node has not read WH-2")
	_, err = api.CreateInbound.Call(t.Context(), n, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 5}, api.Key("four"))
	require.NoError(t, err)
	batch, err := n.NextBatch()
	require.NoError(t, err)
	answers := map[string]*api.Response{}
	for _, p := range batch.Requests {
		res, err := up.Do(t.Context(), p.Req)
		require.NoError(t, err)
		answers[p.Key] = res
	}
	other, err := api.CreateInbound.Do(t.Context(), up, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 5})
	require.NoError(t, err)
	for key, wrong := range map[string]*api.Response{"one": answers["two"], "two": {Output: &api.StockResult{Movements: []api.Movement{}}}, "four": other} {
		if answers[key] == nil {
			continue // it waits for an earlier one
		}
		require.NoError(t, n.SendDone(key, wrong, nil))
		op := n.Operation(key)
		require.Equal(t, outbox.Pending, op.State, key)
		require.True(t, op.MaybeDone(), "the outcome is unknown")
		require.False(t, op.FailingSince.IsZero())
	}
	for req, _, _ := n.NextProbe(); req != nil; req, _, _ = n.NextProbe() {
		n.ProbeDone(nil)
	}
	n.Resume()
	for n.Status().Waiting > 0 {
		batch, err = n.NextBatch()
		require.NoError(t, err)
		require.NotEmpty(t, batch.Requests)
		for _, p := range batch.Requests {
			res, err := up.Do(t.Context(), p.Req)
			require.NoError(t, n.SendDone(p.Key, res, err))
		}
	}
	require.Equal(t, outbox.Done, n.Operation("one").State)
}
