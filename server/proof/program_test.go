package proof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var built string

// program builds bincard, once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "bincard-proof")
	if err != nil {
		return "", err
	}
	built = filepath.Join(dir, "bincard")
	if runtime.GOOS == "windows" {
		built += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", built, "bincard/cmd/bincard")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return built, nil
})

func removeProgram() {
	if built != "" {
		_ = os.RemoveAll(filepath.Dir(built))
	}
}

// run runs the program to its end, which must come within a minute, and
// answers its exit status and all that it wrote.
func run(t *testing.T, args ...string) (status int, words string) {
	t.Helper()
	path, err := program()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	require.NoError(t, ctx.Err(), "%v did not end: %s", args, out.String())
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}
