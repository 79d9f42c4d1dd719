package host_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/host"
)

// childDir makes the test binary lock that directory until it is killed.
const childDir = "HOST_TEST_DIR"

func TestMain(m *testing.M) {
	dir := os.Getenv(childDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	if _, err := host.Lock(dir); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("locked")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends
}

// lockInChild locks a directory in another process, which kill kills.
func lockInChild(t *testing.T, dir string) (pid int, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "serve", "--key=secret")
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(pipe).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "locked", strings.TrimSpace(line))
	return cmd.Process.Pid, func() {
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
	}
}

func TestLock_NamesTheHolderAndEndsWithIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pid, kill := lockInChild(t, dir)
	_, err := host.Lock(dir)
	var locked *host.LockedError
	require.ErrorAs(t, err, &locked)
	require.Equal(t, dir, locked.Dir)
	require.Equal(t, pid, locked.PID)
	require.True(t, strings.HasSuffix(locked.Command, " serve"), locked.Command)
	require.ErrorContains(t, err, "process "+strconv.Itoa(pid))
	require.NotContains(t, err.Error(), "secret")
	kill()

	release, err := host.Lock(dir)
	require.NoError(t, err)
	_, err = host.Lock(dir)
	require.ErrorAs(t, err, &locked)
	require.Equal(t, os.Getpid(), locked.PID)
	require.NoError(t, release())
	release, err = host.Lock(dir)
	require.NoError(t, err)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "owner", "ledger.owner"), []byte("torn"), 0o600))
	_, err = host.Lock(dir)
	require.ErrorContains(t, err, "in use by another program")
	require.NoError(t, release())
}
