package proof_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

const patience = time.Minute // of the checker

// TestHistoriesAreLinearizable holds that whatever clients do at once, each of
// them is answered as if all had come one after the other, in an order that
// nobody can tell from the real one; and that a key works once, whoever uses it
// how often. What a client gave up before its turn came did nothing.
func TestHistoriesAreLinearizable(t *testing.T) {
	t.Parallel()
	for i := range cases(6, 200) {
		seed := rand.Uint64()
		t.Run(fmt.Sprintf("%d seed %d", i, seed), func(t *testing.T) {
			t.Parallel()
			c := gather(t, 3, func(s api.Service) api.Service { return s })
			c.work(t.Context(), 8, 60, seed)
			replayed, short := 0, 0
			for _, op := range c.history {
				out := op.Output.(seen)
				if out.replayed {
					replayed++
				}
				if out.refused != "" {
					require.Contains(t, []api.Code{api.InsufficientStock, api.ReservationNotPending}, out.refused)
					short++
				}
			}
			require.NotZero(t, replayed)
			require.NotZero(t, short)
			t.Logf("%d requests: %d replayed, %d refused, %d given up", len(c.history), replayed, short, c.givenUp)
			require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(model, c.history, patience))
		})
	}
}

// TestPlantedFaultsAreFound holds that the test above can fail: services that
// are wrong now and then are found out.
func TestPlantedFaultsAreFound(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(api.Service) api.Service{
		"a stale balance":   func(s api.Service) api.Service { return &stale{Service: s} },
		"applied twice":     func(s api.Service) api.Service { return &twice{Service: s} },
		"a forgotten key":   func(s api.Service) api.Service { return &forgetful{Service: s} },
		"a lost write":      func(s api.Service) api.Service { return &lost{Service: s} },
		"a refusal at will": func(s api.Service) api.Service { return &wilful{Service: s} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := gather(t, 1, wrap)
			c.work(t.Context(), 4, 60, rand.Uint64())
			require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(model, c.history, patience))
		})
	}
}

// turn counts requests, so that a fault shows now and then.
type turn struct {
	mu sync.Mutex
	n  int
}

func (c *turn) every(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n%n == 0
}

// stale answers a look that is older than others that were answered.
type stale struct {
	api.Service
	turn
	last *api.Response
}

func (s *stale) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec != api.GetBalance.Spec {
		return s.Service.Do(ctx, req)
	}
	if s.every(4) && s.last != nil {
		return s.last, nil
	}
	res, err := s.Service.Do(ctx, req)
	if s.last == nil {
		s.last = res
	}
	return res, err
}

// twice applies an adjustment once more under a key of its own.
type twice struct {
	api.Service
	turn
}

func (s *twice) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec == api.AdjustStock.Spec && s.every(10) {
		again := *req
		again.IdempotencyKey = api.NewKey()
		_, _ = s.Service.Do(ctx, &again)
	}
	return s.Service.Do(ctx, req)
}

// forgetful does not know a key again.
type forgetful struct {
	api.Service
	turn
}

func (s *forgetful) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.IdempotencyKey != "" && s.every(5) {
		other := *req
		other.IdempotencyKey = api.NewKey()
		req = &other
	}
	return s.Service.Do(ctx, req)
}

// lost answers an adjustment that is gone again at once.
type lost struct {
	api.Service
	turn
}

func (s *lost) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec != api.AdjustStock.Spec || !s.every(6) {
		return s.Service.Do(ctx, req)
	}
	res, err := s.Service.Do(ctx, req)
	if err == nil {
		back := *req.Input.(*api.AdjustStockInput)
		back.QuantityDelta = -back.QuantityDelta
		undo := *req
		undo.Input, undo.IdempotencyKey = &back, api.NewKey()
		_, _ = s.Service.Do(ctx, &undo)
	}
	return res, err
}

// wilful refuses what there is enough for.
type wilful struct {
	api.Service
	turn
}

func (s *wilful) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if in, ok := req.Input.(*api.AdjustStockInput); ok && in.QuantityDelta > 0 && s.every(5) {
		return nil, api.Fail(api.InsufficientStock, nil, "There is not enough.")
	}
	return s.Service.Do(ctx, req)
}
