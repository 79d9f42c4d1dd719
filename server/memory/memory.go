// Package memory manages the memory of a service: it limits the Go heap to what the
// machine or container has, and returns what the service no longer uses.
package memory

import (
	"bytes"
	"context"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"
)

// gcPercent lets the heap of a service grow fourfold between collections. It is small,
// because the data is mapped from a file; at the default the service would spend a
// quarter of its time collecting.
const gcPercent = 400

// The share of the memory that the heap may have. A container's limit is for this
// process; a machine has others, and caches the database in what is free.
const (
	shareOfContainer = 0.8
	shareOfMachine   = 0.5
)

// Manage adjusts the garbage collector to a service. It limits the heap, and until ctx
// ends it returns unused memory to the system; see Release. GOGC and GOMEMLIMIT, if set,
// have precedence.
func Manage(ctx context.Context) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if n := Limit(os.DirFS("/")); n > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(n)
	}
	go Release(ctx, time.After)
}

// limited counts the calls of LimitGrowth that have not ended, and has the percentage from
// before them.
var limited struct {
	sync.Mutex
	n, percent int
}

// LimitGrowth lets the heap at most double between collections until end is called. It is for
// work that holds much in memory.
func LimitGrowth() (end func()) {
	add := func(n int) {
		limited.Lock()
		defer limited.Unlock()
		if limited.n == 0 {
			limited.percent = debug.SetGCPercent(100)
		}

		limited.n += n
		if limited.n == 0 || limited.percent < 100 {
			debug.SetGCPercent(limited.percent)
		}
	}

	add(1)

	return func() { add(-1) }
}

// Limit returns the limit of the heap for a root directory with /proc and /sys, or 0 if it
// is not known. Close to it, the garbage collector works more instead of growing the heap.
func Limit(root fs.FS) int64 {
	machine := ofMachine(root)
	container := ofContainer(root)
	switch {
	case container > 0 && (machine == 0 || container < machine):
		return int64(float64(container) * shareOfContainer)
	default:
		return int64(float64(machine) * shareOfMachine)
	}
}

// ofContainer returns the lowest memory limit of the process's control group and
// those above it, or 0 if there is none.
func ofContainer(root fs.FS) int64 {
	lowest := int64(math.MaxInt64)
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		top, name := "sys/fs/cgroup", "memory.max"
		switch controllers {
		case "":
		case "memory":
			top, name = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}

		for dir := path.Join(top, group); strings.HasPrefix(dir, top); dir = path.Dir(dir) {
			text, _ := fs.ReadFile(root, path.Join(dir, name))
			if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && n > 0 {
				lowest = min(lowest, n)
			}
		}
	}

	if lowest > 1<<60 { // version 1 writes no limit as such a number
		return 0
	}

	return lowest
}

// ofMachine returns the memory of the machine.
func ofMachine(root fs.FS) int64 {
	info, _ := fs.ReadFile(root, "proc/meminfo")
	_, after, _ := bytes.Cut(info, []byte("MemTotal:"))
	fields := bytes.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return kb << 10
}
