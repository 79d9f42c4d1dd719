package shell_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bincard/server/budget"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// pieces are texts that a screen may paint, on purpose or by mistake.
var pieces = []string{"oat milk ", "燕麦奶", "👩‍🚒", "é", "\x1b[1;31mred", "\x1b[0m", "\x1b[2J", "\x1b]0;title\a",
	"\r", "\t", "\x07", "\u202e", "\x9b31m", "\xff\xfe", "\n", "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━", "\x02▸ ask", "\x1b", "\x1b[", "\u200b", "ｗｉｄｅ"}

func TestView_FitsAnyTerminal(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	budget.Property.Check(t, func(r *rapid.T) {
		s := tuitest.Shape{Width: rapid.IntRange(0, 220).Draw(r, "width"), Height: rapid.IntRange(1, 70).Draw(r, "height")}
		p.view = strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 200).Draw(r, "painted"), "")
		d.Size(s.Width, s.Height)
		if rapid.Bool().Draw(r, "with an error") {
			d.Do(tui.Fail(fmt.Errorf("%s", p.view)))
			defer d.Key("enter")
		}
		view := d.Painted()
		tuitest.Fits(t, view, s)
		for _, line := range strings.Split(view, "\n") {
			bare := ansi.Strip(line)
			require.NotContains(t, bare, "\u202e")
			for _, c := range bare {
				require.False(t, c < 0x20 || c == 0x7f || c >= 0x80 && c < 0xa0, "control character in %q", line)
			}
			if strings.Contains(line, "\x1b") {
				require.True(t, strings.HasSuffix(line, "\x1b[0m"), "color leaks out of %q", line)
			}
		}
		require.NotContains(t, view, "\x1b[2J")
		require.NotContains(t, view, "\x1b]")
	})
}

func TestView_HasHeaderAndFooterInEverySize(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		s := tuitest.Shape{Width: 16 + random.IntN(200), Height: 6 + random.IntN(60)}
		d.Size(s.Width, s.Height)
		view := d.View()
		tuitest.Fits(t, view, s)
		lines := strings.Split(view, "\n")
		require.Len(t, lines, s.Height, s)
		require.Contains(t, lines[0], "ONLINE", s)
		require.Contains(t, strings.Join(lines[s.Height-2:], ""), "esc", s)
	}
}

func TestView_CleansTitlesAndHeader(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t, func(o *shell.Options) { o.Start = []string{tui.Path("receive", "PO\x1b[2J\u202e-9")} })
	d.Send(tui.StatusMsg{Company: "Evil\x1b]52;c;AAAA\aCorp", Connection: "ONLINE\r\n"})
	d.Sees("Receive › PO-9", "EvilCorp")
	require.NotContains(t, d.Painted(), "\x1b]")
}
