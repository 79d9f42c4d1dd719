package bench_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
)

const (
	writers       = 64
	largeProducts = 5000
	largePlaces   = 4
)

// A largeLedger is a ledger with many movements.
type largeLedger struct {
	world
	Locations []api.ID
	// Attic and Guest are a location and an owner with very few movements.
	Attic, Guest api.ID
	Movements    int
	// Early is when a tenth of the movements existed.
	Early time.Time

	dir   string
	s     *server.Server
	svc   api.Service
	moved atomic.Int64
}

// make fills the directory: it stocks every product everywhere, and then
// receives, ships and counts stock until there are enough movements.
func (m *largeLedger) make(b *testing.B, movements int) {
	b.Helper()
	m.open(b, true)
	ctx := b.Context()
	org, err := m.s.Ledger.CreateOrganization(ctx, "Harbor Goods")
	require.NoError(b, err)
	m.Org = org.ID
	m.svc = as(m.s, m.Org)
	for i := range largePlaces {
		p, err := api.CreateLocation.Call(ctx, m.svc, api.CreateLocationInput{Code: fmt.Sprintf("WH-%d", i+1), Name: fmt.Sprintf("Warehouse %d", i+1), Type: "warehouse"})
		require.NoError(b, err)
		m.Locations = append(m.Locations, p.ID)
	}
	attic, err := api.CreateLocation.Call(ctx, m.svc, api.CreateLocationInput{Code: "ATTIC", Name: "Attic", Type: "warehouse"})
	require.NoError(b, err)
	guest, err := api.CreateOwner.Call(ctx, m.svc, api.CreatePlaceInput{Code: "GUEST", Name: "Guest", Type: "company"})
	require.NoError(b, err)
	m.Attic, m.Guest = attic.ID, guest.ID
	m.Products = make([]api.ID, largeProducts)
	m.all(b, func(w *loadWorker) error { return w.stock(ctx) })
	m.Early = time.Now()
	defer m.progress(b, movements)()
	for _, share := range []int{movements / 10, movements} {
		m.all(b, func(w *loadWorker) error {
			for m.moved.Load() < int64(share) {
				if err := w.day(ctx); err != nil {
					return err
				}
			}
			return nil
		})
		if share < movements {
			m.Early = time.Now()
		}
	}
	m.Movements = int(m.moved.Load())
	require.NoError(b, m.s.Close())
	flushFiles(b, m.dir)
}

// progress prints the progress every ten seconds until end is called.
func (m *largeLedger) progress(b *testing.B, movements int) (end func()) {
	start, done := time.Now(), make(chan struct{})
	go func() {
		for tick := time.NewTicker(10 * time.Second); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				n := m.moved.Load()
				fmt.Printf("%s: %d of %d movements, %.0f a second\n", time.Since(start).Round(time.Second), n, movements,
					float64(n)/time.Since(start).Seconds())
			}
		}
	}()
	return func() { close(done) }
}

// all runs work in as many loadWorkers as there are writers.
func (m *largeLedger) all(b *testing.B, work func(*loadWorker) error) {
	b.Helper()
	failed := make([]error, writers)
	var wg sync.WaitGroup
	for k := range writers {
		wg.Go(func() { failed[k] = work(&loadWorker{m: m, k: k, rnd: rand.New(rand.NewPCG(uint64(k), 1))}) })
	}
	wg.Wait()
	for _, err := range failed {
		require.NoError(b, err)
	}
}

// A loadWorker works on its own products, so that workers do not take stock
// from each other.
type loadWorker struct {
	m   *largeLedger
	k   int
	n   int
	rnd *rand.Rand
}

// stock creates the products and stocks them everywhere.
func (h *loadWorker) stock(ctx context.Context) error {
	for i := h.k; i < largeProducts; i += writers {
		p, err := api.CreateProduct.Call(ctx, h.m.svc, api.CreateProductInput{SKU: fmt.Sprintf("OAT-%d", i), Name: fmt.Sprintf("Oat milk %d", i)})
		if err != nil {
			return err
		}
		h.m.Products[i] = p.ID
		for _, at := range h.m.Locations {
			if err := h.adjust(ctx, p.ID, at, 1_000_000); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *loadWorker) adjust(ctx context.Context, product, at api.ID, by int64) error {
	out, err := api.AdjustStock.Call(ctx, h.m.svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: at},
		InventoryState: api.Available, QuantityDelta: by, Reason: "count", Reference: api.Reference{ReferenceType: "count", ReferenceID: "C-1"}})
	h.m.moved.Add(int64(len(out.Movements)))
	return err
}

