package offline_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	d := openDirFixture(t)
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

// goneService answers each request for changes that the service went back, once it did.
type goneService struct {
	upstream
	gone error
}

func (s *goneService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if in, ok := req.Input.(*api.ListChangesInput); ok && s.gone != nil && in.Epoch != "" {
		return nil, s.gone
	}
	return s.upstream.Do(ctx, req)
}

// A service that went back lacks what new work may need. Whoever was cut off, or starts,
// finds that out before it sends anything.
func TestNode_SendsNothing_UntilItKnowsTheHistory(t *testing.T) {
	t.Parallel()
	for name, details := range map[string]api.Details{
		"diverged": {"reason": api.GoneDiverged}, "ahead": {"reason": api.GoneAhead}, "epoch": {"reason": api.GoneEpoch, "epoch": "another"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
			up := &goneService{upstream: upstream{w.Ledger, callerOf(w)}}
			cfg := offline.Config{Replicas: &replicas.Memory{}, Folder: &journal.Memory{}}
			n := openNode(t, w, cfg)
			read := func() {
				req, _, err := n.NextRead(t.Context())
				require.NoError(t, err)
				require.NotNil(t, req)
				res, asked := up.Do(t.Context(), req)
				require.NoError(t, n.ReadDone(t.Context(), res, asked))
			}
			probe := func() {
				req, _, _ := n.NextProbe()
				require.NotNil(t, req)
				_, err := up.Do(t.Context(), req)
				n.ProbeDone(err)
			}
			batch := func() []offline.BatchRequest {
				b, err := n.NextBatch()
				require.NoError(t, err)
				return b.Requests
			}
			for !n.Ready() {
				read()
			}
			for _, key := range []string{"one", "two"} {
				_, err := api.AdjustStock.Call(t.Context(), n, adjustOf(oats.ID, location.ID, 2), api.Key(key))
				require.NoError(t, err)
			}
			first := batch()
			require.Len(t, first, 1, "the replica was just read")
			require.NoError(t, n.SendDone("one", nil, errOffline))
			require.Empty(t, batch())
			w.Clock.Advance(time.Minute)
			probe()
			require.Len(t, batch(), 1, "the probe showed the history")
			res, err := up.Do(t.Context(), first[0].Req)
			require.NoError(t, n.SendDone("one", res, err))

			// The service goes back while the node is not running.
			require.NoError(t, n.Close())
			n = openNode(t, w, cfg)
			require.Empty(t, batch(), "the service may have gone back")
			up.gone = api.Fail(api.ChangesGone, details, "The feed may have been restored from a backup.")
			read()
			require.True(t, n.Operation("one").MaybeLost)
			require.Len(t, batch(), 1)

			// It goes back while the node is cut off.
			require.NoError(t, n.SendDone("one", nil, errOffline))
			w.Clock.Advance(time.Minute)
			probe()
			require.Equal(t, api.SyncOnline, n.Sync().State)
			require.Empty(t, batch(), "the service went back again")
		})
	}
}
