package offline_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// An unreliableService loses writes or their answers, and forgets keys: a key
// that is sent again counts as new.
type unreliableService struct {
	api.Service
	mu sync.Mutex
	// before and after lose requests or answers; short omits movements from explanations.
	before, after, short bool
	// paged has explanations in pages of one movement.
	paged bool
	sent  []string
}

func (b *unreliableService) set(fn func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fn()
}

func (b *unreliableService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	b.mu.Lock()
	before, after, short, paged := b.before, b.after, b.short, b.paged
	b.mu.Unlock()
	if in, ok := req.Input.(*api.ExplainBalanceInput); ok && paged {
		part, one := *in, int64(1)
		part.Limit = &one
		copied := *req
		copied.Input = &part
		return b.Service.(documentedService).Service.Do(ctx, &copied)
	}
	lost := api.Fail(api.Unavailable, api.Details{"outcome": "unknown"}, "No answer came.")
	if req.Spec.Writes() {
		if before {
			return nil, lost
		}
		b.set(func() { b.sent = append(b.sent, req.IdempotencyKey) })
	}
	res, err := b.Service.Do(ctx, req)
	if after && (req.Spec.Writes() || req.Spec == api.ExplainBalance.Spec) {
		return nil, lost
	}
	if err != nil {
		return nil, err
	}
	if x, ok := res.Output.(*api.Explanation); ok && short {
		x.Movements = x.Movements[1:]
	}
	return res, nil
}

// TestPolling_LooksUpOperationsWithExpiredKeys has a service that forgets keys
// before an unanswered operation is retried.
func TestPolling_LooksUpOperationsWithExpiredKeys(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after, short, paged bool

		state outbox.State
		sent  int
		stock int64
	}{
		"done":                         {after: true, state: outbox.Done, sent: 1, stock: 25},
		"not arrived":                  {before: true, state: outbox.Done, sent: 1, stock: 25},
		"done, on a later page":        {after: true, paged: true, state: outbox.Done, sent: 1, stock: 25},
		"not arrived, several pages":   {before: true, paged: true, state: outbox.Done, sent: 1, stock: 25},
		"unclear":                      {before: true, short: true, state: outbox.Held, sent: 0, stock: 20},
		"done, incomplete explanation": {after: true, short: true, state: outbox.Done, sent: 1, stock: 25},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openPollingFixture(t)
			oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
			d.world.Stock(oats.ID, location.ID, 20)
			b := &unreliableService{Service: documentedService{d.world.Ledger}}
			d.link.svc = b
			d.open()
			d.waitRead()
			b.set(func() { b.before, b.after = c.before, c.after })
			key := api.NewKey()
			_, err := api.AdjustStock.Call(t.Context(), d.svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID},
				InventoryState: api.Available, QuantityDelta: 5, Reason: "found"}, api.Key(key))
			require.NoError(t, err)
			d.eventually("the operation was sent", func() bool { return !d.Operation(key).FailingSince.IsZero() })
			d.stop()
			b.set(func() { b.sent = b.sent[:min(1, len(b.sent))] })
			d.world.Clock.Advance(25 * time.Hour)
			b.set(func() { b.before, b.after, b.short, b.paged = false, false, c.short, c.paged })
			d.open()
			d.eventually("the operation is resolved", func() bool {
				d.Resume()
				op := d.Operation(key)
				return op.State == c.state && (op.State == outbox.Held || op.Confirmed)
			})
			require.Len(t, b.sent, c.sent, "an expired key is not sent again")
			require.EqualValues(t, c.stock, d.stock(oats.ID, location.ID).OnHand)
			remote := ledgertest.Do(d.world, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: oats.ID}}).Items[0]
			require.EqualValues(t, c.stock, remote.OnHand)
			if c.state != outbox.Held {
				return
			}
			require.Contains(t, d.Operation(key).Refusal.Message, "Check the stock")
			require.NoError(t, d.Retry(t.Context(), key, "Ada"))
			d.eventually("the retried operation is confirmed", func() bool { d.Resume(); return d.Operation(key).Confirmed })
			require.EqualValues(t, 25, d.stock(oats.ID, location.ID).OnHand)
		})
	}
}
