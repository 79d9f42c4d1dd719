package memory

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// checkInterval is the time between two looks at the memory.
	checkInterval = 5 * time.Second
	// quietChecks is how many quiet intervals end a busy period.
	quietChecks = 3
	// busyBytes is what a process allocates at least in a busy interval. A request
	// allocates some 50 KB, and a second one of them is quiet.
	busyBytes = 20 << 20
	// minGain is the least memory worth a collection.
	minGain = 16 << 20
	// goroutineBytes is about what a connection leaves to be collected.
	goroutineBytes = 16 << 10
)

// Release returns unused memory to the system until ctx ends: once after each busy
// period, when 15 seconds have been quiet, and if there may be enough to return. By
// itself the runtime would collect garbage minutes later, and keep most of what that
// frees. Connections that end also leave memory, so many of them count as a busy period.
// after is the timer, as time.After.
func Release(ctx context.Context, after func(time.Duration) <-chan time.Time) {
	r := &releaser{last: readUsage(), busy: true}
	for {
		select {
		case <-ctx.Done():
			return
		case <-after(checkInterval):
			r.check()
		}
	}
}

// A releaser knows when memory is to be released.
type releaser struct {
	last  usage // at the last check
	kept  usage // after the last release
	quiet int   // intervals since the last busy one
	busy  bool  // since the last release
}

// check releases memory if it is time.
func (r *releaser) check() {
	now := readUsage()
	r.quiet++
	if now.allocated-r.last.allocated >= busyBytes {
		r.quiet, r.busy = 0, true
	}

	r.last = now
	ended := (r.kept.goroutines - now.goroutines) * goroutineBytes
	if ended >= minGain {
		r.busy = true
	}
	if !r.busy || r.quiet < quietChecks || now.held-r.kept.held+max(ended, 0) < max(minGain, r.kept.held/4) {
		return
	}

	runtime.GC() // a sync.Pool discards its items in the second collection
	debug.FreeOSMemory()
	r.kept, r.busy = readUsage(), false
}

// A usage is what the Go runtime uses.
type usage struct {
	allocated  int64 // bytes on the heap since the start, including freed ones
	held       int64 // bytes of memory from the system
	goroutines int64
}

func readUsage() usage {
	list := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}, {Name: "/sched/goroutines:goroutines"}}
	metrics.Read(list)
	n := func(i int) int64 { return int64(list[i].Value.Uint64()) }
	return usage{allocated: n(0), held: n(1) - n(2), goroutines: n(3)}
}
