package scanner_test

import (
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/scanner"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

func open(t *testing.T, change ...func(*shell.Options)) *tuitest.Driver {
	t.Helper()
	o := shell.Options{Registry: tui.NewRegistry().Add(scanner.Route, "Scanner", scanner.Open)}
	for _, c := range change {
		c(&o)
	}
	return tuitest.New(t, o)
}

// burst sends characters like a scanner, without an end key.
func burst(d *tuitest.Driver, code string, gap time.Duration) {
	for _, r := range code {
		d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		d.Advance(gap)
	}
}

func TestScanner_ShowsEveryByte(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.Goldens("empty")
	d.Scan("]C10109521234543213" + "10L42-A\x1d17270331")
	d.Sees("]C10109521234543213"+"10L42-A␝17270331", "GS1-128", "09521234543213", "L42-A", "expires 2027-03-31",
		"5D 43 31", "ended by a key", "nothing to fix")
	require.Equal(t, 1, d.Bells())
	d.Goldens("good")
	d.Scan("]C10109521234543219" + "10L42-A\x1d17271331")
	d.Lacks("nothing to fix").Sees("! (01)", "! (17)", "Earlier")
	d.Goldens("bad")
	d.Key("f8").Lacks("L42-A").Sees("Shows what the scanner sends")
	d.Type("q?/1").Sees("q?/1")
	require.Empty(t, d.Model.Dialog())
	d.Key("esc").Lacks("q?/1")
}

func TestAdvice_NoSuffix(t *testing.T) {
	t.Parallel()
	d := open(t)
	burst(d, "OAT-1L-BOX", 2*time.Millisecond)
	d.Advance(time.Second)
	d.Sees("no end key", "No suffix")
	d.Scan("OAT-1L-BOX").Lacks("No suffix")
}

func TestAdvice_SlowScannerAndTyping(t *testing.T) {
	t.Parallel()
	d := open(t)
	burst(d, "OAT-1L-BOX", 80*time.Millisecond)
	d.Key("enter")
	d.Sees("Too slow", "80 ms")
	d.Type("OAT-1L-BOX").Key("enter")
	d.Sees("typed by hand").Lacks("Too slow")
}

func TestAdvice_ScannerSettings(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"]C10109521234543213" + "10L42-A<GS>17270331":    "The separator arrived as the text <GS>",
		"]C10109521234543213" + "10L42-A17270331":        "the GS separator is missing",
		"+C10109521234543213" + "10L42-A":                "Wrong keyboard layout: \"+\" arrived instead of \"]\"",
		"]c10109521234543213" + "10l42-a":                "Upper and lower case are swapped",
		"à&àç(é&é\"'('\"é&\"":                            "the digits arrived as",
		"(01)09521234543213(10)L42-A(17)270331":          "nothing to fix",
		"https://id.example.com/01/09521234543213/10/L4": "nothing to fix",
		"WH-1": "nothing to fix",
	} {
		t.Run(want+" "+code, func(t *testing.T) {
			t.Parallel()
			open(t).Scan(code).Sees(want)
		})
	}
}
