package scan_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/tui/scan"
)

const (
	ms   = time.Millisecond
	gtin = "09506000134352"
)

// timings has input that scanners and people were observed to send. An event is a key's name, or a
// scan's text in brackets. Each case also runs with late ticks.
var timings = []struct {
	name string
	keys []press
	want string
}{
	// Scanner settings.
	{"fast, CR", typed(0, 2*ms, gtin+"\r"), "[" + gtin + "]"},
	{"slow, CR", typed(0, 30*ms, gtin+"\r"), "[" + gtin + "]"},
	{"slowest, CR", typed(0, 35*ms, gtin+"\r"), "[" + gtin + "]"},
	{"no suffix", typed(0, 2*ms, gtin), "[" + gtin + "]"},
	{"slow, no suffix", typed(0, 30*ms, gtin), "[" + gtin + "]"},
	{"LF", typed(0, 2*ms, gtin+"\n"), "[" + gtin + "]"},
	{"CR LF submits once", typed(0, 2*ms, gtin+"\r\n"), "[" + gtin + "]"},
	{"CR LF, slow", typed(0, 30*ms, gtin+"\r\n"), "[" + gtin + "]"},
	{"tab", typed(0, 2*ms, gtin+"\t"), "[" + gtin + "]"},
	{"tab CR", typed(0, 2*ms, gtin+"\t\r"), "[" + gtin + "]"},
	{"STX ETX", typed(0, 2*ms, "\x02"+gtin+"\x03"), "[" + gtin + "]"},
	{"STX ETX CR LF", typed(0, 2*ms, "\x02"+gtin+"\x03\r\n"), "[" + gtin + "]"},
	{"STX ETX, slow", typed(0, 30*ms, "\x02"+gtin+"\x03"), "[" + gtin + "]"},
	{"STX ETX around two characters", typed(0, 2*ms, "\x02A1\x03"), "[A1]"},
	{"ETX alone", typed(0, 2*ms, gtin+"\x03"), "[" + gtin + "]"},
	{"AIM prefix", typed(0, 2*ms, "]C101"+gtin+"\r"), "[01" + gtin + "]"},
	{"separator inside", typed(0, 2*ms, "]d201"+gtin+"10A\x1d3012\r"), "[01" + gtin + "10A\x1d3012]"},
	{"separator first", typed(0, 2*ms, "\x1d10ABC\x1d3012\r"), "[\x1d10ABC\x1d3012]"},
	{"separators of format 06", typed(0, 2*ms, "[)>\x1e06\x1d1PX\x1e\x04\r"), "[[)>\x1e06\x1d1PX\x1e\x04]"},
	{"space inside", typed(0, 2*ms, "BIN A 12\r"), "[BIN A 12]"},
	{"space inside, slow", typed(0, 30*ms, "A B C\r"), "[A B C]"},
	{"shortcut letters", typed(0, 2*ms, "q/?jk\r"), "[q/?jk]"},
	{"shortcut letter first, slow", typed(0, 34*ms, "quit\r"), "[quit]"},
	{"one message", []press{{0, runes(gtin)}, {0, key(tea.KeyEnter)}}, "[" + gtin + "]"},
	{"several messages", []press{{0, runes("]C110A1")}, {0, key(tea.KeyCtrlCloseBracket)}, {0, runes("3012")}, {0, key(tea.KeyEnter)}}, "[10A1\x1d3012]"},
	{"pause after a separator", []press{{0, runes("]C110A1")}, {0, key(tea.KeyCtrlCloseBracket)}, {300 * ms, runes("3012")}, {300 * ms, key(tea.KeyEnter)}},
		"[10A1\x1d3012]"},
	{"separator last, no suffix", typed(0, 2*ms, "]C110A1\x1d"), "[10A1\x1d]"},
	{"short pieces", []press{{0, runes("]C")}, {1 * ms, runes("110")}, {2 * ms, runes("X")}, {3 * ms, key(tea.KeyEnter)}}, "[10X]"},
	{"two pieces", []press{{0, runes(gtin[:9])}, {10 * ms, runes(gtin[9:])}, {10 * ms, key(tea.KeyEnter)}}, "[" + gtin + "]"},
	{"CR comes late", append(typed(0, 2*ms, gtin), press{90 * ms, key(tea.KeyEnter)}), "[" + gtin + "] late enter"},
	{"ETX comes late", append(typed(0, 2*ms, "\x02"+gtin), press{90 * ms, key(tea.KeyCtrlC)}), "[" + gtin + "]"},

	// Consecutive scans.
	{"twenty a second", typed(0, 2*ms, "AAAA1\r", 50*ms, "BBBB2\r", 100*ms, "CCCC3\r"), "[AAAA1] [BBBB2] [CCCC3]"},
	{"twenty a second, no suffix", []press{{0, runes("AAAA1")}, {51 * ms, runes("BBBB2")}, {102 * ms, runes("CCCC3")}}, "[AAAA1] [BBBB2] [CCCC3]"},
	{"GS1 labels, no suffix", []press{{0, runes("01" + gtin + "10A")}, {100 * ms, runes("01" + gtin + "10B")}, {200 * ms, runes("CCCC3")}},
		"[01" + gtin + "10A] [01" + gtin + "10B] [CCCC3]"},
	{"separator and a short rest late", []press{{0, runes("10ABC")}, {300 * ms, key(tea.KeyCtrlCloseBracket)}, {400 * ms, runes("21X")}, {401 * ms, key(tea.KeyEnter)}},
		"[10ABC] [\x1d21X]"},
	{"double scan", typed(0, 2*ms, "AAAA1\r", 60*ms, "AAAA1\r"), "[AAAA1]"},
	{"the same later", typed(0, 2*ms, "AAAA1\r", 200*ms, "AAAA1\r"), "[AAAA1] [AAAA1]"},
	{"another between", typed(0, 2*ms, "AAAA1\r", 30*ms, "BBBB2\r", 60*ms, "AAAA1\r"), "[AAAA1] [BBBB2] [AAAA1]"},

	// Pastes.
	{"paste", []press{{0, pasted("(01)" + gtin)}}, "[(01)" + gtin + "]"},
	{"paste keeps the separator", []press{{0, pasted("]C110A\x1d3012\r\n")}}, "[10A\x1d3012]"},
	{"paste with CR after it", []press{{0, pasted(gtin)}, {5 * ms, key(tea.KeyEnter)}}, "[" + gtin + "] late enter"},
	{"paste of lines", []press{{0, pasted("A1\r\nB2\rC3\n\nC3\n")}}, "[A1] [B2] [C3] [C3]"},
	{"paste that came apart", append([]press{{0, key(tea.KeyEsc)}, {1 * ms, runes("[200~A1")}}, press{3 * ms, key(tea.KeyEsc)}, press{4 * ms, runes("[201~")}), "[A1]"},
	{"paste behind a held key", []press{{0, runes("7")}, {10 * ms, pasted("AB12")}}, "7 [AB12]"},

	// People.
	{"one digit", typed(0, 0, "7"), "7"},
	{"digits and enter", typed(0, 80*ms, "12\r"), "1 2 enter"},
	{"enter right after", []press{{0, runes("1")}, {100 * ms, runes("2")}, {110 * ms, key(tea.KeyEnter)}}, "1 2 enter"},
	{"two fingers at once", []press{{0, runes("a")}, {10 * ms, runes("b")}, {20 * ms, runes("c")}, {140 * ms, runes("d")}}, "a b c d"},
	{"fast typist", typed(0, 36*ms, "correct horse\r"), "c o r r e c t   h o r s e enter"},
	{"a key held down", typed(0, 33*ms, "00000000"), "0 0 0 0 0 0 0 0"},
	{"enter twice", []press{{0, key(tea.KeyEnter)}, {10 * ms, key(tea.KeyEnter)}}, "enter enter"},
	{"ctrl+c", []press{{0, key(tea.KeyCtrlC)}}, "ctrl+c"},
	{"ctrl+b", []press{{0, key(tea.KeyCtrlB)}}, "ctrl+b"},
	{"ctrl+b ctrl+c", typed(0, 200*ms, "\x02\x03"), "ctrl+b ctrl+c"},
	{"ctrl+]", []press{{0, key(tea.KeyCtrlCloseBracket)}}, "ctrl+]"},
	{"ctrl+d", []press{{0, key(tea.KeyCtrlD)}}, "ctrl+d"},
	{"backspace overtakes nothing", []press{{0, runes("a")}, {5 * ms, key(tea.KeyBackspace)}}, "a backspace"},
	{"arrow overtakes nothing", []press{{0, runes("a")}, {5 * ms, key(tea.KeyUp)}, {6 * ms, runes("b")}}, "a up b"},
	{"alt", []press{{0, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x"), Alt: true}}}, "alt+x"},
	{"enter after a scan", append(typed(0, 2*ms, gtin+"\r"), press{400 * ms, key(tea.KeyEnter)}), "[" + gtin + "] enter"},
	{"ctrl+c after a scan", append(typed(0, 2*ms, gtin+"\r"), press{400 * ms, key(tea.KeyCtrlC)}), "[" + gtin + "] ctrl+c"},
	{"quantity, then scan", append(typed(0, 80*ms, "12"), typed(200*ms, 2*ms, gtin+"\r")...), "1 2 [" + gtin + "]"},
	{"scan, then quantity", append(typed(0, 2*ms, gtin+"\r"), typed(300*ms, 80*ms, "12\r")...), "[" + gtin + "] 1 2 enter"},
	{"key ends a scan", append(typed(0, 2*ms, gtin), press{40 * ms, key(tea.KeyF2)}), "[" + gtin + "] f2"},

	// Slow connections.
	{"esc", []press{{0, key(tea.KeyEsc)}}, "esc"},
	{"esc twice", []press{{0, key(tea.KeyEsc)}, {20 * ms, key(tea.KeyEsc)}}, "esc esc"},
	{"esc twice at once", []press{{0, tea.KeyMsg{Type: tea.KeyEsc, Alt: true}}}, "esc esc"},
	{"split arrow", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("[A")}}, "up"},
	{"split arrow, three pieces", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("[")}, {40 * ms, runes("B")}}, "down"},
	{"split after the bracket", []press{{0, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("["), Alt: true}}, {20 * ms, runes("C")}}, "right"},
	{"two split arrows", []press{{0, key(tea.KeyEsc)}, {10 * ms, runes("[A")}, {20 * ms, key(tea.KeyEsc)}, {30 * ms, runes("[D")}}, "up left"},
	{"application arrow", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("OB")}}, "down"},
	{"split page key", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("[5~")}}, "pgup"},
	{"split function key", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("[15~")}}, "f5"},
	{"split F1", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("OP")}}, "f1"},
	{"split with ctrl", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("[1;5A")}}, "ctrl+up"},
	{"split shift+tab", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("[Z")}}, "shift+tab"},
	{"arrow and more", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("[Ax")}}, "up x"},
	{"esc, later a bracket", []press{{0, key(tea.KeyEsc)}, {80 * ms, runes("[")}, {200 * ms, runes("A")}}, "esc [ A"},
	{"esc, then a letter", []press{{0, key(tea.KeyEsc)}, {20 * ms, runes("x")}}, "esc x"},
	{"esc, then a scan", append([]press{{0, key(tea.KeyEsc)}}, typed(20*ms, 2*ms, gtin+"\r")...), "esc [" + gtin + "]"},
	{"split arrow, then a scan", append([]press{{0, key(tea.KeyEsc)}, {8 * ms, runes("[B")}}, typed(16*ms, 2*ms, gtin+"\r")...), "down [" + gtin + "]"},
	{"scan, then a split arrow", append(typed(0, 2*ms, gtin), press{40 * ms, key(tea.KeyEsc)}, press{50 * ms, runes("[A")}), "[" + gtin + "] up"},
	{"scan and alt+[", append(typed(0, 2*ms, gtin+"\r"), press{60 * ms, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("["), Alt: true}}), "[" + gtin + "] alt+["},
}

