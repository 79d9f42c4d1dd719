package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
)

// TestNextBatch_QuarantinesUnknownOperation requires that an operation that
// this version does not know is quarantined, and that no other counts as in
// flight if the disk fails to store that.
func TestNextBatch_QuarantinesUnknownOperation(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	disk := newFullFolder()
	owner := outbox.Header{Organization: s.orgs[0].ID.String(), Environment: "live"}
	j, _, err := journal.Open(disk, offline.JournalName)
	require.NoError(t, err)
	header := owner
	header.Format = outbox.Format
	for _, e := range []outbox.Entry{
		{Header: &header},
		{Capture: &outbox.Capture{Key: "later", SpecID: "paintTheShelves", Target: "/shelves", At: s.clock.Now()}},
		{Capture: &outbox.Capture{Key: "now", SpecID: api.CreateProduct.ID, Target: "/products", Body: []byte(`{"sku":"A","name":"A"}`), At: s.clock.Now()}},
	} {
		data, err := e.Encode()
		require.NoError(t, err)
		require.NoError(t, j.Append(data))
	}
	require.NoError(t, j.Close())
	up := upstream{s.ledger, s.caller(w)}
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: up, Replicas: &replicas.Memory{}, Folder: disk,
		Caller: s.caller(w), Now: s.clock.Now, Owner: owner})
	require.NoError(t, err)
	for !n.Ready() { // the view determines the footprints
		req, _, err := n.NextRead(t.Context())
		require.NoError(t, err)
		res, err := up.Do(t.Context(), req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
	disk.left.Store(1) // only the Sending entry is stored
	out, err := n.NextBatch()
	require.ErrorIs(t, err, errFull)
	require.Empty(t, out.Requests)
	disk.free()
	out, err = n.NextBatch()
	require.NoError(t, err)
	require.Len(t, out.Requests, 1)
	require.Equal(t, "now", out.Requests[0].Key)
	require.Equal(t, outbox.Held, n.Operation("later").State)
	require.NoError(t, n.Close())
}
