package local_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/local"
)

// serve serves a directory with the answer "here" until the test ends or stop is
// called.
func serve(t *testing.T, dir string) (stop func()) {
	t.Helper()
	stop = local.Serve(t.Context(), dir, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "here")
	}), slog.New(slog.DiscardHandler))
	t.Cleanup(stop)
	return stop
}

// ask returns the answer of the process that serves a directory.
func ask(t *testing.T, dir string) string {
	t.Helper()
	client := &http.Client{Transport: local.Transport(dir)}
	defer client.CloseIdleConnections()
	res, err := client.Get(local.URL + "/where")
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return string(text)
}

func TestServe_UntilStopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	require.False(t, local.Running(t.Context(), dir))
	stop := serve(t, dir)
	require.True(t, local.Running(t.Context(), dir))
	require.Equal(t, "here", ask(t, dir))
	stop()
	stop()
	_, err := local.Connect(t.Context(), dir)
	require.ErrorIs(t, err, local.ErrNotRunning)
	_, err = os.Lstat(filepath.Join(dir, "ledger.sock"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestAwaitClose(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	local.AwaitClose(t.Context(), dir, nil) // nobody is there
	stop := serve(t, dir)
	ended := make(chan struct{})
	go func() { defer close(ended); local.AwaitClose(t.Context(), dir, nil) }()
	select {
	case <-ended:
		t.Fatal("it still serves")
	case <-time.After(50 * time.Millisecond):
	}
	stop()
	<-ended

	serve(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	local.AwaitClose(ctx, dir, nil)
}

// A process that cannot have a socket works alone.
func TestServe_WithoutSocket(t *testing.T) {
	t.Parallel()
	serve(t, filepath.Join(t.TempDir(), "missing"))()
}

// If the directory's path is too long or others can access it, the socket is
// elsewhere.
func TestListen_SocketElsewhere(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{
		"long": filepath.Join(t.TempDir(), strings.Repeat("a", 60), strings.Repeat("b", 60)),
		"open": filepath.Join(t.TempDir(), "open"),
	} {
		if name == "open" && runtime.GOOS == "windows" {
			continue
		}
		require.NoError(t, os.MkdirAll(dir, 0o755))
		stop := serve(t, dir)
		text, err := os.ReadFile(filepath.Join(dir, "ledger.sock"))
		require.NoError(t, err, name)
		at := strings.TrimSpace(string(text))
		info, err := os.Stat(filepath.Dir(at))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
		require.Equal(t, "here", ask(t, dir), name)

		// A killed process leaves both files; the next one removes them.
		require.NoError(t, os.WriteFile(filepath.Join(dir, "kept"), text, 0o600))
		stop()
		require.NoDirExists(t, filepath.Dir(at))
		staleSocket(t, at)
		require.NoError(t, os.Rename(filepath.Join(dir, "kept"), filepath.Join(dir, "ledger.sock")))
		_, err = local.Connect(t.Context(), dir)
		require.ErrorIs(t, err, local.ErrNotRunning)
		stop = serve(t, dir)
		require.NoDirExists(t, filepath.Dir(at))
		stop()
	}
}

// staleSocket creates a socket without a listener.
func staleSocket(t *testing.T, path string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	ln, err := net.Listen("unix", path)
	require.NoError(t, err)
	ln.(*net.UnixListener).SetUnlinkOnClose(false)
	require.NoError(t, ln.Close())
}
