package testenv

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

// Folders are the top-level folders with the program's source code. Tests that read the sources
// read these, and not the folder above them: the time of its .git changes with each call of git,
// and go test would not find the earlier results.
var Folders = []string{"apiclient", "cmd", "offline", "server", "tui", "views"}

// Program returns the path of the program: the one in BINCARD_BIN, which packages can
// share, or one that it builds once for this package. It is built without the race
// detector, which would slow the tests down.
var Program = sync.OnceValues(func() (path string, err error) { return findProgram("BINCARD_BIN") })

// Commands returns the path of the program without its terminal: the one in
// BINCARD_COMMANDS, or one that it builds. Tests that need no screen use it, so that they
// need not run again when a screen changes.
var Commands = sync.OnceValues(func() (path string, err error) {
	return findProgram("BINCARD_COMMANDS", "-tags", "noterminal")
})

// built lists the directories of the programs built here.
var built struct {
	mu   sync.Mutex
	dirs []string
}

// findProgram returns the path in an environment variable, or builds the program with flags.
func findProgram(variable string, flags ...string) (path string, err error) {
	if path = os.Getenv(variable); path != "" {
		if _, err = os.Stat(path); err != nil {
			return "", fmt.Errorf("%s: %w", variable, err)
		}
		return path, nil
	}

	if err := readSources(); err != nil {
		return "", err
	}

	dir, err := os.MkdirTemp("", "bincard-built-")
	if err != nil {
		return "", fmt.Errorf("cannot create a directory for the program: %w", err)
	}

	built.mu.Lock()
	built.dirs = append(built.dirs, dir)
	built.mu.Unlock()

	path = filepath.Join(dir, "bincard")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}

	clock := "-X bincard/cmd/bincard/cli.TestClock=" + ClockVariable
	args := append([]string{"build", "-ldflags", clock, "-o", path}, flags...)
	cmd := exec.Command("go", append(args, "bincard/cmd/bincard")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the program does not build: %w\n%s", err, out)
	}

	return path, nil
}

// Remove removes the programs built here, at the end of a run.
func Remove() {
	built.mu.Lock()
	defer built.mu.Unlock()
	for _, dir := range built.dirs {
		_ = os.RemoveAll(dir)
	}
}

// readSources stats all source files of the program. go test caches a result
// while the files that the test looked at are unchanged, and does not notice
// what go build reads.
func readSources() error {
	root, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("cannot find the working directory: %w", err)
	}

	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			for _, name := range Folders {
				if err := readFolder(filepath.Join(root, name)); err != nil {
					return err
				}
			}

			return nil
		}

		parent := filepath.Dir(root)
		if parent == root {
			return errors.New("the working directory is not in the program's source tree")
		}

		root = parent
	}
}

func readFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("cannot read the program's sources: %w", err)
	}

	for _, e := range entries {
		name := filepath.Join(folder, e.Name())
		switch {
		case e.Name() == "testdata", strings.HasSuffix(e.Name(), "_test.go"):
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
