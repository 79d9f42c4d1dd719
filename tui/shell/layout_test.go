package shell_test

import (
	"strings"
	"testing"

	"bincard/tui"
	"bincard/tui/shell"

	"github.com/stretchr/testify/require"
)

func TestToast_CoversNeitherFooterNorQuestion(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{40, 8}, {20, 16}} {
		d, _ := openShell(t)
		d.Size(size[0], size[1]).Key("+")
		before := strings.Split(d.View(), "\n")
		d.Do(tui.Toast("booked 144. received 240 of 240, pending 0"))
		after := strings.Split(d.View(), "\n")
		require.Equal(t, before[len(before)-1], after[len(after)-1], "the footer at %v", size)
		d.Sees("✓ booked 144.", "▸ Scan a box")
		d.Scan("WRONG1").Sees("OAT-1L was", "F8").Do(tui.Warn("No"))
		d.Sees("! No", "OAT-1L was", "ent continue")
	}
}

func TestNotes_AreShownAtTheStart(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t, func(o *shell.Options) { o.Notes = []string{"words.txt, line 3: no.", "And this.", "And that."} })
	d.Sees("! words.txt, line 3: no. And 2 more. See Settings.")
	require.Equal(t, 2, d.Advance(1e9).Bells())
	d.Key("enter").Scan("BOX-1").Sees("✓ box")
}

func TestHeader_CountsWaitingScansOnSmallScreens(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	job.busy = true
	d.Scan("BOX-1").Scan("BOX-2").Sees("2 scans waiting")
	for _, size := range [][2]int{{40, 8}, {20, 16}} {
		d.Size(size[0], size[1]).Sees("+2 ONLINE")
	}
	job.busy = false
	d.Send("poke").Lacks("+2 ")
	require.Equal(t, 24, job.now)
}
