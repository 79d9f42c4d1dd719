package script_test

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/script"
	"bincard/server/testenv"
)

// TestMain declares the command bincard for scripts. They run the program that Run puts first
// in their PATH.
func TestMain(m *testing.M) {
	testenv.SetClock()
	testscript.Main(m, map[string]func(){
		"bincard": func() { panic("the program is not first in the PATH") },
	})
}

// TestCommands runs the scripts that need no terminal.
func TestCommands(t *testing.T) {
	t.Parallel()
	program, err := testenv.Commands()
	require.NoError(t, err)
	t.Cleanup(testenv.Remove)

	scripts, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, scripts)

	script.Run(t, program, scripts...)
}
