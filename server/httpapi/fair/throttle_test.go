package fair_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/httpapi/fair"
)

// run performs requests of an organization one after the other for a while, each of which
// takes 1 ms and moves some bytes. It returns how many there were.
func run(t *testing.T, q *fair.Queue, org uuid.UUID, bytes int64, while time.Duration) (n int) {
	for end := time.Now().Add(while); time.Now().Before(end); n++ {
		turn, err := q.Enter(context.Background(), org, org, 1)
		if err != nil {
			t.Error(err)
			return n
		}
		<-time.After(time.Millisecond)
		turn.Leave(int64(time.Millisecond), bytes)
	}
	return n
}

// An organization that moves many bytes is held to the rate while another one is active.
func TestQueue_Throttle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.NewQueue(fair.NewActivity(), 2, 1, 100).Throttle(10_000_000)
		require.Equal(t, 1000, run(t, q, b, 100_000, time.Second), "alone")

		var light, heavy int
		go func() { light = run(t, q, a, 1000, 10*time.Second) }()
		heavy = run(t, q, b, 100_000, 10*time.Second) // 100 a second at the rate
		synctest.Wait()
		require.Equal(t, 10_000, light, "it does not pause")
		require.InDelta(t, 1000, heavy, 10)

		for range 100 { // until a is not active
			turn, err := q.Enter(t.Context(), b, b, 1)
			require.NoError(t, err)
			turn.Leave(1, 0)
		}
		require.Equal(t, 1000, run(t, q, b, 100_000, time.Second), "alone again")
	})
}

// A very large request delays the next one by half a second at most.
func TestQueue_ThrottleLimitsThePause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.NewQueue(fair.NewActivity(), 2, 1, 100).Throttle(1000)
		other, err := q.Enter(t.Context(), a, a, 1)
		require.NoError(t, err)
		turn, err := q.Enter(t.Context(), b, b, 1)
		require.NoError(t, err)
		turn.Leave(1, 1<<30)
		from := time.Now()
		turn, err = q.Enter(t.Context(), b, b, 1)
		require.NoError(t, err)
		require.Equal(t, 480*time.Millisecond, time.Since(from))
		turn.Leave(1, 0)
		other.Leave(1, 0)
	})
}

// An organization that writes leaves room for one that reads, and the other way around.
func TestQueue_SharesActivity(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		activity := fair.NewActivity()
		reads, writes := fair.NewQueue(activity, 2, 1, 100), fair.NewQueue(activity, 2, 1, 100)
		turn, err := writes.Enter(t.Context(), a, a, 1)
		require.NoError(t, err)
		first, err := reads.Enter(t.Context(), b, b, 1)
		require.NoError(t, err)
		second := make(chan *fair.Turn, 1)
		go func() {
			got, err := reads.Enter(context.Background(), b, b, 1)
			if err == nil {
				second <- got
			}
		}()
		synctest.Wait()
		require.Empty(t, second)
		first.Leave(1, 0)
		(<-second).Leave(1, 0)
		turn.Leave(1, 0)
	})
}
