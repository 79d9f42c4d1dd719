package memory_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"bincard/server/memory"
)

func TestLimit(t *testing.T) {
	t.Parallel()
	const machine = "MemTotal:        2000000 kB\nMemFree: 1 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		limit int64
	}{
		"unknown": {nil, 0},
		"machine": {map[string]string{"proc/meminfo": machine}, 1_024_000_000},
		"container": {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "1000000\n"}, 800_000},
		"service with a limit above it": {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/a.slice/b.service\n",
			"sys/fs/cgroup/a.slice/memory.max": "500000\n", "sys/fs/cgroup/a.slice/b.service/memory.max": "max\n"}, 400_000},
		"no limit": {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/a\n",
			"sys/fs/cgroup/a/memory.max": "max\n"}, 1_024_000_000},
		"limit above the machine's": {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "0::/\n",
			"sys/fs/cgroup/memory.max": "9000000000000\n"}, 1_024_000_000},
		"version 1": {map[string]string{"proc/meminfo": machine, "proc/self/cgroup": "5:cpu:/x\n4:memory:/x\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "1000000\n"}, 800_000},
		"version 1 without limit": {map[string]string{"proc/self/cgroup": "4:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0},
	} {
		root := fstest.MapFS{}
		for path, text := range c.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		require.Equal(t, c.limit, memory.Limit(root), name)
	}
}