func TestCollector_Timings(t *testing.T) {
	t.Parallel()
	for _, c := range timings {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, strings.Join(names(play(c.keys, 0)), " "))
			require.Equal(t, c.want, strings.Join(names(play(c.keys, 4*ms)), " "), "with late ticks")
		})
	}
}

// A code may arrive in pieces, over a slow connection or from a program. The pieces of a GS1 code
// are one scan, wherever it is cut and also if the separator is a piece of its own. What is cut
// before it can be told to be a GS1 code is not lost either.
func TestCollector_PiecesAreOneCode(t *testing.T) {
	t.Parallel()
	const misread = "09521234543214" // the check digit is wrong
	for _, gap := range []time.Duration{10 * ms, 60 * ms, 150 * ms} {
		for _, start := range []string{"01" + gtin, "]C101" + gtin, "\x1d01" + gtin, "01" + misread} {
			text := start + "10AB\x1d3012"
			for i := 4; i < len(text); i++ {
				for j := i + 1; j < len(text); j++ {
					pieces := []press{{0, runes(text[:i])}}
					pieces = append(pieces, typed(gap, 0, text[i:j])...)
					pieces = append(pieces, typed(2*gap, 0, text[j:]+"\r")...)
					got := strings.Join(names(play(pieces, 0)), " ")
					if gap < 50*ms || i >= len("01"+gtin) || start[0] != '0' {
						require.Equal(t, "["+strings.TrimPrefix(text, "]C1")+"]", got, "%s: %q %q", gap, text[:i], text[i:j])
					}
				}
			}
		}
	}
}

