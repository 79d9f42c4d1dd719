package outbox_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// openSaved opens a journal that is compacted whenever that is possible.
func openSaved(t *testing.T, folder journal.Folder, last int) *outbox.SavedQueue {
	t.Helper()
	q, found, err := outbox.OpenSaved(folder, nil, "work", 1, outbox.Options{KeepLast: last}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	require.Empty(t, found.Damage)
	return q
}

// resolve adds operations to a journal that are done at a time.
func resolve(t *testing.T, q *outbox.SavedQueue, at time.Time, keys ...string) {
	t.Helper()
	for _, key := range keys {
		require.NoError(t, q.Commit(
			&outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: at}},
			&outbox.Entry{StateChange: &outbox.StateChange{Key: key, State: outbox.Done, At: at}},
			&outbox.Entry{Confirm: &outbox.Confirm{Keys: []string{key}}}))
	}
}

func keysOf(q *outbox.SavedQueue) (keys []string) {
	for _, op := range q.Operations() {
		keys = append(keys, op.Key)
	}
	return keys
}

func TestCompactJournal_KeepsLastOperationsIfClockJumps(t *testing.T) {
	t.Parallel()
	folder := &journal.Memory{}
	q := openSaved(t, folder, 3)
	resolve(t, q, start, "a", "b", "c")
	require.NoError(t, q.Commit(&outbox.Entry{Capture: &outbox.Capture{Key: "pending", SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: start}}))
	resolve(t, q, start, "d", "e")
	require.NoError(t, q.CompactJournal(start.AddDate(0, 0, 6)))
	require.NoError(t, q.Close())
	q = openSaved(t, folder, 3)
	require.Equal(t, []string{"a", "b", "c", "pending", "d", "e"}, keysOf(q), "a week is not over")

	ahead := start.AddDate(1, 0, 0)
	require.NoError(t, q.CompactJournal(ahead))
	resolve(t, q, start.Add(time.Hour), "f") // the clock is right again
	require.NoError(t, q.Close())
	q = openSaved(t, folder, 3)
	require.Equal(t, []string{"c", "pending", "d", "e", "f"}, keysOf(q))
	require.Equal(t, []outbox.State{outbox.Done, outbox.Pending}, []outbox.State{q.Operation("c").State, q.Operation("pending").State})
	require.NoError(t, q.Close())
}

func TestCompactJournal_IsBounded(t *testing.T) {
	t.Parallel()
	folder := &journal.Memory{}
	q := openSaved(t, folder, 0)
	var entries []*outbox.Entry
	for i := range 2_500 {
		key := fmt.Sprint(i)
		entries = append(entries, &outbox.Entry{Capture: &outbox.Capture{Key: key, SpecID: api.AdjustStock.ID, Target: "/stock/adjust", At: start}},
			&outbox.Entry{StateChange: &outbox.StateChange{Key: key, State: outbox.Discarded, At: start}})
	}
	require.NoError(t, q.Commit(entries...))
	require.NoError(t, q.CompactJournal(start.AddDate(0, 0, 8)))
	require.NoError(t, q.Close())
	q = openSaved(t, folder, 0)
	require.Len(t, q.Operations(), 2_000)
	require.NotNil(t, q.Operation("500"))
	require.NoError(t, q.Close())
}
