package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// A failingFolder folder does not take the write after so many; negative is none.
type failingFolder struct {
	journal.Memory
	after int
}

type failingFile struct {
	journal.File
	of *failingFolder
}

func (f *failingFolder) Open(name string) (journal.File, error) {
	file, err := f.Memory.Open(name)
	return &failingFile{file, f}, err
}

func (f *failingFile) WriteAt(p []byte, at int64) (int, error) {
	f.of.after--
	if f.of.after == -1 {
		return 0, errFull
	}
	return f.File.WriteAt(p, at)
}

// TestWhatCannotBeSentStopsNothingElse holds that work which this program does
// not understand is put before a person, and that no other is taken for under
// way when the disk does not take that.
func TestWhatCannotBeSentStopsNothingElse(t *testing.T) {
	t.Parallel()
	s := newNodeSet(t, true)
	w := tenant{0, api.Live}
	disk := &failingFolder{after: 1 << 30}
	owner := outbox.Header{Organization: s.orgs[0].ID.String(), Environment: "live"}
	j, _, err := journal.Open(disk, offline.JournalName)
	require.NoError(t, err)
	begin := owner
	begin.Format = outbox.Format
	for _, e := range []outbox.Entry{
		{Header: &begin},
		{Capture: &outbox.Capture{Key: "later", SpecID: "paintTheShelves", Target: "/shelves", At: s.clock.Now()}},
		{Capture: &outbox.Capture{Key: "now", SpecID: api.CreateProduct.ID, Target: "/products", Body: []byte(`{"sku":"A","name":"A"}`), At: s.clock.Now()}},
	} {
		data, err := e.Encode()
		require.NoError(t, err)
		require.NoError(t, j.Append(data))
	}
	require.NoError(t, j.Close())
	up := upstream{s.ledger, s.caller(w)}
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: up, Replicas: &offline.MemoryReplicas{}, Folder: disk,
		Caller: s.caller(w), Now: s.clock.Now, Owner: owner})
	require.NoError(t, err)
	for !n.Ready() { // what shows tells that neither needs the other
		req, _, err := n.NextRead(t.Context())
		require.NoError(t, err)
		res, err := up.Do(t.Context(), req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
	disk.after = 1 // it notes that both are sent, and no more
	out, err := n.NextBatch()
	require.ErrorIs(t, err, errFull)
	require.Empty(t, out.Requests)
	disk.after = 1 << 30
	out, err = n.NextBatch()
	require.NoError(t, err)
	require.Len(t, out.Requests, 1)
	require.Equal(t, "now", out.Requests[0].Key)
	require.Equal(t, outbox.Held, n.Operation("later").State)
	require.NoError(t, n.Close())
}