// The rest of a label must not become a lot or a quantity of what is being counted.
func TestCollector_WaitsForTheRestOfAMisreadLabel(t *testing.T) {
	t.Parallel()
	const misread = "0109521234543214" // the check digit is wrong
	pieces := append([]press{{0, runes(misread)}}, typed(400*ms, 0, "10AB\x1d17270601\r")...)
	require.Equal(t, []string{"[" + misread + "10AB\x1d17270601]"}, names(play(pieces, 0)))
}

func TestCollector_DecidesEveryKeyInTime(t *testing.T) {
	t.Parallel()
	c, clock := newCollector()
	step := c.Key(runes("7"))
	require.Empty(t, step.Events)
	require.Equal(t, 35*ms, step.Wait)
	require.True(t, c.Pending())
	*clock = clock.Add(step.Wait)
	step = c.Tick()
	require.Len(t, step.Events, 1)
	require.Nil(t, step.Events[0].Scan)
	require.Zero(t, step.Wait)
	require.False(t, c.Pending())
}

func TestCollector_OneTickAtATime(t *testing.T) {
	t.Parallel()
	c, clock := newCollector()
	requested := 0
	for _, r := range gtin {
		if c.Key(runes(string(r))).Wait > 0 {
			requested++
		}
		*clock = clock.Add(2 * ms)
	}
	require.Equal(t, 1, requested)
	*clock = clock.Add(5 * ms)
	early := c.Tick()
	require.Empty(t, early.Events, "the code ends 50 ms after its last character")
	require.Equal(t, 43*ms, early.Wait)
}

