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

// A filler writes to a ledger until there is no room.
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
	lost         []acknowledged // refused for want of room
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
		org, err := f.ledger.CreateOrganization(f.t.Context(), "Harbour Foods")
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
	f.in = api.AdjustStockInput{ProductID: p.ID, LocationID: at.ID, InventoryState: api.Available, QuantityDelta: 1,
		Reason: "count", Metadata: api.Metadata(fmt.Sprintf(`{"note":%q}`, strings.Repeat("n", 4000)))}
}

// fill lets several clients write until each has been refused twice.
func (f *filler) fill() {
	f.t.Helper()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for refused := 0; refused < 2; {
				a := acknowledged{in: f.in, key: api.NewKey()}
				err := f.write(&a)
				f.mu.Lock()
				if err == nil {
					f.acknowledged = append(f.acknowledged, a)
				} else {
					refused++
					f.lost = append(f.lost, a)
				}
				f.mu.Unlock()
				if err != nil && !saysFull(err) {
					f.t.Errorf("it does not say that the disk is full: %v", err)
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

// saysFull tells whether the failure is that of a full disk, to the caller and in the log.
func saysFull(err error) bool {
	e := api.AsError(err)
	return e.Code == api.Unavailable && strings.Contains(e.Message, "disk is full") && errors.Is(err, boltstore.ErrFull)
}

// same holds that the books add up and that there is what was answered, and no more.
func (f *filler) same() {
	f.t.Helper()
	require.NoError(f.t, f.store.Check())
	proof, err := f.ledger.Verify(f.t.Context())
	require.NoError(f.t, err)
	require.Empty(f.t, proof.Faults)
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

// again writes what was refused, which must come through now.
func (f *filler) again() {
	f.t.Helper()
	for _, a := range f.lost {
		require.NoError(f.t, f.write(&a))
		f.acknowledged = append(f.acknowledged, a)
	}
	f.lost = nil
}

// TestFullDisk fills a small disk under a ledger: nothing answered is lost, the
// failure has its name, and with room it goes on, without a restart and after one.
func TestFullDisk(t *testing.T) {
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

	f.open() // on the full disk
	f.same()
	f.close()
	t.Logf("%d writes kept", len(f.acknowledged))
}

// TestFullFile is the same with a limit on the file, which needs no root.
func TestFullFile(t *testing.T) {
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
	t.Logf("%d writes kept", len(f.acknowledged))
}
