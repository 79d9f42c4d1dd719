package plain_test

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/plain"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
)

// echoScreen is a screen that shows its scans.
type echoScreen struct {
	codes []string
	busy  bool
}

func (e *echoScreen) Init(tui.Env) tea.Cmd                 { return nil }
func (e *echoScreen) Update(tea.Msg) (tui.Screen, tea.Cmd) { return e, nil }
func (e *echoScreen) View(tui.Size) string                 { return "" }
func (e *echoScreen) Title() string                        { return "Ear" }
func (e *echoScreen) Actions() []tui.Action                { return nil }
func (e *echoScreen) Speech() tui.Speech {
	return tui.Speech{Feed: e.codes, FeedCount: len(e.codes), Question: "scan"}
}

func (e *echoScreen) OnScan(s scan.Scan) tea.Cmd {
	e.codes = append([]string{strings.ReplaceAll(s.Raw, "\x1d", "<GS>")}, e.codes...)
	return nil
}

// run sends input to a shell with one screen and returns the output.
func run(t *testing.T, input string, change ...func(*plain.Options)) (string, error) {
	t.Helper()
	var out strings.Builder
	reg := tui.NewRegistry().Add("ear", "Ear", func(tui.Env) (tui.Screen, error) { return &echoScreen{}, nil })
	opts := plain.Options{Shell: shell.Options{Registry: reg, NoSignals: true}, In: strings.NewReader(input), Out: &out, Echo: plain.EchoLines}
	for _, c := range change {
		c(&opts)
	}
	err := plain.Run(t.Context(), opts)
	return out.String(), err
}

func TestRun_LineEndsAndFrames(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		input string
		want  []string
	}{
		"LF":                        {"AAA1\nBBB2\n", []string{"AAA1", "BBB2"}},
		"CR":                        {"AAA1\rBBB2\r", []string{"AAA1", "BBB2"}},
		"CR LF is one line end":     {"AAA1\r\nBBB2\r\n", []string{"AAA1", "BBB2"}},
		"CR without LF":             {"AAA1\r", []string{"AAA1"}},
		"no end of the last line":   {"AAA1\nBBB2", []string{"AAA1", "BBB2"}},
		"STX and ETX":               {"\x02AAA1\x03\x02BBB2\x03", []string{"AAA1", "BBB2"}},
		"frames with line ends":     {"\x02AAA1\x03\r\n\x02BBB2\x03\r\n", []string{"AAA1", "BBB2"}},
		"a frame after half a line": {"AAA1\x02BBB2\x03", []string{"AAA1", "BBB2"}},
		"separators are kept":       {"]C110L42\x1d21SN\n", []string{"]C110L42<GS>21SN"}},
		"a framed word is a scan":   {"\x02back\x03", []string{"back"}},
		"scan with separators":      {"scan ]C110L42\x1d21SN\n", []string{"]C110L42<GS>21SN"}},
		"a framed scan word":        {"\x02scan AAA1\x03", []string{"scan AAA1"}},
		"an escaped word is a scan": {"=back\n", []string{"back"}},
		"telnet's NUL after CR":     {"AAA1\r\x00BBB2\r\x00", []string{"AAA1", "BBB2"}},
		"arrow keys are dropped":    {"AA\x1b[AA1\x1bOP\nBBB2\n", []string{"AAA1", "BBB2"}},
		"backspace":                 {"AAAé\x7f1\n", []string{"AAA1"}},
		"ETX alone is not a scan":   {"\x03AAA1\n", []string{"AAA1"}},
		"invalid UTF-8":             {"A\xff1\n", []string{"A�1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := run(t, x.input)
			require.NoError(t, err)
			var got []string
			for _, l := range strings.Split(out, "\n") {
				if text, ok := strings.CutPrefix(l, "ok  "); ok {
					got = append(got, text)
				}
			}
			require.Equal(t, x.want, got, out)
			require.NotContains(t, out, "\x1b")
		})
	}
}

func TestRun_RejectsLongLines(t *testing.T) {
	t.Parallel()
	out, err := run(t, strings.Repeat("A", 5000)+"\nBBB2\n")
	require.NoError(t, err)
	require.Contains(t, out, "Too much text")
	require.Equal(t, 1, strings.Count(out, "ok  "))
}