// codesAndEnters returns the codes of scans and the number of a person's enters.
func codesAndEnters(events []scan.Event) (codes []string, enters int) {
	for _, e := range events {
		switch {
		case e.Scan != nil:
			codes = append(codes, e.Scan.Text)
		case e.Key.Type == tea.KeyEnter && !e.Late:
			enters++
		}
	}
	return codes, enters
}

// The program does not get to run for a while, before the tick that is due or before the enter.
func TestCollector_LateEnterBelongsToTheScan(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{60 * time.Millisecond, 300 * time.Millisecond, 1500 * time.Millisecond} {
		c, clock := newCollector()
		var events []scan.Event
		for _, p := range typed(0, time.Millisecond, "OAT-1L") {
			*clock = start.Add(p.at)
			events = append(events, c.Key(p.key).Events...)
		}
		*clock = start.Add(late) // the due tick has not come
		events = append(events, c.Key(key(tea.KeyEnter)).Events...)
		events = append(events, c.Tick().Events...)
		codes, enters := codesAndEnters(events)
		require.Equal(t, []string{"OAT-1L"}, codes, late)
		require.Zero(t, enters, late)

		c, clock = newCollector()
		events = nil
		for _, p := range typed(0, time.Millisecond, "OAT-1L") {
			*clock = start.Add(p.at)
			events = append(events, c.Key(p.key).Events...)
		}
		*clock = start.Add(late + 50*time.Millisecond) // the tick comes late
		events = append(events, c.Tick().Events...)
		*clock = start.Add(late + 100*time.Millisecond) // and so does enter
		events = append(events, c.Key(key(tea.KeyEnter)).Events...)
		codes, enters = codesAndEnters(events)
		require.Equal(t, []string{"OAT-1L"}, codes, late)
		require.Zero(t, enters, late)
	}
}

