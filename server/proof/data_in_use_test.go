package proof_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// A second process gets an error that names the process that has the data directory open,
// and can open the directory after that process was killed.
func TestServe_DataInUse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startService(t, dir)
	second := startService(t, dir) // it requires that stdout is empty, or an address
	require.Empty(t, second.url)
	require.Equal(t, 1, second.cmd.ProcessState.ExitCode())
	require.Contains(t, second.output.String(), "process "+strconv.Itoa(s.cmd.Process.Pid))
	require.Contains(t, second.output.String(), dir)

	var list struct {
		Items []any `json:"items"`
	}
	runJSON(t, &list, "org", "list", "--data", dir) // the running service responds
	require.Empty(t, list.Items)

	s.end(os.Kill)
	runJSON(t, &list, "org", "list", "--data", dir)
	require.Empty(t, list.Items)
}
