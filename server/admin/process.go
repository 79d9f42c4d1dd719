package admin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"bincard/server/archive"
	"bincard/server/ledger/audit"
)

// verifyTimeout limits a verification: damaged pages can form a cycle.
const verifyTimeout = 2 * time.Hour

// ProcessVerifier returns a verifier that runs this program again, with args and
// the ledger's directory: reading a damaged ledger can crash the process. The
// output of that command is WriteProgress's.
func ProcessVerifier(args ...string) archive.Verifier {
	return func(ctx context.Context, dir string, progress archive.ProgressFunc) (*audit.Result, error) {
		return verifyInProcess(ctx, append(slices.Clone(args), dir), progress)
	}
}

func verifyInProcess(ctx context.Context, args []string, progress archive.ProgressFunc) (*audit.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, verifyTimeout)
	defer cancel()
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS == "linux" {
		program = "/proc/self/exe" // there even when the program was replaced meanwhile
	}

	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Args[0] = os.Args[0]
	var words bytes.Buffer
	cmd.Stderr = &words
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("cannot verify it: %w", err)
	}

	proof, unread := ReadProgress(ctx, out, progress)
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("its verification did not finish: %w", ctx.Err())
	case proof != nil:
		return proof, nil
	case err == nil:
		return nil, unread
	case !errors.As(err, &exit):
		return nil, fmt.Errorf("cannot verify it: %w", err)
	case exit.ExitCode() != 1:
		return nil, &archive.DamageError{
			Words: fmt.Sprintf("its pages are damaged: reading them crashed the process (%v)", err),
		}
	}

	said, _, _ := strings.Cut(strings.TrimPrefix(words.String(), "bincard: "), "\n")

	return nil, &archive.DamageError{Words: said}
}