// A person presses a key immediately after a scan, then enter.
func TestCollector_EnterAfterAnotherKeyIsAPersons(t *testing.T) {
	t.Parallel()
	for _, between := range []tea.KeyMsg{key(tea.KeyF4), runes("+")} {
		scanned := append(typed(0, time.Millisecond, "OAT-1L"), press{7 * time.Millisecond, key(tea.KeyEnter)})
		events := play(append(scanned, press{40 * time.Millisecond, between}, press{90 * time.Millisecond, key(tea.KeyEnter)}), 0)
		codes, enters := codesAndEnters(events)
		require.Equal(t, []string{"OAT-1L"}, codes)
		require.Equal(t, 1, enters)
	}
}

// Keys at a person's pace are emitted as they were pressed.
func TestCollector_LosesNoKey(t *testing.T) {
	t.Parallel()
	pressed := []tea.KeyMsg{
		runes("a"), runes("7"), runes("/"), runes("["), keyFor(' '), key(tea.KeyEnter), key(tea.KeyTab),
		key(tea.KeyEsc), key(tea.KeyBackspace), key(tea.KeyCtrlC), key(tea.KeyCtrlB), key(tea.KeyUp),
		key(tea.KeyCtrlCloseBracket), key(tea.KeyCtrlD), key(tea.KeyF5),
		{Type: tea.KeyRunes, Runes: []rune{'['}, Alt: true},
	}
	rapid.Check(t, func(t *rapid.T) {
		var keys []press
		var want []string
		at := time.Duration(0)
		for range rapid.IntRange(1, 30).Draw(t, "keys") {
			k := rapid.SampledFrom(pressed).Draw(t, "key")
			keys = append(keys, press{at, k})
			want = append(want, k.String())
			at += time.Duration(rapid.IntRange(51, 400).Draw(t, "gap")) * ms
		}
		late := time.Duration(rapid.IntRange(0, 30).Draw(t, "late")) * ms
		require.Equal(t, want, names(play(keys, late)))
	})
}

// At any timing every character is emitted once and in order, in a key or in a scan.
func TestCollector_KeepsOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var keys []press
		var want strings.Builder
		at := time.Duration(0)
		for i := range rapid.IntRange(1, 60).Draw(t, "keys") {
			// Different letters never make the same code twice, which would be one scan.
			text := string(rune('a' + i%26))
			if rapid.Bool().Draw(t, "several") {
				text += strings.ToUpper(text)
			}
			keys = append(keys, press{at, runes(text)})
			want.WriteString(text)
			at += time.Duration(rapid.SampledFrom([]int{0, 1, 2, 10, 30, 35, 36, 49, 50, 51, 200}).Draw(t, "gap")) * ms
			if rapid.IntRange(0, 9).Draw(t, "other") == 0 {
				keys = append(keys, press{at, rapid.SampledFrom([]tea.KeyMsg{key(tea.KeyEnter), key(tea.KeyUp), key(tea.KeyEsc), key(tea.KeyCtrlB), key(tea.KeyCtrlC)}).Draw(t, "key")})
			}
		}
		late := time.Duration(rapid.IntRange(0, 30).Draw(t, "late")) * ms
		var got strings.Builder
		for _, e := range play(keys, late) {
			switch {
			case e.Scan != nil:
				got.WriteString(e.Scan.Raw)
			case e.Key.Type == tea.KeyRunes:
				got.WriteString(string(e.Key.Runes))
			}
		}
		require.Equal(t, want.String(), got.String())
	})
}

// listener is a program that only collects.
type listener struct {
	play   func(tea.KeyMsg) []string
	events []string
}