func TestRun_TwoInterruptsQuit(t *testing.T) {
	t.Parallel()
	out, err := run(t, "\x03\x03AAA1\n")
	require.NoError(t, err)
	require.Contains(t, out, "again to quit")
	require.NotContains(t, out, "ok  AAA1")
}

func TestRun_EchoRaw(t *testing.T) {
	t.Parallel()
	out, err := run(t, "AAA1\rquit\r", func(o *plain.Options) { o.Echo = plain.EchoRaw })
	require.NoError(t, err)
	require.Contains(t, out, "AAA1\r\n")
	require.Contains(t, out, "ok  AAA1\r\n")
	require.NotContains(t, strings.ReplaceAll(out, "\r\n", ""), "\n")
}

// slowScreen is an echoScreen that is busy after each scan, as if it submitted.
type slowScreen struct{ echoScreen }

type scannedMsg struct{ scan scan.Scan }

func (s *slowScreen) Busy() bool { return s.busy }
func (s *slowScreen) OnScan(x scan.Scan) tea.Cmd {
	s.busy = true
	return func() tea.Msg { <-time.After(20 * time.Millisecond); return scannedMsg{x} }
}

func (s *slowScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if m, ok := msg.(scannedMsg); ok {
		s.busy = false
		s.echoScreen.OnScan(m.scan)
	}
	return s, nil
}

func TestRun_BusyScreenKeepsScanOrder(t *testing.T) {
	t.Parallel()
	reg := tui.NewRegistry().Add("ear", "Ear", func(tui.Env) (tui.Screen, error) { return &slowScreen{}, nil })
	for _, interactive := range []bool{false, true} {
		out, err := run(t, "AAA1\nBBB2\nCCC3\nDDD4\n", func(o *plain.Options) { o.Shell.Registry, o.Interactive = reg, interactive })
		require.NoError(t, err)
		for _, code := range []string{"AAA1", "BBB2", "CCC3", "DDD4"} {
			require.Contains(t, out, "ok  "+code)
		}
		require.Less(t, strings.Index(out, "ok  AAA1"), strings.Index(out, "ok  DDD4"))
	}
}

// lateScreen notes the times of its scans. The first one takes until all input was read, and
// two seconds more.
type lateScreen struct {
	echoScreen
	env  tui.Env
	read chan struct{} // closed at the end of the input
	late atomic.Int64
	at   []time.Time
}

func (s *lateScreen) now() time.Time         { return tuitest.Noon.Add(time.Duration(s.late.Load())) }
func (s *lateScreen) Init(e tui.Env) tea.Cmd { s.env = e; return nil }
func (s *lateScreen) OnScan(scan.Scan) tea.Cmd {
	if s.at = append(s.at, s.env.Now()); len(s.at) > 1 {
		return nil
	}
	return func() tea.Msg { <-s.read; s.late.Store(int64(2 * time.Second)); return nil }
}

// endReader closes ended when it has read everything.
type endReader struct {
	io.Reader
	ended chan struct{}
}

func (r *endReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil {
		close(r.ended)
	}
	return n, err
}

// A line that waits for the work of the line before has the time when it arrived.
func TestRun_LinesKeepTheTimeOfTheirArrival(t *testing.T) {
	t.Parallel()
	s := &lateScreen{read: make(chan struct{})}
	_, err := run(t, "AAA1\nBBB2\n", func(o *plain.Options) {
		o.In, o.Shell.Now = &endReader{o.In, s.read}, s.now
		o.Shell.Registry = tui.NewRegistry().Add("ear", "Ear", func(tui.Env) (tui.Screen, error) { return s, nil })
	})
	require.NoError(t, err)
	require.Equal(t, []time.Time{tuitest.Noon, tuitest.Noon}, s.at)
	require.Equal(t, 2*time.Second, s.now().Sub(tuitest.Noon))
}

// counter is a screen that counts numbers and asks for damaged ones.
type counter struct {
	t        *i18n.Translator
	question widget.Question
	count    int
	damaged  int
	posted   int
	review   bool
}