// day performs work on one product: mostly a count, sometimes a complete
// inbound, outbound or transfer.
func (h *loadWorker) day(ctx context.Context) error {
	own := (largeProducts - h.k + writers - 1) / writers
	product := h.m.Products[h.k+h.rnd.IntN(own)*writers]
	from := h.rnd.IntN(largePlaces)
	at, to := h.m.Locations[from], h.m.Locations[(from+1)%largePlaces]
	h.n++
	ref := fmt.Sprintf("R-%d-%d", h.k, h.n)
	if h.n%rare < 4 {
		return h.rareEvent(ctx, product, at)
	}
	switch h.n % 10 {
	case 0:
		return h.deliver(ctx, product, at, ref)
	case 3:
		return h.transfer(ctx, product, at, to, ref)
	case 6, 9:
		return h.order(ctx, product, at, ref)
	}
	if h.k == 0 && h.n%2 == 0 { // one balance has a long history
		product, at = h.m.Products[0], h.m.Locations[0]
	}
	return h.adjust(ctx, product, at, 1+int64(h.n%7))
}

// rare is the number of days of which four have a rare event.
const rare = 1000

// rareEvent performs a rare operation: stock in the attic, of a guest, damaged
// or written off.
func (h *loadWorker) rareEvent(ctx context.Context, product, at api.ID) error {
	in := api.AdjustStockInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, InventoryState: api.Available, QuantityDelta: 1, Reason: "found"}
	switch h.n % rare {
	case 0:
		in.LocationID = h.m.Attic
	case 1:
		in.OwnerID = h.m.Guest
	case 2:
		in.InventoryState, in.Reason = api.Damaged, "broken"
	case 3:
		out, err := api.WriteOffStock.Call(ctx, h.m.svc, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, Quantity: new(int64(1)), Reason: "thrown away"})
		h.m.moved.Add(int64(len(out.Movements)))
		return err
	}
	out, err := api.AdjustStock.Call(ctx, h.m.svc, in)
	h.m.moved.Add(int64(len(out.Movements)))
	return err
}

// deliver receives an inbound, but leaves every thirtieth expected.
func (h *loadWorker) deliver(ctx context.Context, product, at api.ID, ref string) error {
	in, err := api.CreateInbound.Call(ctx, h.m.svc, api.CreateInboundInput{StockKey: api.StockKey{ProductID: product, LocationID: at}, ExpectedQuantity: 12,
		SupplierName: "Mill & Sons", Reference: api.Reference{ReferenceType: "po", ReferenceID: ref}})
	if err != nil {
		return err
	}
	h.m.moved.Add(int64(len(in.Movements)))
	if h.n%300 == 0 {
		return nil
	}
	got, err := api.ReceiveInbound.Call(ctx, h.m.svc, api.ReceiveInboundInput{InboundID: in.Inbound.ID, Quantity: 12})
	h.m.moved.Add(int64(len(got.Movements)))
	return err
}

func (h *loadWorker) transfer(ctx context.Context, product, at, to api.ID, ref string) error {
	t, err := api.CreateTransfer.Call(ctx, h.m.svc, api.CreateTransferInput{ProductID: product, SourceLocationID: at,
		DestinationLocationID: to, Quantity: 3, Reference: api.Reference{ReferenceType: "move", ReferenceID: ref}})
	if err != nil {
		return err
	}
	sent, err := api.ShipTransfer.Call(ctx, h.m.svc, api.MoveTransferInput{TransferID: t.Transfer.ID})
	if err != nil {
		return err
	}
	got, err := api.ReceiveTransfer.Call(ctx, h.m.svc, api.MoveTransferInput{TransferID: t.Transfer.ID})
	h.m.moved.Add(int64(len(sent.Movements) + len(got.Movements)))
	return err
}

func (h *loadWorker) order(ctx context.Context, product, at api.ID, ref string) error {
	n := int64(2)
	created, err := api.CreateOutbound.Call(ctx, h.m.svc, api.CreateOutboundInput{ProductID: product, LocationID: at, RequestedQuantity: &n,
		CustomerName: "Corner Shop", Reference: api.Reference{ReferenceType: "order", ReferenceID: ref}})
	if err != nil {
		return err
	}
	sent, err := api.FulfillOutbound.Call(ctx, h.m.svc, api.FulfillOutboundInput{OutboundID: created.Outbound.ID})
	h.m.moved.Add(int64(len(created.Movements) + len(sent.Movements)))
	return err
}

// adjusting returns the number of durable adjustments a second by all workers.
func (m *largeLedger) adjusting(b *testing.B, d time.Duration) float64 {
	b.Helper()
	var done atomic.Int64
	start := time.Now()
	m.all(b, func(h *loadWorker) error {
		for time.Since(start) < d {
			product, at := m.Products[h.rnd.IntN(largeProducts)], m.Locations[h.rnd.IntN(largePlaces)]
			if err := h.adjust(b.Context(), product, at, 1); err != nil {
				return err
			}
			done.Add(1)
		}
		return nil
	})
	return float64(done.Load()) / time.Since(start).Seconds()
}
