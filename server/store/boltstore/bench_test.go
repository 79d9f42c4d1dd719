package boltstore_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/boltstore"
)

// BenchmarkUpdate measures the writes of a stock movement: an appended operation row with
// its index entry, a balance, and the hash of its key.
func BenchmarkUpdate(b *testing.B) {
	for _, balances := range []uint64{1000, 1} {
		for _, clients := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("balances=%d/clients=%d", balances, clients), func(b *testing.B) {
				benchmarkUpdate(b, balances, clients)
			})
		}
	}
}

func benchmarkUpdate(b *testing.B, balances uint64, clients int) {
	s := openWith(b, b.TempDir(), boltstore.Options{})
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	p := store.Partition{Organization: uuid.New(), Environment: "live"}
	var remaining atomic.Int64
	remaining.Store(int64(b.N))
	var wg sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for range clients {
		wg.Go(func() {
			for remaining.Add(-1) >= 0 {
				if err := s.Update(context.Background(), p, movement(rand.Uint64N(balances))); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "updates/s")
}

func movement(balance uint64) func(store.Tx) error {
	return func(tx store.Tx) error {
		var row [200]byte
		var id [16]byte
		binary.BigEndian.PutUint64(id[:], balance*0x9e3779b97f4a7c15)
		counter, err := tx.Get("meta", []byte("counter"))
		if err != nil {
			return err
		}
		next := binary.BigEndian.AppendUint64(nil, 1)
		if counter != nil {
			binary.BigEndian.PutUint64(next, binary.BigEndian.Uint64(counter)+1)
		}
		before, err := tx.Get("balance", id[:])
		if err != nil {
			return err
		}
		var after [100]byte
		copy(after[:], before)
		binary.BigEndian.PutUint64(after[:], binary.BigEndian.Uint64(after[:])+1)
		hash := binary.BigEndian.AppendUint64(nil, rand.Uint64())
		if _, err := tx.Get("key", hash); err != nil {
			return err
		}
		for _, w := range []store.Row{
			{Table: "meta", Key: []byte("counter"), Value: next},
			{Table: "operation", Key: next, Value: row[:]},
			{Table: "operation.balance", Key: append(id[:], next...), Value: []byte{}},
			{Table: "balance", Key: id[:], Value: after[:]},
			{Table: "key", Key: hash, Value: next},
		} {
			if err := w.Apply(tx); err != nil {
				return err
			}
		}
		return nil
	}
}
