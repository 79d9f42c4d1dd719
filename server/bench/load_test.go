package bench_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"

	"bincard/server/store/boltstore"
)

// A loadCase is a load with several numbers of clients.
type loadCase struct {
	name     string
	w        world
	products int
	got      map[int][]measurement // by number of clients, one per round
}

var clientCounts = []int{1, 16, 64}

// BenchmarkLoad prints a table and reports ratios. It ignores -benchtime.
func BenchmarkLoad(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "data")
	full, stopService := start(b, "service", dir)
	first := load(b, full, 16, len(full.Products), *measureTime) // creates every balance
	none, _ := start(b, "empty", strconv.Itoa(first.size))
	empty := &loadCase{name: "stores nothing", w: none, products: 1}
	over := &loadCase{name: "service, 1,000 balances", w: full, products: len(full.Products)}
	hot := &loadCase{name: "service, one balance", w: full, products: 1}
	sides := []*loadCase{empty, over, hot}
	writes := first.writes
	for range *rounds {
		for _, clients := range clientCounts {
			for _, s := range sides { // in turns, so that other load affects all alike
				if s.got == nil {
					s.got = map[int][]measurement{}
				}
				f := load(b, s.w, clients, s.products, *measureTime)
				s.got[clients] = append(s.got[clients], f)
				if s != empty {
					writes += f.writes
				}
			}
		}
	}
	stopService()

	fmt.Printf("\n%-26s %8s %10s %9s %9s %9s %11s\n", "", "clients", "requests/s", "p50 ms", "p99 ms", "of empty", "CPU µs each")
	for _, s := range sides {
		for _, clients := range clientCounts {
			f := s.median(clients)
			fmt.Printf("%-26s %8d %10.0f %9.2f %9.2f %9.2f %11.1f\n", s.name, clients, f.rate, ms(f.p50), ms(f.p99), ratio(s, empty, clients), us(f.spent))
		}
	}
	live, file := size(b, dir)
	fmt.Printf("%d adjustments, 2 movements each: %d bytes a movement in use, %d with free pages\n\n",
		writes, live/int64(2*writes), file/int64(2*writes))
	most, least := clientCounts[len(clientCounts)-1], clientCounts[0]
	b.ReportMetric(ratio(over, empty, most), fmt.Sprintf("of-empty-at-%d", most))
	b.ReportMetric(ratio(hot, over, most), "hot-of-spread")
	b.ReportMetric(us(over.median(most).spent), fmt.Sprintf("CPU-µs/write-at-%d", most))
	b.ReportMetric(ms(over.median(least).p50), fmt.Sprintf("p50-ms-at-%d", least))
	b.ReportMetric(float64(live)/float64(2*writes), "B/movement")
	b.ReportMetric(0, "ns/op")
}

// median returns the median of each figure over the rounds.
func (s *loadCase) median(clients int) measurement {
	of := func(less func(a, b measurement) int) measurement {
		list := slices.SortedFunc(slices.Values(s.got[clients]), less)
		return list[len(list)/2]
	}
	return measurement{
		rate: of(func(a, b measurement) int { return cmp.Compare(a.rate, b.rate) }).rate,
		p50:  of(func(a, b measurement) int { return cmp.Compare(a.p50, b.p50) }).p50,
		p99:  of(func(a, b measurement) int { return cmp.Compare(a.p99, b.p99) }).p99,
		// Other work on the machine does not count, as it does in the rate.
		spent: of(func(a, b measurement) int { return cmp.Compare(a.spent, b.spent) }).spent,
	}
}

// ratio returns the median of the ratios of each round.
func ratio(s, to *loadCase, clients int) float64 {
	var list []float64
	for i, f := range s.got[clients] {
		list = append(list, f.rate/to.got[clients][i].rate)
	}
	slices.Sort(list)
	return list[len(list)/2]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
func us(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// size returns the size of the database in bytes, without and with free pages.
func size(b *testing.B, dir string) (live, all int64) {
	b.Helper()
	db, err := bolt.Open(filepath.Join(dir, boltstore.File), 0o600, &bolt.Options{NoFreelistSync: true})
	require.NoError(b, err)
	defer db.Close()
	require.NoError(b, db.View(func(tx *bolt.Tx) error {
		all = tx.Size()
		return nil
	}))
	return all - int64(db.Stats().FreePageN)*int64(db.Info().PageSize), all
}
