package shell_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHelp_Scrolls(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Size(60, 10)
	d.Key("?").Sees("help: Receive", "All 144").Lacks("Home")
	first := d.Model.View()
	d.Key("down").Lacks("book 0").Sees("All 144", "help: Receive")
	d.Key("up")
	require.Equal(t, first, d.Model.View())
	d.Key("up", "pgup")
	require.Equal(t, first, d.Model.View(), "nothing is above the first line")
	d.Key("pgdown", "space", "pgdown", "down").Sees("ctrl+q").Lacks("All 144")
	last := d.Model.View()
	d.Key("up")
	require.NotEqual(t, last, d.Model.View(), "it stopped at the last line")
	d.Key("down")
	require.Equal(t, last, d.Model.View())
	d.Size(80, 40).Sees("help: Receive", "All 144", "ctrl+q")
	d.Key("q").Lacks("help: Receive")
}

func TestQuestion_EditsInTheMiddle(t *testing.T) {
	t.Parallel()
	d, job := openShell(t)
	d.Type("48").Key("left").Sees("▸ 4█8").Type("1").Sees("▸ 41█8").Key("home", "delete").Sees("▸ █18").Key("enter")
	require.Equal(t, 18, job.now)
	d.Key("ctrl+p").Type("bok").Key("left").Type("o").Sees("boo█k", "book 18")
}
