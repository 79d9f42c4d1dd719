package proof_test

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
)

// run runs the program, for at most a minute, and returns its exit status and output.
func run(t *testing.T, args ...string) (status int, output string) {
	t.Helper()
	path, err := testenv.Commands()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	require.NoError(t, ctx.Err(), "%v timed out: %s", args, out.String())
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// runJSON runs the program, which must succeed, and decodes its output.
func runJSON(t *testing.T, into any, args ...string) {
	t.Helper()
	status, output := run(t, append(args, "--json")...)
	require.Zero(t, status, output)
	require.NoError(t, json.Unmarshal([]byte(output), into), output)
}
