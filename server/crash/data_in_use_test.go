package crash_test

import (
	"bytes"
	"errors"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A second process gets an error that names the process that has the data directory open,
// and can open the directory after that process was killed.
func TestServe_DataInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, dir)

	cmd := command(t, "serve", "--data", dir, "--addr", "127.0.0.1:0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.True(t, errors.As(err, &exit), "a second service printed %s and ended with %v", out, err)
	require.Equal(t, 1, exit.ExitCode())
	require.Empty(t, out)
	require.Contains(t, stderr.String(), "process "+strconv.Itoa(s.cmd.Process.Pid))
	require.Contains(t, stderr.String(), dir)

	var list struct {
		Items []any `json:"items"`
	}
	run(t, &list, "org", "list", "--data", dir, "--json") // the running service responds
	require.Empty(t, list.Items)

	s.kill()
	run(t, &list, "org", "list", "--data", dir, "--json")
	require.Empty(t, list.Items)
}
