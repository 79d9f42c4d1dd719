package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/built"
)

// A machine is a machine of its own for the program: home, settings, data, and
// the environment that processes get.
type machine struct {
	t   testing.TB
	dir string
	env []string
}

// newMachine makes an empty machine. Its path is short: sockets have little room.
func newMachine(t testing.TB) *machine {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: the real program is not run")
	}
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

// with is the same machine with more environment for what starts from now on.
func (h *machine) with(env ...string) *machine {
	other := *h
	other.env = append(append([]string(nil), h.env...), env...)
	return &other
}

// path is a file of the machine.
func (h *machine) path(elem ...string) string {
	return filepath.Join(append([]string{h.dir}, elem...)...)
}

// read is the text of a file of the machine; none is "".
func (h *machine) read(elem ...string) string {
	text, err := os.ReadFile(h.path(elem...))
	if err != nil && !os.IsNotExist(err) {
		require.NoError(h.t, err)
	}
	return string(text)
}

// drafts counts the drafts that are kept on the machine.
func (h *machine) drafts() int {
	found, err := filepath.Glob(h.path("state_home", "bincard", "drafts", "*", "*.draft"))
	require.NoError(h.t, err)
	return len(found)
}
