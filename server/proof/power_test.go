package proof_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
	"bincard/server/store/boltstore"
	"bincard/server/testenv"
)

// An acknowledged is a write with its response, and the length of the recording at that time.
type acknowledged struct {
	in    api.AdjustStockInput
	key   string
	out   api.Balance
	known int
}

// A recordedLedger is a ledger whose disk writes were recorded.
type recordedLedger struct {
	recording    *recording
	caller       api.Caller
	acknowledged []acknowledged
}

// recordLedger performs writes, alternately with one client and with several.
func recordLedger(t *testing.T) *recordedLedger {
	t.Helper()
	writes := 100
	if testenv.Long() {
		writes = 600
	}
	dir := t.TempDir()
	s, err := server.Open(server.Config{Dir: dir})
	require.NoError(t, err)
	org, err := s.Ledger.CreateOrganization(t.Context(), "Harbor Foods")
	require.NoError(t, err)
	require.NoError(t, s.Close()) // so that the recording starts with a complete database
	s, err = server.Open(server.Config{Dir: dir})
	require.NoError(t, err)
	// Checkpoint often, for more points to cut at.
	unexportedField[boltstore.Options](t, reflect.ValueOf(s.Store).Elem(), "opts").CheckpointBytes = 4 << 10
	b := &recordedLedger{recording: startRecording(t, s.Store, dir), caller: api.Caller{Organization: org.ID, Environment: api.Live, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Power"}}}
	svc := api.As(s.Ledger, b.caller, "")
	at, err := api.CreateLocation.Call(t.Context(), svc, api.CreateLocationInput{Code: "WH-1", Name: "Warehouse", Type: api.Warehouse})
	require.NoError(t, err)
	products := make([]api.ID, 5)
	for i := range products {
		p, err := api.CreateProduct.Call(t.Context(), svc, api.CreateProductInput{SKU: fmt.Sprintf("OAT-%d", i), Name: "Oat milk"})
		require.NoError(t, err)
		products[i] = p.ID
	}
	var mu sync.Mutex
	for clients := 1; len(b.acknowledged) < writes; clients = 9 - clients {
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for range 10 {
					a := acknowledged{key: api.NewKey(), in: api.AdjustStockInput{StockKey: api.StockKey{ProductID: products[rand.IntN(5)], LocationID: at.ID},
						InventoryState: api.Available, QuantityDelta: 1 + rand.Int64N(9), Reason: "count"}}
					out, err := api.AdjustStock.Call(context.Background(), svc, a.in, api.Key(a.key))
					if err != nil {
						t.Error(err)
						return
					}
					a.out, a.known = out.Balance, b.recording.length()
					mu.Lock()
					b.acknowledged = append(b.acknowledged, a)
					mu.Unlock()
				}
			})
		}
		wg.Wait()
	}
	require.NoError(t, s.Close())
	return b
}

// open opens files after a loss of power during write number cut, and checks that they have
// every write acknowledged by then.
func (b *recordedLedger) open(dir string, cut int) (present int, err error) {
	s, err := server.Open(server.Config{Dir: dir, NoSync: true})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Store.Check(); err != nil {
		return 0, err
	}
	result, err := s.Ledger.Verify(context.Background())
	if err != nil {
		return 0, err
	}
	if len(result.Faults) > 0 {
		return 0, fmt.Errorf("%d faults, the first %s", len(result.Faults), result.Faults[0])
	}
	for _, a := range b.acknowledged {
		if a.known > cut {
			continue
		}
		res, err := api.AdjustStock.Do(context.Background(), api.As(s.Ledger, b.caller, ""), a.in, api.Key(a.key))
		if err != nil {
			return 0, fmt.Errorf("the write %s was acknowledged and is rejected now: %w", a.key, err)
		}
		if out := res.Output.(*api.StockResult); !res.Replayed || out.Balance.Quantities != a.out.Quantities || out.Balance.Version != a.out.Version {
			return 0, fmt.Errorf("the write %s was acknowledged and is lost", a.key)
		}
		present++
	}
	return present, nil
}

// After a loss of power during any write, with any of the unflushed sectors written or torn,
// the ledger opens, verifies, and has every acknowledged write.
func TestOpen_AfterPowerLoss(t *testing.T) {
	t.Parallel()
	cases, from := testenv.PowerLosses.Cases(t), testenv.Seed(t)
	b := recordLedger(t)
	for i := range cases {
		seed := from + uint64(i)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			dice := rand.New(rand.NewPCG(seed, 0))
			dir := t.TempDir()
			cut := b.recording.cut(dice)
			b.recording.lose(t, dir, cut, func(diskWrite) bool { return false }, dice)
			present, err := b.open(dir, cut)
			require.NoError(t, err, "cut in write %d of %d", cut, len(b.recording.writes))
			t.Logf("cut in write %d of %d: %d acknowledged writes, all present", cut, len(b.recording.writes), present)
		})
	}
}

// The test above detects missing flushes: that before a meta page, and those of the log.
func TestOpen_DetectsMissingFlush(t *testing.T) {
	t.Parallel()
	b := recordLedger(t)
	for name, skipped := range map[string]func(diskWrite) bool{
		"before a meta page": func(s diskWrite) bool { return s.meta },
		"log":                func(s diskWrite) bool { return s.file > 0 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dice := rand.New(rand.NewPCG(1, 1))
			for i := range 200 {
				dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
				cut := b.recording.cut(dice)
				for cut > 0 && !skipped(b.recording.writes[cut]) {
					cut--
				}
				b.recording.lose(t, dir, cut, skipped, dice)
				if _, err := b.open(dir, cut); err != nil {
					t.Logf("found at image %d: %v", i, err)
					return
				}
				require.NoError(t, os.RemoveAll(dir))
			}
			t.Fatal("200 images without that flush were all intact")
		})
	}
}
