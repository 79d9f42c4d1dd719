package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// BINCARD_BIN names a program that is built already; without it the tests build
// one, plainly: the race detector's build of the program is slower than the
// paces that these tests keep.
var built struct {
	once sync.Once
	path string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" && os.Getenv("BINCARD_BIN") == "" {
		os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}

// program is the path of the program under test, built once a run.
func program(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.path = os.Getenv("BINCARD_BIN"); built.path != "" {
			return
		}
		dir, err := os.MkdirTemp("", "bincard-e2e-")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "bincard")
		cmd := exec.Command("go", "build", "-o", built.path, "bincard/cmd/bincard")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("the program does not build: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// seats bounds how many tests have a screen at a time: with more, the machine
// is slower than the hand that the tests play.
var seats = make(chan struct{}, 3)

// parallel lets a test run beside others when there is a seat for it.
func parallel(t *testing.T) {
	t.Helper()
	t.Parallel()
	seats <- struct{}{}
	t.Cleanup(func() { <-seats })
}