func (l *listener) Init() tea.Cmd { return nil }

func (l *listener) View() string { return "" }

func (l *listener) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		l.events = append(l.events, l.play(k)...)
		if k.Type == tea.KeyF10 {
			return l, tea.Quit
		}
	}
	return l, nil
}

// TestCollector_BytesOfAProgram sends bytes through Bubble Tea's reader, which decides what becomes
// one message. The clock does not move, so all keys come at the same time.
func TestCollector_BytesOfAProgram(t *testing.T) {
	t.Parallel()
	const f10 = "\x1b[21~"
	for name, c := range map[string]struct {
		bytes string
		want  []string
	}{
		"separator":     {"]C10109506000134352" + "10AB C\x1d3012\r", []string{"[0109506000134352" + "10AB C\x1d3012]", "f10"}},
		"framed":        {"\x02q/LOC-1\x03\r\n", []string{"[q/LOC-1]", "f10"}},
		"CR LF":         {"LOC-1\r\nLOC-2\r\n", []string{"[LOC-1]", "[LOC-2]", "f10"}},
		"paste":         {"\x1b[200~10A\x1d3012\r\x1b[201~", []string{"[10A\x1d3012]", "f10"}},
		"whole arrow":   {"\x1b[A", []string{"up", "f10"}},
		"scan and move": {"LOC-1\x1b[B", []string{"[LOC-1]", "down", "f10"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			collector, _ := newCollector()
			l := &listener{play: func(k tea.KeyMsg) []string { return names(collector.Key(k).Events) }}
			in := bytes.NewBufferString(c.bytes + f10)
			_, err := tea.NewProgram(l, tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithoutSignals()).Run()
			require.NoError(t, err)
			require.Equal(t, c.want, l.events)
		})
	}
}

// press is a key at a time after start.
type press struct {
	at  time.Duration
	key tea.KeyMsg
}

func key(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func pasted(s string) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}
}

// keyFor returns the key that a program reads from a byte.
func keyFor(r rune) tea.KeyMsg {
	switch {
	case r == ' ':
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	case r < ' ':
		return key(tea.KeyType(r))
	}
	return runes(string(r))
}

// typed returns the presses of a text from a time on, with a gap between characters. More pairs of
// time and text use the same gap.
func typed(from, gap time.Duration, text string, more ...any) []press {
	var keys []press
	for i, r := range []rune(text) {
		keys = append(keys, press{from + time.Duration(i)*gap, keyFor(r)})
	}
	for ; len(more) > 1; more = more[2:] {
		keys = append(keys, typed(more[0].(time.Duration), gap, more[1].(string))...)
	}
	return keys
}

var start = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// newCollector returns a collector on a clock that only the test moves.
func newCollector() (*scan.Collector, *time.Time) {
	clock := start
	return scan.NewCollector(func() time.Time { return clock }), &clock
}

// play presses keys like a program: it sends the requested ticks, late by delay.
func play(keys []press, delay time.Duration) []scan.Event {
	c, clock := newCollector()
	var events []scan.Event
	var ticks []time.Time
	record := func(s scan.Step) {
		events = append(events, s.Events...)
		if s.Wait > 0 {
			ticks = append(ticks, clock.Add(s.Wait+delay))
		}
	}
	until := func(t time.Time) {
		for len(ticks) > 0 {
			next := 0
			for i := range ticks {
				if ticks[i].Before(ticks[next]) {
					next = i
				}
			}
			if ticks[next].After(t) {
				return
			}
			*clock = ticks[next]
			ticks = append(ticks[:next], ticks[next+1:]...)
			record(c.Tick())
		}
	}
	for _, p := range keys {
		until(start.Add(p.at - 1))
		*clock = start.Add(p.at)
		record(c.Key(p.key))
	}
	until(start.Add(time.Hour))
	return events
}

// names returns events as names of keys and texts of scans in brackets.
func names(events []scan.Event) []string {
	var all []string
	for _, e := range events {
		if e.Scan != nil {
			all = append(all, "["+e.Scan.Text+"]")
		} else {
			name := e.Key.String()
			if e.Late {
				name = "late " + name
			}
			all = append(all, name)
		}
	}
	return all
}
