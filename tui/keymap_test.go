package tui_test

import (
	"testing"

	"bincard/tui"

	"github.com/stretchr/testify/require"
)

func TestFaultsOfAKeymapAreToldInWords(t *testing.T) {
	t.Parallel()
	require.Empty(t, tui.Keymap{"dock.all": {"f6"}, "receive.new": {"f6"}, "shell.palette": {"f10"}, "dock.book": {"enter", "alt+b"}}.Problems(nil))
	require.Equal(t, []string{
		`keys in config.toml: ctrl+p is given to shell.palette and dock.all: shell.palette gets it`,
		`keys in config.toml: there is no key "hyper" for dock.book: write f6, ctrl+e, alt+e, pgdown or +`,
		`keys in config.toml: F7 is given to dock.book and dock.lot: dock.book gets it`,
		`keys in config.toml: "x" for dock.undo may come from a scanner: take an F-key or one with ctrl`,
		`keys in config.toml: nodot is no action with keys: write "dock.all" = ["f6"]`,
	}, tui.Keymap{"dock.all": {"ctrl+p"}, "dock.lot": {"f7"}, "dock.book": {"hyper", "f7"}, "dock.undo": {"x"}, "nodot": {"f3"}}.Problems(nil))
	require.Equal(t, []string{`keys in config.toml: F2 is given to shell.help and shell.find: shell.help gets it`},
		tui.Keymap{"shell.help": {"f2"}}.Problems(nil))
}

func TestRemappedKeysStandEverywhere(t *testing.T) {
	t.Parallel()
	d, dock := shell(t, func(o *tui.Options) { o.Keys = tui.Keymap{"dock.all": {"f6"}, "shell.find": {"f3"}} })
	d.Sees("F6 all 144", "F3 find").Key("?").Sees("F6         all 144", "F3         find").Key("esc", "ctrl+p").Type("all 144").Sees("all 144", "F6").Key("enter")
	require.Equal(t, 144, dock.now)
}
