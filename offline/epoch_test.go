package offline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// Whether the service was restored shows by its epoch alone. If the journal
// has none because the disk failed when the replica arrived, it must be
// written before the first operation.
func TestJournal_EpochPrecedesFirstOperation(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.waitReady()
	d.stop()
	file := filepath.Join(d.dir, offline.JournalName)
	require.NoError(t, os.Remove(file))
	require.NoError(t, os.Remove(filepath.Join(d.dir, "journal.json"))) // as if it had never been written
	d.link.cut.Store(true)
	d.open()
	_, err := api.AdjustStock.Call(t.Context(), d.svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID},
		InventoryState: api.OnHand, QuantityDelta: 5, Reason: "found"}, api.Key("found"))
	require.NoError(t, err)
	d.stop()
	journal, err := os.ReadFile(file)
	require.NoError(t, err)
	epoch, capture := bytes.Index(journal, []byte(`"epoch"`)), bytes.Index(journal, []byte(`"capture"`))
	require.Positive(t, capture)
	require.Positive(t, epoch)
	require.Less(t, epoch, capture)
}

// A new replica follows whatever the service has now. Only the journal still
// names what the service had confirmed before it went back.
func TestNode_SendsAgainWhatTheServiceLost_AfterItsReplicaWasLost(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	up := upstream{w.Ledger, callerOf(w)}
	folder := &journal.Memory{}
	n := openNode(t, w, offline.Config{Replicas: &replicas.Memory{}, Folder: folder})
	readOnce := func(gone error) {
		req, _, err := n.NextRead(t.Context())
		require.NoError(t, err)
		if in, ok := req.Input.(*api.ListChangesInput); ok && gone != nil && *in.Wait == 0 && *in.Limit == 1 {
			require.NoError(t, n.ReadDone(t.Context(), nil, gone))
			return
		}
		res, asked := up.Do(t.Context(), req)
		require.NoError(t, n.ReadDone(t.Context(), res, asked))
	}
	for !n.Ready() {
		readOnce(nil)
	}
	_, err := api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID},
		InventoryState: api.OnHand, QuantityDelta: 2, Reason: "found"}, api.Key("one"))
	require.NoError(t, err)
	batch, err := n.NextBatch()
	require.NoError(t, err)
	res, err := up.Do(t.Context(), batch.Requests[0].Req)
	require.NoError(t, n.SendDone("one", res, err))
	for !n.Operation("one").Confirmed {
		readOnce(nil)
	}
	require.NoError(t, n.Close())

	n = openNode(t, w, offline.Config{Replicas: &replicas.Memory{}, Folder: folder})
	gone := api.Fail(api.ChangesGone, api.Details{"reason": api.GoneDiverged}, "The feed may have been restored from a backup.")
	for !n.Ready() {
		readOnce(gone)
	}
	op := n.Operation("one")
	require.Equal(t, outbox.Pending, op.State)
	require.True(t, op.MaybeLost)
}
