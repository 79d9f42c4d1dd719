package main

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// limitMemory makes the collector keep the heap below the memory limit of the control
// group, of which a tenth is left for what the runtime does not manage. GOMEMLIMIT, if set,
// has precedence.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if limit := cgroupMemory("/"); limit < math.MaxInt64 {
		debug.SetMemoryLimit(limit / 10 * 9)
	}
}

// cgroupMemory returns the least memory limit of the process's control group and those
// above it, below root, or math.MaxInt64 if there is none.
func cgroupMemory(root string) int64 {
	limit := readLimit(filepath.Join(root, "sys/fs/cgroup/memory/memory.limit_in_bytes")) // version 1
	f, err := os.Open(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return limit
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		group, ok := strings.CutPrefix(lines.Text(), "0::") // version 2
		for ; ok; group = filepath.Dir(group) {
			limit = min(limit, readLimit(filepath.Join(root, "sys/fs/cgroup", group, "memory.max")))
			if group == "/" || group == "." {
				break
			}
		}
	}
	return limit
}

func readLimit(name string) int64 {
	text, err := os.ReadFile(name)
	if err != nil {
		return math.MaxInt64
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n <= 0 {
		return math.MaxInt64 // "max"
	}
	return n
}
