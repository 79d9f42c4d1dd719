package bench_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/store/boltstore"
)

// BenchmarkLarge creates a ledger of many movements by real operations. It
// measures what must not depend on its size, compared with a ledger that only
// has initial stock: a durable write, and every kind of page. It also measures
// what grows with it: opening, verification and file size. It ignores
// -benchtime.
func BenchmarkLarge(b *testing.B) {
	dir := *keep
	if dir == "" {
		dir = b.TempDir()
	}
	m := openLarge(b, dir, *movements)
	young := openLarge(b, b.TempDir(), 0)
	fmt.Printf("\n%d movements, %d balances\n", m.Movements, len(m.Products)*len(m.Locations))

	opened, live := m.reopen(b)
	fmt.Printf("open: %s\n", opened.Round(time.Millisecond))
	per := float64(live) / float64(m.Movements)
	fmt.Printf("file in use: %d MB, %.0f bytes a movement\n", live>>20, per)

	fmt.Printf("%-34s %9s %9s %6s\n", "page", "p50 ms", "p99 ms", "rows")
	slowest := time.Duration(0)
	for _, l := range m.readCases(b) {
		p50, p99, rows := l.measure(b)
		fmt.Printf("%-34s %9.3f %9.3f %6d\n", l.name, ms(p50), ms(p99), rows)
		slowest = max(slowest, p99)
	}

	old, fresh := m.race(b, young)
	fmt.Printf("durable writes by %d: %.0f a second, in a ledger that is only stocked %.0f: %.2f of it\n",
		writers, old, fresh, old/fresh)

	start := time.Now()
	proof, err := m.s.Ledger.Verify(b.Context())
	require.NoError(b, err)
	require.Empty(b, proof.Faults)
	fmt.Printf("proof: %s, %.0f movements a second\n%s\n", time.Since(start).Round(time.Millisecond),
		float64(proof.Movements)/time.Since(start).Seconds(), describeMemory())
	b.ReportMetric(old/fresh, "of-young")
	b.ReportMetric(per, "B/movement")
	b.ReportMetric(ms(slowest), "slowest-p99-ms")
	b.ReportMetric(ms(opened), "open-ms")
	b.ReportMetric(0, "ns/op")
}

// openLarge creates a ledger in dir, or opens an existing one.
func openLarge(b *testing.B, dir string, movements int) *largeLedger {
	b.Helper()
	m := &largeLedger{dir: dir}
	note := filepath.Join(dir, "large.json")
	if text, err := os.ReadFile(note); err == nil {
		require.NoError(b, json.Unmarshal(text, m))
	} else {
		start := time.Now()
		m.make(b, movements)
		fmt.Printf("made %d movements in %s\n", m.Movements, time.Since(start).Round(time.Second))
		text, err := json.Marshal(m)
		require.NoError(b, err)
		require.NoError(b, os.WriteFile(note, text, 0o600))
	}
	m.open(b, false)
	b.Cleanup(func() { require.NoError(b, m.s.Close()) })
	return m
}

func (m *largeLedger) open(b *testing.B, fast bool) {
	b.Helper()
	var err error
	m.s, err = server.Open(server.Config{Dir: m.dir, NoSync: fast, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	require.NoError(b, err)
	m.svc = as(m.s, m.Org)
}

// reopen returns how long the service takes to open, and the size of its file.
func (m *largeLedger) reopen(b *testing.B) (elapsed time.Duration, live int64) {
	b.Helper()
	require.NoError(b, m.s.Close())
	live, _ = size(b, m.dir)
	start := time.Now()
	m.open(b, false)
	return time.Since(start), live
}

// flushFiles flushes files that were written without waiting for the disk.
func flushFiles(b *testing.B, dir string) {
	b.Helper()
	f, err := os.OpenFile(filepath.Join(dir, boltstore.File), os.O_RDWR, 0)
	require.NoError(b, err)
	require.NoError(b, f.Sync())
	require.NoError(b, f.Close())
}

// race writes to both ledgers alternately, and returns the medians of their
// rates.
func (m *largeLedger) race(b *testing.B, young *largeLedger) (old, fresh float64) {
	b.Helper()
	var mine, its []float64
	for range max(*rounds, 3) {
		mine = append(mine, m.adjusting(b, 2**measureTime))
		its = append(its, young.adjusting(b, 2**measureTime))
	}
	slices.Sort(mine)
	slices.Sort(its)
	return mine[len(mine)/2], its[len(its)/2]
}

// A readCase is one kind of read. read is called with the number of the call,
// and returns the number of rows.
type readCase struct {
	name string
	read func(ctx context.Context, i int) (int, error)
}

func (l readCase) measure(b *testing.B) (p50, p99 time.Duration, rows int) {
	b.Helper()
	var times []time.Duration
	for i, start := 0, time.Now(); i < 200 || i < 5000 && time.Since(start) < *measureTime; i++ {
		sent := time.Now()
		n, err := l.read(b.Context(), i)
		require.NoError(b, err, l.name)
		if times = append(times, time.Since(sent)); i == 0 {
			times = times[:0] // the first one has a cold cache
		}
		rows = max(rows, n)
	}
	slices.SortFunc(times, cmp.Compare)
	return times[len(times)/2], times[len(times)*99/100], rows
}

// describeMemory describes the memory of the process: its heap and, on Linux, its
// resident pages.
func describeMemory() string {
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	out := fmt.Sprintf("memory: heap %d MB", heap.HeapInuse>>20)
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "RssAnon") || strings.HasPrefix(line, "RssFile") {
			out += ", " + strings.Join(strings.Fields(line), " ")
		}
	}
	return out
}
