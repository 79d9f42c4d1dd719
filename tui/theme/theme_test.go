package theme_test

import (
	"bytes"
	"testing"

	"bincard/tui/theme"

	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
)

func TestTheme_StatesHaveGlyphs(t *testing.T) {
	t.Parallel()
	p := theme.Plain()
	require.Equal(t, []string{"✓ a", "! b", "! c", "~ d", "○ e", "▸ f"},
		[]string{p.OK("a"), p.Refused("b"), p.Warn("c"), p.Unconfirmed("d"), p.Pending("e"), p.Ask("f")})
	for _, name := range theme.Names() {
		seen := map[string]bool{}
		c := theme.Fixed(name, termenv.ANSI256)
		for _, painted := range []string{c.OK(""), c.Refused(""), c.Unconfirmed(""), c.Pending(""), c.Ask("")} {
			require.False(t, seen[painted], "%s paints two states the same", name)
			seen[painted] = true
		}
	}
}

func TestNew_OldNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"color-blind", "colour-blind"} {
		th, err := theme.New(name, &bytes.Buffer{}, nil)
		require.NoError(t, err)
		require.Equal(t, "color-blind", th.Name)
		require.Equal(t, "color-blind", theme.Fixed(name, termenv.ANSI256).Name)
		require.NotEmpty(t, theme.Colors(name))
	}
}

func TestNew_NoColor(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, env := range [][]string{{"NO_COLOR=1", "TERM=xterm-256color"}, {"TERM=dumb"}} {
		th, err := theme.New("dark", &out, env)
		require.NoError(t, err)
		require.NotContains(t, th.Refused("x")+th.Warn("x")+th.Ask("x"), "[3")
	}
	th, err := theme.New("", &out, []string{"TERM=xterm-256color", "CLICOLOR_FORCE=1"})
	require.NoError(t, err)
	require.Equal(t, "dark", th.Name)
	require.Contains(t, th.Refused("x"), "\x1b[")
	th, err = theme.Remote("light", []string{"TERM=xterm-256color"})
	require.NoError(t, err)
	require.Contains(t, th.Refused("x"), "\x1b[1;38;5;160m")
	th, err = theme.Remote("light", []string{"TERM=xterm-256color", "NO_COLOR=1"})
	require.NoError(t, err)
	require.Equal(t, "mono", th.Name)
	require.NotContains(t, th.Refused("x"), "38;5")
	_, err = theme.New("pink", &out, nil)
	require.ErrorContains(t, err, `unknown theme "pink": choose one of dark, light, high-contrast, color-blind, mono`)
	require.Empty(t, out.String(), "New queried the terminal")
}
