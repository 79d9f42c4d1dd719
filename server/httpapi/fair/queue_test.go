package fair_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/httpapi/fair"
)

var a, b, c = uuid.UUID{1}, uuid.UUID{2}, uuid.UUID{3}

// A scene is a queue with requests whose names are recorded as they start.
type scene struct {
	t *testing.T
	*fair.Queue
	wg      sync.WaitGroup
	started chan start
}

type start struct {
	name string
	turn *fair.Turn
}

func newScene(t *testing.T, capacity, most int64) *scene {
	return &scene{t: t, Queue: fair.NewQueue(fair.NewActivity(), capacity, most, 100), started: make(chan start, 100)}
}

// enter lets a request wait, and returns when it does or has started.
func (s *scene) enter(name string, org, key uuid.UUID, units int64) {
	length := s.Length()
	entered := make(chan struct{})
	s.wg.Go(func() {
		turn, err := s.Enter(context.Background(), org, key, units)
		if err == nil {
			s.started <- start{name, turn}
		}
		close(entered)
	})
	for s.Length() == length {
		select {
		case <-entered:
			return
		default:
		}
	}
}

// order ends each started request, with a cost by name, until none waits, and
// returns the names in order.
func (s *scene) order(cost map[string]int64) (names []string) {
	for range cap(s.started) {
		if s.Length() == 0 && len(s.started) == 0 {
			break
		}
		got := <-s.started
		names = append(names, got.name)
		got.turn.Leave(max(1, cost[got.name]), 0)
	}
	s.wg.Wait()
	for len(s.started) > 0 {
		got := <-s.started
		names = append(names, got.name)
		got.turn.Leave(max(1, cost[got.name]), 0)
	}
	return names
}

// A flood of one organization delays another by at most one request.
func TestQueue_OrganizationsTakeTurns(t *testing.T) {
	t.Parallel()
	s := newScene(t, 1, 1)
	for range 5 {
		s.enter("b", b, b, 1)
	}
	for range 3 {
		s.enter("a", a, a, 1)
	}
	require.Equal(t, []string{"b", "a", "b", "a", "b", "a", "b", "b"}, s.order(nil))
}

// An organization with expensive requests starts fewer of them.
func TestQueue_SharesCost(t *testing.T) {
	t.Parallel()
	s := newScene(t, 1, 1)
	for range 3 {
		s.enter("b", b, b, 1)
	}
	for range 12 {
		s.enter("a", a, a, 1)
	}
	got := s.order(map[string]int64{"a": 1, "b": 8})
	require.Equal(t, []string{"b", "a", "a", "a", "a", "a", "a", "a", "a"}, got[:9])
}

func TestQueue_KeysTakeTurns(t *testing.T) {
	t.Parallel()
	s := newScene(t, 1, 1)
	for _, name := range []string{"first", "b1", "b2", "b3"} {
		s.enter(name, a, b, 1)
	}
	s.enter("c1", a, c, 1)
	s.enter("c2", a, c, 1)
	require.Equal(t, []string{"first", "b1", "c1", "b2", "c2", "b3"}, s.order(nil))
}

func TestQueue_AloneUsesAll(t *testing.T) {
	t.Parallel()
	s := newScene(t, 3, 3)
	for range 4 {
		s.enter("a", a, a, 1)
	}
	require.Len(t, s.started, 3)
	require.Equal(t, 1, s.Length())
	require.Len(t, s.order(nil), 4)
}

// An organization leaves room while others are active, and takes all when they
// no longer are.
func TestQueue_LeavesRoom(t *testing.T) {
	t.Parallel()
	s := newScene(t, 4, 2)
	s.enter("a", a, a, 1)
	first := <-s.started
	for range 4 {
		s.enter("b", b, b, 1)
	}
	require.Len(t, s.started, 2)
	require.Equal(t, 2, s.Length())
	s.enter("c", c, c, 1)
	require.Len(t, s.started, 3, "c does not wait behind b")
	first.turn.Leave(1, 0)
	require.Len(t, s.started, 3, "a was active lately")
	s.order(nil)
	for range 100 {
		turn, err := s.Enter(t.Context(), b, b, 1)
		require.NoError(t, err)
		turn.Leave(1, 0)
	}
	for range 4 {
		s.enter("b", b, b, 1)
	}
	require.Len(t, s.started, 4)
	s.order(nil)
}

func TestQueue_AlwaysLeavesRoom(t *testing.T) {
	t.Parallel()
	s := newScene(t, 4, 2)
	s.Always()
	for range 4 {
		s.enter("b", b, b, 1)
	}
	require.Len(t, s.started, 2)
	require.Equal(t, 2, s.Length())
	require.Len(t, s.order(nil), 4)
}

// A large request is not overtaken by small ones forever.
func TestQueue_LargeRequestStarts(t *testing.T) {
	t.Parallel()
	s := newScene(t, 4, 4)
	s.enter("small", a, a, 1)
	s.enter("large", b, b, 9)
	s.enter("small", a, a, 1)
	s.enter("small", a, a, 1)
	require.Equal(t, []string{"small", "large", "small", "small"}, s.order(nil))
}

func TestQueue_LimitsWaiting(t *testing.T) {
	t.Parallel()
	q := fair.NewQueue(fair.NewActivity(), 1, 1, 1)
	first, err := q.Enter(t.Context(), b, b, 1)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := q.Enter(ctx, b, b, 1)
		gone <- err
	}()
	for q.Length() == 0 {
	}
	_, err = q.Enter(t.Context(), b, b, 1)
	require.ErrorIs(t, err, fair.ErrFull)
	cancel()
	require.ErrorIs(t, <-gone, context.Canceled)
	require.Zero(t, q.Length(), "who gives up no longer waits")
	first.Leave(1, 0)
	again, err := q.Enter(t.Context(), b, b, 1)
	require.NoError(t, err, "the capacity is free again")
	again.Leave(1, 0)
}

// Requests that come, go and give up at random leave the queue empty and free.
func TestQueue_LeavesNothing(t *testing.T) {
	t.Parallel()
	q := fair.NewQueue(fair.NewActivity(), 3, 2, 50)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			for n := range 100 {
				ctx, cancel := context.WithCancel(t.Context())
				if n%3 == 0 {
					go cancel()
				}
				turn, err := q.Enter(ctx, uuid.UUID{byte(i % 5)}, uuid.UUID{byte(n % 4)}, int64(n%4))
				if err == nil {
					turn.Leave(int64(i), int64(n))
				}
				cancel()
			}
		})
	}
	wg.Wait()
	require.Zero(t, q.Length())
	turn, err := q.Enter(t.Context(), a, a, 2)
	require.NoError(t, err)
	turn.Leave(1, 0)
}

func TestCounter(t *testing.T) {
	t.Parallel()
	n := fair.NewCounter[string](2)
	require.True(t, n.Add("a"))
	require.True(t, n.Add("a"))
	require.False(t, n.Add("a"))
	require.True(t, n.Add("b"))
	n.Done("a")
	require.True(t, n.Add("a"))
}
