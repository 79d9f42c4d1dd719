package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/cli"
	"bincard/cmd/bincard/config"
	"bincard/cmd/bincard/script"
	"bincard/server/intake"
	"bincard/server/testenv"
)

// TestMain makes this program available to scripts as bincard.
func TestMain(m *testing.M) {
	cli.TestClock = testenv.ClockVariable
	testenv.SetClock()
	testscript.Main(m, map[string]func(){
		"bincard": func() { os.Exit(run(os.Args[1:])) },
	})
}

// TestScripts runs the scripts that need the terminal, with the program that is released. With the
// race detector, it runs those of programs that others use meanwhile, with this test binary.
func TestScripts(t *testing.T) {
	t.Parallel()
	patterns := []string{"testdata/*"}
	if testenv.Raced {
		patterns = []string{"testdata/plain", "testdata/shared", "testdata/ssh", "script/testdata/edge", "script/testdata/inbox",
			"script/testdata/offline", "script/testdata/outbox", "script/testdata/service"}
	}
	var scripts []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.FromSlash(pattern + ".txtar"))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		scripts = append(scripts, found...)
	}

	var program string
	if !testenv.Raced {
		var err error
		program, err = testenv.Program()
		require.NoError(t, err)
	}
	t.Cleanup(testenv.Remove)

	script.Run(t, program, scripts...)
}

func TestImport_HelpNamesEveryColumn(t *testing.T) {
	t.Parallel()
	files, err := topicFiles.ReadFile("topics/files.txt")
	require.NoError(t, err)
	for _, kind := range intake.Kinds {
		required, optional := kind.Columns()
		for _, column := range append(required, optional...) {
			require.Contains(t, importCommand().Long, column, kind)
			if kind.Documents() {
				require.Regexp(t, `(?m)^  (\w+, )?`+column+`\b`, string(files), kind)
			}
		}
	}
}

func TestTerminal_RequiresScreen(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := terminal(t.Context(), config.Config{}, nil, &out)
	require.ErrorContains(t, err, "needs a screen")
}
