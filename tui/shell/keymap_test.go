package shell_test

import (
	"testing"

	"bincard/tui"
	"bincard/tui/shell"

	"github.com/stretchr/testify/require"
)

func TestKeymapProblems_NamesEachMistake(t *testing.T) {
	t.Parallel()
	require.Empty(t, shell.KeymapProblems(tui.Keymap{"panel.all": {"f6"}, "receive.new": {"f6"}, "shell.palette": {"f10"}, "panel.record": {"enter", "alt+b"}}, nil))
	require.Equal(t, []string{
		`keys in config.toml: nodot is not an action with keys: use a line like "panel.all" = ["f6"]`,
		`keys in config.toml: ctrl+p is assigned to shell.palette and panel.all: shell.palette wins`,
		`keys in config.toml: unknown key "hyper" for panel.record: use f6, ctrl+e, alt+e, pgdown or +`,
		`keys in config.toml: F7 is assigned to panel.lot and panel.record: panel.lot wins`,
		`keys in config.toml: "x" for panel.undo may come from a scanner: use an F-key or a ctrl key`,
	}, shell.KeymapProblems(tui.Keymap{"panel.all": {"ctrl+p"}, "panel.lot": {"f7"}, "panel.record": {"hyper", "f7"}, "panel.undo": {"x"}, "nodot": {"f3"}}, nil))
	require.Equal(t, []string{`keys in config.toml: F2 is assigned to shell.help and shell.find: shell.help wins`},
		shell.KeymapProblems(tui.Keymap{"shell.help": {"f2"}}, nil))
}

func TestKeymap_IsShownEverywhere(t *testing.T) {
	t.Parallel()
	d, job := openShell(t, func(o *shell.Options) { o.Keys = tui.Keymap{"panel.all": {"f6"}, "shell.find": {"f3"}} })
	d.Sees("F6 all 144", "F3 find").Key("?").Sees("F6         All 144", "F3         Find").Key("esc", "ctrl+p").Type("all 144").Sees("all 144", "F6").Key("enter")
	require.Equal(t, 144, job.now)
}
