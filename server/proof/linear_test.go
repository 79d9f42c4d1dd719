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

const checkTimeout = time.Minute // of the checker

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
			c := newClients(t, 3, func(s api.Service) api.Service { return s })
			c.run(t.Context(), 8, 60, seed)
			replayed, short := 0, 0
			for _, op := range c.history {
				out := op.Output.(response)
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
			require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(model, c.history, checkTimeout))
		})
	}
}

// TestPlantedFaultsAreFound holds that the test above can fail: services that
// are wrong now and then are found out.
func TestPlantedFaultsAreFound(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(api.Service) api.Service{
		"a stale balance":   func(s api.Service) api.Service { return &staleReads{Service: s} },
		"applied twice":     func(s api.Service) api.Service { return &appliesTwice{Service: s} },
		"a forgotten key":   func(s api.Service) api.Service { return &forgetsKeys{Service: s} },
		"a lost write":      func(s api.Service) api.Service { return &losesWrites{Service: s} },
		"a refusal at will": func(s api.Service) api.Service { return &refusing{Service: s} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClients(t, 1, wrap)
			c.run(t.Context(), 4, 60, rand.Uint64())
			require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(model, c.history, checkTimeout))
		})
	}
}

// everyNth counts requests, so that a fault shows now and then.
type everyNth struct {
	mu sync.Mutex
	n  int
}

func (c *everyNth) hit(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n%n == 0
}

// staleReads answers a look that is older than others that were answered.
type staleReads struct {
	api.Service
	everyNth
	last *api.Response
}

func (s *staleReads) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec != api.GetBalance.Spec {
		return s.Service.Do(ctx, req)
	}
	if s.hit(4) && s.last != nil {
		return s.last, nil
	}
	res, err := s.Service.Do(ctx, req)
	if s.last == nil {
		s.last = res
	}
	return res, err
}

// appliesTwice applies an adjustment once more under a key of its own.
type appliesTwice struct {
	api.Service
	everyNth
}

func (s *appliesTwice) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec == api.AdjustStock.Spec && s.hit(10) {
		again := *req
		again.IdempotencyKey = api.NewKey()
		_, _ = s.Service.Do(ctx, &again)
	}
	return s.Service.Do(ctx, req)
}

// forgetsKeys does not know a key again.
type forgetsKeys struct {
	api.Service
	everyNth
}

func (s *forgetsKeys) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.IdempotencyKey != "" && s.hit(5) {
		other := *req
		other.IdempotencyKey = api.NewKey()
		req = &other
	}
	return s.Service.Do(ctx, req)
}

// losesWrites answers an adjustment that is gone again at once.
type losesWrites struct {
	api.Service
	everyNth
}

func (s *losesWrites) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec != api.AdjustStock.Spec || !s.hit(6) {
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

// refusing refuses what there is enough for.
type refusing struct {
	api.Service
	everyNth
}

func (s *refusing) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if in, ok := req.Input.(*api.AdjustStockInput); ok && in.QuantityDelta > 0 && s.hit(5) {
		return nil, api.Fail(api.InsufficientStock, nil, "There is not enough.")
	}
	return s.Service.Do(ctx, req)
}
