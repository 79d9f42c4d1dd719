package shell_test

import (
	"errors"
	"strings"
	"testing"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"

	tea "github.com/charmbracelet/bubbletea"
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
		d.Sees("! No", "OAT-1L was", " continue")
	}
}

// A message belongs to its screen and to what the operator did last.
func TestToast_EndsWithTheNextInput(t *testing.T) {
	t.Parallel()
	for name, input := range map[string]func(*tuitest.Driver){
		"another screen": func(d *tuitest.Driver) { d.Key("esc") },
		"a number":       func(d *tuitest.Driver) { d.Key("7") },
		"an action":      func(d *tuitest.Driver) { d.Key("+") },
		"a scan":         func(d *tuitest.Driver) { d.Scan("BOX-1") },
		"help":           func(d *tuitest.Driver) { d.Key("f1") },
	} {
		d, _ := openShell(t)
		d.Key("enter").Sees("! Nothing is counted yet")
		input(d)
		require.Empty(t, d.Model.Toast(), name)
	}
	d, _ := openShell(t)
	d.Do(tui.Fail(errors.New("no"))).Do(tui.Warn("Wait")).Key("x").Sees("! Wait").Key("enter").Lacks("Wait")
}

func TestToast_OfTheSameInputStaysOnTheNextScreen(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	p.next = func() tea.Cmd { return tea.Batch(tui.Toast("TR-1 is planned"), tui.Replace("receive/PO-1")) }
	d.Key("f9").Sees("Receive › PO-1", "✓ TR-1 is planned")
}

func TestToast_NeverReplacesTheTitle(t *testing.T) {
	t.Parallel()
	full := "first\nsecond\nthird\nfourth\nfifth\n\x02▸ ask"
	for _, size := range [][2]int{{40, 8}, {20, 16}} {
		d, p := newProbe(t)
		d.Size(size[0], size[1])
		p.view = strings.Repeat("row\n", size[1]-8) + full
		d.Do(tui.Warn("No")).Sees("Probe", "! No", "▸ ask")
		d.Do(tui.Fail(errors.New("Wrong"))).Sees("Probe", "! Wrong", "! No").Key("enter")
		p.next = func() tea.Cmd {
			return tui.Choose(tui.Choice{Text: "Which?", Options: strings.Split(strings.Repeat("option ", 20), " ")})
		}
		d.Key("f9").Do(tui.Warn("No")).Sees("Probe", "Which?", "! No")
		d.Key("esc").Do(tui.Fail(errors.New(strings.Repeat("long and wrong ", 30)))).Do(tui.Warn("No")).Sees("Probe", "! long and").Lacks("! No")
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

func TestChoice_WrapsLabelsThatAreTooWide(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Size(20, 16).Do(tui.Choose(tui.Choice{Text: "Which?", Options: []string{"Receive › PO-2026-118   12 counted", "available     36", "last"}}))
	d.Sees("▸ Receive ›         ", "  PO-2026-118 12    ", "  counted           ", "  available     36  ", "  last").Lacks("…")
	d.Size(20, 8).Key("down", "down").Sees("▸ last", "↑ ").Lacks("…")
	d.Key("up", "up").Sees("▸ Receive ›", "counted", "↓ ")
}
