package memory_test

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/memory"
)

// A releaser releases the memory of this process by a clock of its own.
type releaser struct {
	timers chan chan time.Time
	timer  chan time.Time
}

func start(t *testing.T) *releaser {
	r := &releaser{timers: make(chan chan time.Time)}
	go memory.Release(t.Context(), func(time.Duration) <-chan time.Time {
		timer := make(chan time.Time, 1)
		select {
		case r.timers <- timer:
		case <-t.Context().Done():
		}
		return timer
	})
	r.timer = <-r.timers
	return r
}

// wait lets intervals pass. It returns when their checks have ended.
func (r *releaser) wait(intervals int) {
	for range intervals {
		r.timer <- time.Time{}
		r.timer = <-r.timers
	}
}

// heldMB returns the memory that the Go runtime holds.
func heldMB() int {
	list := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(list)
	return int(list[0].Value.Uint64()-list[1].Value.Uint64()) >> 20
}

// collections returns how many collections were requested.
func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumForcedGC
}

// allocate returns so many buffers of 1 MB.
func allocate(mb int) []*[]byte {
	list := make([]*[]byte, mb)
	for i := range list {
		b := make([]byte, 1<<20)
		list[i] = &b
	}
	return list
}

// The parts share the memory of the process, so they run one after the other.
func TestRelease(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.wait(3)
	idle, done := heldMB(), collections()

	var pool sync.Pool
	for _, b := range allocate(200) {
		pool.Put(b)
	}
	r.wait(3)
	require.Equal(t, done, collections(), "released during a busy period")
	r.wait(1)
	require.Less(t, heldMB(), idle+30, "not released after a busy period")

	done = collections()
	var kept [][]*[]byte
	for range 100 {
		kept = append(kept, allocate(1))
		r.wait(1)
	}
	require.Equal(t, done, collections(), "released by few requests")
	runtime.KeepAlive(kept)

	runtime.KeepAlive(allocate(200))
	end := make(chan struct{})
	var connections sync.WaitGroup
	for range 2000 {
		connections.Go(func() { <-end })
	}
	r.wait(4)
	done = collections()
	r.wait(100)
	require.Equal(t, done, collections(), "released twice after a busy period")
	close(end)
	connections.Wait()
	r.wait(1)
	require.Greater(t, collections(), done, "not released after connections ended")
}

func TestLarge_RestoresPercentage(t *testing.T) { // not parallel: it is of the process
	before := debug.SetGCPercent(400)
	defer debug.SetGCPercent(before)
	percent := func() int64 {
		s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(s)
		return int64(s[0].Value.Uint64())
	}
	first, second := memory.LimitGrowth(), memory.LimitGrowth()
	require.EqualValues(t, 100, percent())
	first()
	require.EqualValues(t, 100, percent())
	second()
	require.EqualValues(t, 400, percent())
	debug.SetGCPercent(50)
	memory.LimitGrowth()()
	require.EqualValues(t, 50, percent())
}
