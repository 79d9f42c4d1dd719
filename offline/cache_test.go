package offline_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/replicas"
	"bincard/server/api"
)

// TestCache_MatchesPrediction requires that a start with the prediction cache,
// intact or damaged, shows the same as a start without it.
func TestCache_MatchesPrediction(t *testing.T) {
	t.Parallel()
	d := openDirFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 3)
	d.waitReady()
	d.stop()
	d.link.cut.Store(true)
	open := func() (*offline.Node, func()) {
		set, err := replicas.OpenDir(filepath.Join(d.dir, "bases"), slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		n := openNode(t, d.world, offline.Config{Upstream: d.link, Replicas: set, Folder: journal.Dir(d.dir), CacheMin: 1})
		return n, func() {
			require.NoError(t, n.Close())
			require.NoError(t, set.Close())
		}
	}
	adjust := func(n *offline.Node, delta int64) error {
		_, err := api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID},
			InventoryState: api.Available, QuantityDelta: delta, Reason: "counted"}, api.AcceptRisk())
		return err
	}
	n, stop := open()
	require.NoError(t, adjust(n, 4))
	require.NoError(t, adjust(n, -6))
	require.True(t, api.HasCode(adjust(n, -9), api.AtRisk))
	require.NoError(t, n.SaveCache())
	path := filepath.Join(d.dir, offline.CacheName)
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotEmpty(t, first)
	require.NoError(t, adjust(n, 1))
	require.NoError(t, n.SaveCache())
	require.NoError(t, adjust(n, 1)) // not in the cache
	stop()
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Greater(t, len(good), len(first))
	require.Equal(t, first, good[:len(first)], "the cache was written again as a whole")
	for i := range 40 {
		data := append([]byte(nil), good...)
		switch at := i * len(good) / 40; {
		case i == 0: // intact
		case i%2 == 0:
			data[at] ^= 0x20
		default:
			data = data[:at]
		}
		require.NoError(t, os.WriteFile(path, data, 0o600))
		n, stop := open()
		list, err := api.ListBalances.Call(t.Context(), n, api.ListBalancesInput{})
		require.NoError(t, err)
		require.EqualValues(t, 3, list.Items[0].Available)
		require.NotNil(t, n.Operations()[2].Risk)
		require.NoError(t, n.Verify(t.Context()))
		stop()
	}
	require.NoError(t, os.WriteFile(path, good, 0o600))
	n, stop = open()
	defer stop()
	require.NoError(t, n.Discard(t.Context(), n.Operations()[0].Key, "Ada", "not needed", false))
	require.NoError(t, n.Verify(t.Context()))
}

// TestCache_IsSavedWhileRunning requires that a node that is killed soon after
// many operations does not predict all of them again at the next start.
func TestCache_IsSavedWhileRunning(t *testing.T) {
	t.Parallel()
	d := openDirFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 3)
	d.waitReady()
	d.stop()
	d.link.cut.Store(true)
	set, err := replicas.OpenDir(filepath.Join(d.dir, "bases"), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	n := openNode(t, d.world, offline.Config{Upstream: d.link, Replicas: set, Folder: journal.Dir(d.dir), CacheMin: 2})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { n.Run(ctx); close(ended) }()
	defer func() {
		cancel()
		<-ended
		require.NoError(t, n.Close())
		require.NoError(t, set.Close())
	}()
	for range 2 {
		_, err := api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID},
			InventoryState: api.Available, QuantityDelta: 4, Reason: "counted"})
		require.NoError(t, err)
	}
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(d.dir, offline.CacheName))
		return err == nil
	}, 20*time.Second, 10*time.Millisecond)
}
