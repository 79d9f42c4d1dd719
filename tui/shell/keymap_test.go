package shell_test

import (
	"testing"

	"bincard/tui"
	"bincard/tui/shell"

	"github.com/stretchr/testify/require"
)

func TestKeymapProblems_NamesEachMistake(t *testing.T) {
	t.Parallel()
	require.Empty(t, shell.KeymapProblems(tui.Keymap{"dock.all": {"f6"}, "receive.new": {"f6"}, "shell.palette": {"f10"}, "dock.book": {"enter", "alt+b"}}, nil))
	require.Equal(t, []string{
		`keys in config.toml: ctrl+p is assigned to shell.palette and dock.all: shell.palette wins`,
		`keys in config.toml: unknown key "hyper" for dock.book: use f6, ctrl+e, alt+e, pgdown or +`,
		`keys in config.toml: F7 is assigned to dock.book and dock.lot: dock.book wins`,
		`keys in config.toml: "x" for dock.undo may come from a scanner: use an F-key or a ctrl key`,
		`keys in config.toml: nodot is not an action with keys: use a line like "dock.all" = ["f6"]`,
	}, shell.KeymapProblems(tui.Keymap{"dock.all": {"ctrl+p"}, "dock.lot": {"f7"}, "dock.book": {"hyper", "f7"}, "dock.undo": {"x"}, "nodot": {"f3"}}, nil))
	require.Equal(t, []string{`keys in config.toml: F2 is assigned to shell.help and shell.find: shell.help wins`},
		shell.KeymapProblems(tui.Keymap{"shell.help": {"f2"}}, nil))
}

func TestKeymap_IsShownEverywhere(t *testing.T) {
	t.Parallel()
	d, dock := openShell(t, func(o *shell.Options) { o.Keys = tui.Keymap{"dock.all": {"f6"}, "shell.find": {"f3"}} })
	d.Sees("F6 all 144", "F3 find").Key("?").Sees("F6         All 144", "F3         Find").Key("esc", "ctrl+p").Type("all 144").Sees("all 144", "F6").Key("enter")
	require.Equal(t, 144, dock.now)
}
