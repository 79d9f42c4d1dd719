package shell_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/testenv"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
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

func TestFault_LeavesTheFieldItIsAbout(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 8}, {20, 16}} {
		for _, above := range []int{0, 2, size[1] - 8} {
			d, p := newProbe(t)
			d.Size(size[0], size[1])
			p.view = strings.Repeat("row\n", above) + "\x02▸ Name  Oats\n\x03  ! taken\nnext"
			d.Do(tui.Fail(errors.New("Another product has this name."))).SeesInOrder("▸ Name  Oats", "! taken", "! Another")
			d.Key("enter").Sees("▸ Name  Oats", "! taken").Lacks("! Another")
		}
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

// pieces are texts that a screen may paint, on purpose or by mistake.
var pieces = []string{"oat milk ", "燕麦奶", "👩‍🚒", "é", "\x1b[1;31mred", "\x1b[0m", "\x1b[2J", "\x1b]0;title\a",
	"\r", "\t", "\x07", "\u202e", "\x9b31m", "\xff\xfe", "\n", "━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━", "\x02▸ ask", "\x1b", "\x1b[", "\u200b", "ｗｉｄｅ"}

func TestView_FitsAnyTerminal(t *testing.T) {
	t.Parallel()
	d, p := newProbe(t)
	testenv.Property.Check(t, func(r *rapid.T) {
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

// The header shows the environment and the location, however long the names are.
func TestHeader_ShortensLongNames(t *testing.T) {
	t.Parallel()
	d, _ := openShell(t)
	d.Send(tui.StatusMsg{Company: "A very long company name that never ends Incorporated", Environment: "LIVE", Live: true,
		Location: "WH-1 Main warehouse", Operator: "Bartholomew Featherstonehaugh-Cholmondeley", Connection: "ONLINE 2s", Pending: 3})
	d.Sees("Bincard   A very", "LIVE    WH-1 Main warehouse", "Bartholomew Fea…", "ONLINE 2s ○3")
	d.Send(tui.StatusMsg{Company: "Harbor Goods", Environment: "LIVE", Location: "WH-1 Main warehouse", Operator: "Ada", Connection: "ONLINE"})
	d.Sees("Bincard   Harbor Goods  LIVE    WH-1 Main warehouse", "Ada   ONLINE")
}

// On small terminals the header names who is signed in, and keeps the end of a code.
func TestHeader_SmallNamesThePerson(t *testing.T) {
	t.Parallel()
	d, _ := newLoginDriver(t)
	d.Scan("ADA-42").Size(40, 8).Sees("PO-1 ", " Ada ONLINE")
	d.Do(tui.Open("receive/PO-2026-437")).Send(tui.StatusMsg{Connection: "OFFLINE", Pending: 1, Operator: "Ada"})
	d.Size(20, 16).Sees("…2026-437 OFFLINE ○1")
	d.Send(tui.StatusMsg{Connection: "DAMAGE · DISK FULL", Short: "DISK", Operator: "Ada"}).Size(20, 16).Sees("DISK").Lacks("DAMAGE")
	plain, _ := openShell(t)
	plain.Size(40, 8).Lacks("Ada")
}

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
		o.Theme, o.Status.Environment, o.Status.Live = widget.FixedTheme("dark", termenv.ANSI256), "LIVE", true
	})
	d.Scan("BOX-1")
	tuitest.Golden(t, "job-80x24", d.Painted())
	d.Scan("WRONG1")
	tuitest.Golden(t, "error-80x24", d.Painted())
}

var anyValue = regexp.MustCompile(`%[-+0-9.]*(\[\d\])?[a-z]|\{\w+\}`)

// TestMessage_NextStepIsVisible shows the longest messages of several sentences as errors and as
// warnings: their end says what to do.
func TestMessage_NextStepIsVisible(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"en", "de", "es"} {
		tr := tuitest.Language(t, code)
		var texts []string
		for _, m := range i18n.Messages() {
			if text := tr.GetC(m.Text, m.Context); m.Context == "" && strings.Contains(text, ". ") && !strings.Contains(text, "\n") {
				texts = append(texts, anyValue.ReplaceAllString(text, "PO-118"))
			}
		}
		slices.SortFunc(texts, func(a, b string) int { return len(b) - len(a) })
		for _, text := range texts[:60] {
			words, last := strings.Fields(text), text[strings.LastIndex(text, ". ")+2:]
			for _, size := range [][2]int{{40, 8}, {20, 16}} {
				for i, show := range []tea.Cmd{tui.Fail(errors.New(text)), tui.Warn(text)} {
					if i == 1 && len(last) > 80 {
						continue // a warning never covers the question, so it has three lines
					}
					d, _ := openShell(t)
					d.Size(size[0], size[1]).Do(show)
					require.Contains(t, d.View(), words[len(words)-1], "%s at %v: %s", code, size, text)
				}
			}
		}
	}
}
