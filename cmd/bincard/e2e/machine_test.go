package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/built"
)

// A machine has its own home, settings and data, and the environment for processes on it.
type machine struct {
	t   testing.TB
	dir string
	env []string
}

// newMachine returns an empty machine. Its path is short because socket paths are
// limited.
func newMachine(t testing.TB) *machine {
	t.Helper()
	dir, err := os.MkdirTemp("", "bc")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	h := &machine{t: t, dir: dir, env: []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "SHELL=/bin/sh", "HOME=" + dir}}
	h.env = append(h.env, built.Environ()...)
	for _, name := range []string{"CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"} {
		path := filepath.Join(dir, strings.ToLower(name))
		require.NoError(t, os.Mkdir(path, 0o700))
		h.env = append(h.env, "XDG_"+name+"="+path)
	}
	return h
}

// withEnv returns the same machine with additional environment variables.
func (h *machine) withEnv(env ...string) *machine {
	other := *h
	other.env = append(append([]string(nil), h.env...), env...)
	return &other
}

// path returns the path of a file on the machine.
func (h *machine) path(elem ...string) string {
	return filepath.Join(append([]string{h.dir}, elem...)...)
}

// readFile returns the content of a file on the machine, or "" if it does not exist.
func (h *machine) readFile(elem ...string) string {
	text, err := os.ReadFile(h.path(elem...))
	if err != nil && !os.IsNotExist(err) {
		require.NoError(h.t, err)
	}
	return string(text)
}

// drafts returns the number of drafts on the machine.
func (h *machine) drafts() int {
	found, err := filepath.Glob(h.path("state_home", "bincard", "drafts", "*", "*.draft"))
	require.NoError(h.t, err)
	return len(found)
}
