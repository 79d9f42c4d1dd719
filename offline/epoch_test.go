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

// What the service confirms is asked again when it was restored since, which
// shows by the epoch alone: a disk that did not take that note when the base came
// must have it before the first work.
func TestWorkHasAnEpochBeforeItThoughTheDiskDidNotTakeItAtFirst(t *testing.T) {
	t.Parallel()
	d := openFixture(t)
	oats, place := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.waitReady()
	d.stop()
	file := filepath.Join(d.dir, offline.JournalName)
	require.NoError(t, os.Remove(file))
	d.link.cut.Store(true)
	d.open()
	_, err := api.AdjustStock.Call(t.Context(), d.svc, api.AdjustStockInput{ProductID: oats.ID, LocationID: place.ID,
		InventoryState: api.OnHand, QuantityDelta: 5, Reason: "found"}, api.Key("found"))
	require.NoError(t, err)
	d.stop()
	journal, err := os.ReadFile(file)
	require.NoError(t, err)
	noted, kept := bytes.Index(journal, []byte(`"epoch"`)), bytes.Index(journal, []byte(`"capture"`))
	require.Positive(t, kept)
	require.Positive(t, noted)
	require.Less(t, noted, kept)
}