func (c *counter) Init(env tui.Env) tea.Cmd     { c.t = env.T; return nil }
func (c *counter) View(tui.Size) string         { return "" }
func (c *counter) Title() string                { return "Counter" }
func (c *counter) AcceptsKey(k tea.KeyMsg) bool { return c.question.AcceptsKey(k) }
func (c *counter) Speech() tui.Speech {
	return tui.Speech{Facts: []string{"now " + strconv.Itoa(c.count)}, Question: "number", Numbers: !c.review, Enter: c.review}
}

func (c *counter) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		if text, done := c.question.Key(k); done {
			c.count, _ = strconv.Atoi(text)
		}
	}
	return c, nil
}

func (c *counter) Actions() []tui.Action {
	return []tui.Action{
		{ID: "panel.record", Key: "enter", Label: c.t.Get("record"), Run: func() tea.Cmd { c.posted++; return nil }},
		{ID: "panel.all", Key: "+", Label: "all 24", Short: "all", Help: "Count everything", Run: func() tea.Cmd { c.count = 24; return nil }},
		{ID: "fulfill.all", Key: "f10", Label: "all lines", Short: "all", Help: "Count every line", Run: func() tea.Cmd { c.count = 42; return nil }},
		{ID: "panel.review", Label: "review", Run: func() tea.Cmd { c.review = true; return nil }},
		{ID: "panel.reload", Label: "refresh", Run: func() tea.Cmd { return nil }},
		{ID: "panel.damaged", Key: "f4", Label: "damaged", Disabled: func() string {
			if c.count == 0 {
				return "Nothing is counted yet"
			}
			return ""
		}, Run: func() tea.Cmd {
			return tui.Prompt(tui.Request{Text: "How many are damaged?", Check: func(text string) error {
				n, err := strconv.Atoi(text)
				switch {
				case err != nil:
					return errors.New(text + " is not a quantity")
				case n > c.count:
					return errors.New(text + " damaged is more than counted")
				}
				c.damaged = n
				return nil
			}})
		}},
	}
}

func runCounter(t *testing.T, input, language string) (*counter, string) {
	t.Helper()
	c := &counter{question: widget.Number("?")}
	out, err := run(t, input, func(o *plain.Options) {
		o.Shell.Translator = tuitest.Language(t, language)
		o.Shell.Registry = tui.NewRegistry().Add("counter", "Counter", func(tui.Env) (tui.Screen, error) { return c, nil })
	})
	require.NoError(t, err)
	return c, out
}

func TestLine_RefusedCommandDropsItsNumber(t *testing.T) {
	t.Parallel()
	c, out := runCounter(t, "damaged 2\n", "en")
	require.Contains(t, out, "Nothing is counted yet")
	require.Zero(t, c.count, out)

	c, out = runCounter(t, "24\ndamaged 99\ndamaged 2\n", "en")
	require.Contains(t, out, "no  99 damaged is more than counted.")
	require.NotContains(t, out, "is not a quantity")
	require.Equal(t, 2, c.damaged, out)

	_, out = runCounter(t, "24\ndamaged\nx\nback\n", "en")
	require.Contains(t, out, "no  x is not a quantity. Type it again, or \"back\".")
}

func TestLine_EnterPostsWhereThePromptSaysSo(t *testing.T) {
	t.Parallel()
	c, out := runCounter(t, "\n\nreview\n\n", "en")
	require.Equal(t, 1, c.posted, out)
}

func TestHelp_NamesEachActionByAWordThatRunsIt(t *testing.T) {
	t.Parallel()
	c, out := runCounter(t, "help\nall lines\n", "en")
	require.Contains(t, out, "  all: Count everything\n")
	require.Contains(t, out, "  all lines: Count every line\n")
	require.Contains(t, out, "  reload: Refresh\n")
	require.Equal(t, 42, c.count)
}

func TestLine_German(t *testing.T) {
	t.Parallel()
	c, out := runCounter(t, "hilfe\n5\ndamaged\nx\nzurück\nbuchen\nbeenden\n", "de")
	require.Contains(t, out, "  buchen, record: ")
	require.Contains(t, out, "Fehler: x is not a quantity. Erneut eingeben oder \"zurück\".")
	require.Contains(t, out, "zurück: diese Ansicht verlassen")
	require.Equal(t, 1, c.posted, out)
}
