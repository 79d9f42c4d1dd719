package queue_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/queue"
)

func TestAddOnce_AddsTheLabelsOfAReceiptOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := queue.New(dir, nil)
	first, err := q.AddOnce("r-1", jobs(3))
	require.NoError(t, err)
	again, err := queue.New(dir, nil).AddOnce("r-1", jobs(3))
	require.NoError(t, err)
	require.Equal(t, first, again)
	other, err := q.AddOnce("r-2", jobs(1))
	require.NoError(t, err)
	require.Equal(t, int64(4), other[0].ID)
	require.NoError(t, q.Cancel(4))
	other, err = q.AddOnce("r-2", jobs(1))
	require.NoError(t, err)
	require.Equal(t, queue.Canceled, other[0].State, "a person does not want it")
	require.Len(t, states(t, q), 4)
	_, err = q.AddOnce("r-3", jobs(queue.MaxOpen))
	require.ErrorIs(t, err, queue.ErrFull)
}

// Labels that were printed long ago are not added again, although their jobs are gone.
func TestAddOnce_KnowsReceiptsWhoseLabelsAreGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := queue.New(dir, nil)
	var printed []string
	const receipts, labels = 50, 5
	addAll := func(q *queue.Queue) {
		for i := range receipts {
			_, err := q.AddOnce(fmt.Sprint("r-", i), jobs(labels))
			require.NoError(t, err)
		}
		require.NoError(t, printing(q, &printed).Drain(t.Context(), "dock"))
	}

	addAll(q)
	require.Less(t, len(states(t, q)), 201)
	for _, q := range []*queue.Queue{q, queue.New(dir, nil)} {
		addAll(q)
		require.Len(t, printed, receipts*labels)
	}
}

// A crash while the labels were written kept only the first one.
func TestAddOnce_AddsTheRestAfterACrash(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	q := queue.New(dir, nil)
	_, err := q.AddOnce("r-1", jobs(1))
	require.NoError(t, err)
	file := filepath.Join(dir, "queue.jsonl")
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(kept, `{"id":2,"printer":"do`...), 0o600))
	added, err := queue.New(dir, nil).AddOnce("r-1", jobs(3))
	require.NoError(t, err)
	require.Equal(t, []string{"0", "1", "2"}, []string{added[0].Title, added[1].Title, added[2].Title})
	require.Len(t, states(t, q), 3)
}
