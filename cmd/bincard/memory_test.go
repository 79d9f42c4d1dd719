package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCgroupMemory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"none":      {nil, math.MaxInt64},
		"version 1": {map[string]string{"sys/fs/cgroup/memory/memory.limit_in_bytes": "1000\n"}, 1000},
		"version 2": {map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "2000\n"}, 2000},
		"nested": {map[string]string{"proc/self/cgroup": "1:cpu:/x\n0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n",
			"sys/fs/cgroup/a/memory.max": "3000\n"}, 3000},
		"unlimited": {map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}, math.MaxInt64},
	} {
		root := t.TempDir()
		for file, text := range c.files {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, file)), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(root, file), []byte(text), 0o600))
		}
		require.Equal(t, c.want, cgroupMemory(root), name)
	}
}
