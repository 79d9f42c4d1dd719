package widget_test

import (
	"bytes"
	"testing"

	"bincard/tui/widget"

	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
)

func TestTheme_StatesHaveGlyphs(t *testing.T) {
	t.Parallel()
	p := widget.PlainTheme()
	require.Equal(t, []string{"✓ a", "! b", "! c", "~ d", "○ e", "▸ f"},
		[]string{p.OK("a"), p.Refused("b"), p.Warn("c"), p.Unconfirmed("d"), p.Pending("e"), p.Ask("f")})
	for _, name := range widget.ThemeNames() {
		seen := map[string]bool{}
		c := widget.FixedTheme(name, termenv.ANSI256)
		for _, painted := range []string{c.OK(""), c.Refused(""), c.Unconfirmed(""), c.Pending(""), c.Ask("")} {
			require.False(t, seen[painted], "%s paints two states the same", name)
			seen[painted] = true
		}
	}
}

func TestNew_OldNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"color-blind", "colour-blind"} {
		th, err := widget.NewTheme(name, &bytes.Buffer{}, nil)
		require.NoError(t, err)
		require.Equal(t, "color-blind", th.Name)
		require.Equal(t, "color-blind", widget.FixedTheme(name, termenv.ANSI256).Name)
		require.NotEmpty(t, widget.ThemeColors(name))
	}
}

func TestNew_NoColor(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	for _, env := range [][]string{{"NO_COLOR=1", "TERM=xterm-256color"}, {"TERM=dumb"}} {
		th, err := widget.NewTheme("dark", &out, env)
		require.NoError(t, err)
		require.NotContains(t, th.Refused("x")+th.Warn("x")+th.Ask("x"), "[3")
	}
	th, err := widget.NewTheme("", &out, []string{"TERM=xterm-256color", "CLICOLOR_FORCE=1"})
	require.NoError(t, err)
	require.Equal(t, "dark", th.Name)
	require.Contains(t, th.Refused("x"), "\x1b[")
	th, err = widget.RemoteTheme("light", []string{"TERM=xterm-256color"})
	require.NoError(t, err)
	require.Contains(t, th.Refused("x"), "\x1b[1;38;5;160m")
	th, err = widget.RemoteTheme("light", []string{"TERM=xterm-256color", "NO_COLOR=1"})
	require.NoError(t, err)
	require.Equal(t, "mono", th.Name)
	require.NotContains(t, th.Refused("x"), "38;5")
	_, err = widget.NewTheme("pink", &out, nil)
	require.ErrorContains(t, err, `unknown theme "pink": choose one of dark, light, high-contrast, color-blind, mono`)
	require.Empty(t, out.String(), "New queried the terminal")
}
