package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// A stumbling folder does not take the write after so many; negative is none.
type stumbling struct {
	journal.Memory
	after int
}

type stumblingFile struct {
	journal.File
	of *stumbling
}

func (f *stumbling) Open(name string) (journal.File, error) {
	file, err := f.Memory.Open(name)
	return &stumblingFile{file, f}, err
}

func (f *stumblingFile) WriteAt(p []byte, at int64) (int, error) {
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
	s := newSite(t, true)
	w := which{0, api.Live}
	disk := &stumbling{after: 1 << 30}
	owner := outbox.Begin{Organization: s.orgs[0].ID.String(), Environment: "live"}
	j, _, err := journal.Open(disk, offline.JournalName)
	require.NoError(t, err)
	begin := owner
	begin.Format = outbox.Format
	for _, e := range []outbox.Entry{
		{Begin: &begin},
		{Capture: &outbox.Capture{Key: "later", Operation: "paintTheShelves", Target: "/shelves", At: s.clock.Now()}},
		{Capture: &outbox.Capture{Key: "now", Operation: api.CreateProduct.ID, Target: "/products", Body: []byte(`{"sku":"A","name":"A"}`), At: s.clock.Now()}},
	} {
		data, err := e.Encode()
		require.NoError(t, err)
		require.NoError(t, j.Append(data))
	}
	require.NoError(t, j.Close())
	up := upstream{s.ledger, s.caller(w)}
	n, _, err := offline.Open(t.Context(), offline.Config{Upstream: up, Bases: &offline.MemoryBases{}, Folder: disk,
		Caller: s.caller(w), Now: s.clock.Now, Owner: owner})
	require.NoError(t, err)
	for !n.Ready() { // what shows tells that neither needs the other
		req, _, err := n.Ask(t.Context())
		require.NoError(t, err)
		res, err := up.Do(t.Context(), req)
		require.NoError(t, n.Told(t.Context(), res, err))
	}
	disk.after = 1 // it notes that both are sent, and no more
	out, err := n.Pack()
	require.ErrorIs(t, err, errFull)
	require.Empty(t, out.Send)
	disk.after = 1 << 30
	out, err = n.Pack()
	require.NoError(t, err)
	require.Len(t, out.Send, 1)
	require.Equal(t, "now", out.Send[0].Key)
	require.Equal(t, outbox.Held, n.Item("later").State)
	require.NoError(t, n.Close())
}
