package queue_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui/label/queue"
)

// jobs returns n labels to add.
func jobs(n int) (out []queue.Job) {
	for i := range n {
		out = append(out, queue.Job{Printer: "dock", Title: fmt.Sprint(i), Data: []byte("^XA^XZ")})
	}
	return out
}

func TestAddAll_AddsAllOrNone(t *testing.T) {
	t.Parallel()
	q := queue.New(t.TempDir(), nil)
	added, err := q.AddAll(jobs(3))
	require.NoError(t, err)
	require.Equal(t, int64(3), added[2].ID)
	require.Equal(t, int64(4), add(t, q, "dock", "next").ID)
	_, err = q.AddAll(jobs(queue.MaxOpen - 3))
	require.ErrorIs(t, err, queue.ErrFull)
	_, err = q.AddAll(append(jobs(1), queue.Job{Printer: "dock"}))
	require.ErrorContains(t, err, "a label has 1 to")
	require.Len(t, states(t, q), 4)
	added, err = q.AddAll(nil)
	require.NoError(t, err)
	require.Empty(t, added)
}

func TestCancelAll_LeavesWhatIsPrinted(t *testing.T) {
	t.Parallel()
	q := queue.New(t.TempDir(), nil)
	first := add(t, q, "dock", "printed")
	var printed []string
	require.NoError(t, printing(q, &printed).Drain(t.Context(), "dock"))
	added, err := q.AddAll(jobs(2))
	require.NoError(t, err)
	n, err := q.CancelAll([]int64{first.ID, added[0].ID, added[1].ID, 99})
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, []queue.State{queue.Printed, queue.Canceled, queue.Canceled}, states(t, q))
}
