package proof_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store/boltstore"
)

// A filler writes to a ledger until the disk is full.
type filler struct {
	t      *testing.T
	dir    string
	opts   boltstore.Options
	store  *boltstore.Store
	ledger *ledger.Ledger
	svc    api.Service
	in     api.AdjustStockInput

	mu           sync.Mutex
	acknowledged []acknowledged
	lost         []acknowledged // rejected because the disk was full
}

func (f *filler) open() {
	f.t.Helper()
	var err error
	f.store, err = boltstore.Open(f.dir, f.opts)
	require.NoError(f.t, err)
	f.ledger = ledger.New(f.store, ledger.Options{Log: slog.New(slog.DiscardHandler)})
	orgs, err := f.ledger.Organizations(f.t.Context())
	require.NoError(f.t, err)
	if len(orgs) == 0 {
		org, err := f.ledger.CreateOrganization(f.t.Context(), "Harbor Foods")
		require.NoError(f.t, err)
		orgs = append(orgs, org)
	}
	f.svc = api.As(f.ledger, api.Caller{Organization: orgs[0].ID, Environment: api.Live, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Filler"}}, "")
}

func (f *filler) close() {
	f.t.Helper()
	f.ledger.Close()
	require.NoError(f.t, f.store.Close())
}

func (f *filler) furnish() {
	f.t.Helper()
	p, err := api.CreateProduct.Call(f.t.Context(), f.svc, api.CreateProductInput{SKU: "OAT-1L", Name: "Oat milk"})
	require.NoError(f.t, err)
	at, err := api.CreateLocation.Call(f.t.Context(), f.svc, api.CreateLocationInput{Code: "WH-1", Name: "Warehouse", Type: api.Warehouse})
	require.NoError(f.t, err)
	f.in = api.AdjustStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, InventoryState: api.Available, QuantityDelta: 1,
		Reason: "count", Metadata: api.Metadata(fmt.Sprintf(`{"note":%q}`, strings.Repeat("n", 4000)))}
}

// fill writes with several clients until each has been rejected twice.
func (f *filler) fill() {
	f.t.Helper()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for rejected := 0; rejected < 2; {
				a := acknowledged{in: f.in, key: api.NewKey()}
				err := f.write(&a)
				f.mu.Lock()
				if err == nil {
					f.acknowledged = append(f.acknowledged, a)
				} else {
					rejected++
					f.lost = append(f.lost, a)
				}
				f.mu.Unlock()
				if err != nil && !saysFull(err) {
					f.t.Errorf("the error does not report a full disk: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	require.NotEmpty(f.t, f.lost)
}

func (f *filler) write(a *acknowledged) error {
	out, err := api.AdjustStock.Call(f.t.Context(), f.svc, a.in, api.Key(a.key))
	a.out = out.Balance
	return err
}

// saysFull reports whether the error says that the disk is full, to the caller and in the log.
func saysFull(err error) bool {
	e := api.AsError(err)
	return e.Code == api.Unavailable && strings.Contains(e.Message, "disk is full") && errors.Is(err, boltstore.ErrFull)
}

// same checks that the ledger verifies and has exactly the acknowledged writes.
func (f *filler) same() {
	f.t.Helper()
	require.NoError(f.t, f.store.Check())
	result, err := f.ledger.Verify(f.t.Context())
	require.NoError(f.t, err)
	require.Empty(f.t, result.Faults)
	list, err := api.ListBalances.Call(f.t.Context(), f.svc, api.ListBalancesInput{})
	require.NoError(f.t, err)
	require.Len(f.t, list.Items, 1)
	require.EqualValues(f.t, len(f.acknowledged), list.Items[0].Available)
	for _, a := range f.acknowledged {
		res, err := api.AdjustStock.Do(f.t.Context(), f.svc, a.in, api.Key(a.key))
		require.NoError(f.t, err)
		require.True(f.t, res.Replayed)
		require.Equal(f.t, a.out.Version, res.Output.(*api.StockResult).Balance.Version)
	}
}

// again repeats the rejected writes, which must succeed now.
func (f *filler) again() {
	f.t.Helper()
	for _, a := range f.lost {
		require.NoError(f.t, f.write(&a))
		f.acknowledged = append(f.acknowledged, a)
	}
	f.lost = nil
}

// A full disk loses no acknowledged write and is reported as such; with free space the
// ledger continues, with or without a restart.
func TestLedger_FullDisk(t *testing.T) {
	t.Parallel()
	f := &filler{t: t, dir: smallDisk(t, "3m")}
	ballast := filepath.Join(f.dir, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, 1<<20), 0o600))
	f.open()
	f.furnish()
	f.fill()
	f.same()
	require.NoError(t, os.Remove(ballast))
	f.again()
	f.fill()
	f.same()
	f.close()

	f.open() // while the disk is full
	f.same()
	f.close()
	t.Logf("%d writes", len(f.acknowledged))
}

// The same with a size limit on the file, which needs no root.
func TestLedger_MaxSize(t *testing.T) {
	t.Parallel()
	f := &filler{t: t, dir: t.TempDir(), opts: boltstore.Options{MaxSize: 2 << 20}}
	f.open()
	f.furnish()
	f.fill()
	f.same()
	f.close()
	f.opts.MaxSize = 8 << 20
	f.open()
	f.same()
	f.again()
	f.same()
	f.close()
	t.Logf("%d writes", len(f.acknowledged))
}
