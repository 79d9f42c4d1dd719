package offline_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/server/api"
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
