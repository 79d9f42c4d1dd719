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

	for _, args := range [][]string{{"org", "list", "--data", dir}, {"serve", "--data", dir, "--addr", "127.0.0.1:0"}, {"verify", "--data", dir}} {
		cmd := command(t, args...)
		var words bytes.Buffer
		cmd.Stderr = &words
		out, err := cmd.Output()
		var exit *exec.ExitError
		require.True(t, errors.As(err, &exit), "%v printed %s and ended with %v", args, out, err)
		require.Equal(t, 1, exit.ExitCode())
		require.Empty(t, out)
		require.Contains(t, words.String(), "process "+strconv.Itoa(s.cmd.Process.Pid))
		require.Contains(t, words.String(), dir)
	}

	s.kill()
	var list struct {
		Items []any `json:"items"`
	}
	run(t, &list, "org", "list", "--data", dir, "--json")
	require.Empty(t, list.Items)
}
