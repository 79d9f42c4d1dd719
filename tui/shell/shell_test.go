package shell_test

import (
	"testing"

	"bincard/tui/shell"
	"bincard/tui/theme"
	"bincard/tui/tuitest"

	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
)

func TestShell_InAllSizes(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Scan("OAT-1L-BOX").Scan("OAT-1L-BOX2")
	d.Goldens("job")
	d.Scan("WRONG1")
	d.Goldens("error")
	d.Key("enter", "f5")
	d.Goldens("question")
	d.Key("esc", "ctrl+p")
	d.Goldens("palette")
	d.Key("esc", "?")
	d.Goldens("help")
	d.Key("esc", "esc")
	require.Equal(t, "home", d.Model.Route())
	d.Goldens("home")
}

func TestShell_InColor(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t, func(o *shell.Options) {
		o.Theme, o.Status.Environment, o.Status.Live = theme.Fixed("dark", termenv.ANSI256), "LIVE", true
	})
	d.Scan("BOX-1")
	tuitest.Golden(t, "job-80x24", d.Painted())
	d.Scan("WRONG1")
	tuitest.Golden(t, "error-80x24", d.Painted())
}

func TestKeys_HaveNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"enter", "esc", "f1", "f12", "ctrl+p", "ctrl+c", "up", "tab", "?", "7", "backspace", "space", "pgdown"} {
		tuitest.KeyOf(t, name)
	}
}
