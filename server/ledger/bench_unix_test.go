//go:build unix

package ledger_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// BenchmarkWrites measures the CPU time of a write from the ledger down, without
// waiting for the disk, with 64 concurrent writers. CPU time is more reliable than the
// clock on a shared machine.
func BenchmarkWrites(b *testing.B) {
	for _, load := range []struct {
		name string
		work func(*benchWriter) error
	}{{"adjust", (*benchWriter).adjust}, {"mixed", (*benchWriter).mixed}} {
		b.Run(load.name, func(b *testing.B) {
			w := ledgertest.OpenDir(b, b.TempDir())
			w.Damaged = true // skip the verification
			places := []api.Place{w.Location("WH-1"), w.Location("WH-2")}
			products := make([]api.Product, 1000)
			for i := range products {
				products[i] = w.Product(fmt.Sprintf("OAT-%d", i), api.TrackNone)
			}
			for _, p := range products {
				w.Stock(p.ID, places[0].ID, 1_000_000)
			}
			var done atomic.Int64
			before := processorTime(b)
			b.ReportAllocs()
			b.ResetTimer()
			var wg sync.WaitGroup
			for k := range 64 {
				wg.Go(func() {
					x := &benchWriter{svc: w.Service, from: places[0].ID, to: places[1].ID, products: products, n: k, done: &done}
					for done.Load() < int64(b.N) {
						if err := load.work(x); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			b.ReportMetric(float64((processorTime(b)-before).Nanoseconds())/1e3/float64(done.Load()), "µs-cpu/write")
		})
	}
}

// A benchWriter is one of the concurrent writers.
type benchWriter struct {
	svc      api.Service
	from, to api.ID
	products []api.Product
	n        int
	done     *atomic.Int64
}

func (x *benchWriter) adjust() error {
	x.n += 7
	x.done.Add(1)
	_, err := api.AdjustStock.Call(context.Background(), x.svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: x.products[x.n%len(x.products)].ID, LocationID: x.from},
		InventoryState: api.Available, QuantityDelta: 1, Reason: "count", Reference: api.Reference{ReferenceType: "count", ReferenceID: "C-1"}})
	return err
}

// mixed performs a whole inbound, transfer or outbound.
func (x *benchWriter) mixed() error {
	x.n++
	ctx, product := context.Background(), x.products[x.n*7%len(x.products)].ID
	switch x.n % 3 {
	case 0:
		in, err := api.CreateInbound.Call(ctx, x.svc, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product, LocationID: x.from}, ExpectedQuantity: 3, Reference: api.Reference{ReferenceType: "po", ReferenceID: "PO-1"}})
		if err != nil {
			return err
		}
		x.done.Add(2)
		_, err = api.ReceiveInbound.Call(ctx, x.svc, api.ReceiveInboundInput{InboundID: in.Inbound.ID, Quantity: 3})
		return err
	case 1:
		t, err := api.CreateTransfer.Call(ctx, x.svc, api.CreateTransferInput{ProductID: product, SourceLocationID: x.from, DestinationLocationID: x.to, Quantity: 2})
		if err != nil {
			return err
		}
		if _, err = api.ShipTransfer.Call(ctx, x.svc, api.MoveTransferInput{TransferID: t.Transfer.ID}); err != nil {
			return err
		}
		x.done.Add(3)
		_, err = api.ReceiveTransfer.Call(ctx, x.svc, api.MoveTransferInput{TransferID: t.Transfer.ID})
		return err
	}
	o, err := api.CreateOutbound.Call(ctx, x.svc, api.CreateOutboundInput{ProductID: product, LocationID: x.from, RequestedQuantity: new(int64(2)), CustomerName: "Eve"})
	if err != nil {
		return err
	}
	x.done.Add(2)
	_, err = api.FulfillOutbound.Call(ctx, x.svc, api.FulfillOutboundInput{OutboundID: o.Outbound.ID})
	return err
}

// processorTime returns the CPU time used by the process.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
