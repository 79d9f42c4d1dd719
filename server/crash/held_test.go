package crash_test

import (
	"bytes"
	"errors"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestASecondProgramIsToldWhoHoldsTheData holds that one process has the data,
// that the next one is told which, and that a killed one leaves nothing in the way.
func TestASecondProgramIsToldWhoHoldsTheData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, dir)

	cmd := command(t, "serve", "--data", dir, "--addr", "127.0.0.1:0")
	var words bytes.Buffer
	cmd.Stderr = &words
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.True(t, errors.As(err, &exit), "a second service printed %s and ended with %v", out, err)
	require.Equal(t, 1, exit.ExitCode())
	require.Empty(t, out)
	require.Contains(t, words.String(), "process "+strconv.Itoa(s.cmd.Process.Pid))
	require.Contains(t, words.String(), dir)

	var list struct {
		Items []any `json:"items"`
	}
	run(t, &list, "org", "list", "--data", dir, "--json") // the one who has it answers
	require.Empty(t, list.Items)

	s.kill()
	run(t, &list, "org", "list", "--data", dir, "--json")
	require.Empty(t, list.Items)
}
