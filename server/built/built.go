// Package built builds the program for the tests that run it.
package built

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

var dir string

// Program returns the path of the program: the file that BINCARD_BIN names, which
// packages share, or else one that it builds once for this package. It is built
// without the race detector, which would slow these tests down.
var Program = sync.OnceValues(func() (path string, err error) {
	if path = os.Getenv("BINCARD_BIN"); path != "" {
		if _, err = os.Stat(path); err != nil {
			return "", fmt.Errorf("BINCARD_BIN: %w", err)
		}
		return path, nil
	}
	if err := readSources(); err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("", "bincard-built-"); err != nil {
		return "", fmt.Errorf("the program has no place to be built: %w", err)
	}
	path = filepath.Join(dir, "bincard")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-ldflags", "-X main.testClock="+ClockVariable, "-o", path, "bincard/cmd/bincard")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the program does not build: %w\n%s", err, out)
	}
	return path, nil
})

// Remove removes what was built, at the end of a run.
func Remove() {
	if dir != "" {
		_ = os.RemoveAll(dir)
	}
}

// readSources looks at all that the program is made of. A test that passed is not run
// again while the files that it looked at are what they were, and what go build
// reads does not count.
func readSources() error {
	root, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("where the tests run is not known: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return readFolder(root)
		}
		above := filepath.Dir(root)
		if above == root {
			return errors.New("the tests do not run where the program's sources are")
		}
		root = above
	}
}

func readFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("the program's sources cannot be looked at: %w", err)
	}
	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."), e.Name() == "bin", e.Name() == "testdata", strings.HasSuffix(e.Name(), "_test.go"):
		case e.IsDir():
			err = readFolder(name)
		default:
			_, err = os.Stat(name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
