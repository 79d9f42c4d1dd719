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
	"bincard/server/testenv"
)

const checkTimeout = time.Minute // of porcupine

// Histories of concurrent clients are linearizable: all responses are as if the requests had
// been performed one after another, in an order consistent with their times. A key works
// once, however often and by whomever it is used. A canceled request has no effect.
func TestHistories_AreLinearizable(t *testing.T) {
	t.Parallel()
	from := testenv.Seed(t)
	for i := range testenv.LinearHistories.Cases(t) {
		seed := from + uint64(i)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			c := newClients(t, 3, func(s api.Service) api.Service { return s })
			c.run(t.Context(), 8, 60, seed)
			c.requireLinearizable(t)
		})
	}
}

// requireLinearizable checks the history, which must have repeated and rejected requests.
func (c *clients) requireLinearizable(t *testing.T) {
	t.Helper()
	replayed, rejected := 0, 0
	for _, op := range c.history {
		out := op.Output.(response)
		if out.replayed {
			replayed++
		}
		if out.rejected != "" {
			require.Contains(t, []api.Code{api.InsufficientStock, api.ReservationNotPending}, out.rejected)
			rejected++
		}
	}
	require.NotZero(t, replayed)
	require.NotZero(t, rejected)
	t.Logf("%d requests: %d replayed, %d rejected, %d canceled", len(c.history), replayed, rejected, c.canceled)
	require.Equal(t, porcupine.Ok, porcupine.CheckOperationsTimeout(model, c.history, checkTimeout))
}

// The test above detects services with planted faults.
func TestHistories_DetectFaults(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(api.Service) api.Service{
		"stale balance":         func(s api.Service) api.Service { return &staleReads{Service: s} },
		"applied twice":         func(s api.Service) api.Service { return &appliesTwice{Service: s} },
		"forgotten key":         func(s api.Service) api.Service { return &forgetsKeys{Service: s} },
		"lost write":            func(s api.Service) api.Service { return &losesWrites{Service: s} },
		"unjustified rejection": func(s api.Service) api.Service { return &rejecting{Service: s} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClients(t, 1, wrap)
			c.run(t.Context(), 4, 60, rand.Uint64())
			require.Equal(t, porcupine.Illegal, porcupine.CheckOperationsTimeout(model, c.history, checkTimeout))
		})
	}
}

// everyNth counts requests, so that a fault occurs now and then.
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

// staleReads sometimes returns an old balance.
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

// appliesTwice sometimes applies an adjustment again under another key.
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

// forgetsKeys sometimes replaces the key of a request.
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

// losesWrites sometimes undoes an adjustment after acknowledging it.
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
		reverse := *req.Input.(*api.AdjustStockInput)
		reverse.QuantityDelta = -reverse.QuantityDelta
		undo := *req
		undo.Input, undo.IdempotencyKey = &reverse, api.NewKey()
		_, _ = s.Service.Do(ctx, &undo)
	}
	return res, err
}

// rejecting sometimes rejects an adjustment that is possible.
type rejecting struct {
	api.Service
	everyNth
}

func (s *rejecting) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if in, ok := req.Input.(*api.AdjustStockInput); ok && in.QuantityDelta > 0 && s.hit(5) {
		return nil, api.Fail(api.InsufficientStock, nil, "Not enough stock.")
	}
	return s.Service.Do(ctx, req)
}
