package bench_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
)

// BenchmarkPages reads pages of explanations, movements and snapshots in
// ledgers of different size: the times must not grow with it.
func BenchmarkPages(b *testing.B) {
	for _, movements := range []int{10_000, 200_000} {
		b.Run(fmt.Sprintf("movements=%d", movements), func(b *testing.B) {
			s, w := newLedgerWith(b, movements)
			for _, page := range pages(s, w) {
				b.Run(page.name, func(b *testing.B) { page.measure(b) })
			}
		})
	}
}

// A page is a read of one page.
type page struct {
	name string
	read func(ctx context.Context, i int) error
}

func (p page) measure(b *testing.B) {
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		require.NoError(b, p.read(b.Context(), i))
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(ms(times[len(times)/2]), "p50-ms")
	b.ReportMetric(ms(times[len(times)*99/100]), "p99-ms")
	b.ReportMetric(0, "ns/op")
}

func pages(s *server.Server, w world) []page {
	svc, limit := as(s, w.Org), int64(50)
	list, err := api.ListBalances.Call(context.Background(), svc, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: w.Products[0]}})
	if err != nil {
		panic(err)
	}
	hot := list.Items[0].ID // has half of the movements
	explain := func(order api.Order) func(context.Context, int) error {
		return func(ctx context.Context, _ int) error {
			_, err := api.ExplainBalance.Call(ctx, svc, api.ExplainBalanceInput{BalanceID: hot, HistoryPage: api.HistoryPage{Limit: &limit, Order: order}})
			return err
		}
	}
	return []page{
		{"explain-oldest", explain(api.OldestFirst)},
		{"explain-newest", explain(api.NewestFirst)},
		{"movements", func(ctx context.Context, _ int) error {
			_, err := api.ReportMovements.Call(ctx, svc, api.ReportMovementsInput{Limit: &limit})
			return err
		}},
		{"movements-of-product", func(ctx context.Context, i int) error {
			_, err := api.ReportMovements.Call(ctx, svc, api.ReportMovementsInput{StockFilter: api.StockFilter{ProductID: w.Products[i%len(w.Products)]}, Limit: &limit})
			return err
		}},
		{"snapshot", func(ctx context.Context, _ int) error {
			_, err := api.ReportSnapshot.Call(ctx, svc, api.ReportSnapshotInput{Limit: &limit})
			return err
		}},
	}
}

// newLedgerWith returns a ledger with a number of movements, half of them on
// one balance.
func newLedgerWith(b *testing.B, movements int) (*server.Server, world) {
	b.Helper()
	s, err := server.Open(server.Config{Dir: b.TempDir(), NoSync: true, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	w, err := furnish(b.Context(), s)
	require.NoError(b, err)
	svc, writers := as(s, w.Org), 64
	failed := make([]error, writers)
	var wg sync.WaitGroup
	for k := range writers {
		wg.Go(func() {
			for i := k; i < movements/2 && failed[k] == nil; i += writers { // two movements each
				product := w.Products[0]
				if i%2 == 1 {
					product = w.Products[i/2%len(w.Products)]
				}
				_, failed[k] = api.AdjustStock.Call(b.Context(), svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: w.Location},
					InventoryState: api.Available, QuantityDelta: 1, Reason: "count"})
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		require.NoError(b, err)
	}
	return s, w
}
