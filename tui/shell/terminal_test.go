package shell_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/tui/widget"
)

// TestMain runs the test binary as the program of a terminal too.
func TestMain(m *testing.M) {
	if dir := os.Getenv("BINCARD_TEST_SESSION"); dir != "" {
		os.Exit(session(dir))
	}
	os.Exit(m.Run())
}

// session runs a session on the terminal of the process.
func session(dir string) int {
	file, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return 3
	}
	r := registry().Add("torn", "Torn", func(tui.Env) (tui.Screen, error) { return panickingScreen{}, nil })
	colors, err := widget.NewTheme("dark", os.Stdout, os.Environ())
	if err != nil {
		return 3
	}
	err = shell.Run(context.Background(), shell.Options{Registry: r, Theme: colors, Start: []string{os.Getenv("BINCARD_TEST_ROUTE")},
		Drafts: drafts.InFolder(filepath.Join(dir, "drafts")), Session: filepath.Join(dir, "session"), Restore: true,
		Log: slog.New(slog.NewTextHandler(file, nil)), Status: status(), ShowIdle: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// panickingScreen panics when it is painted.
type panickingScreen struct{}

func (panickingScreen) Init(tui.Env) tea.Cmd                   { return nil }
func (s panickingScreen) Update(tea.Msg) (tui.Screen, tea.Cmd) { return s, nil }
func (panickingScreen) View(tui.Size) string                   { panic("torn to pieces") }
func (panickingScreen) Title() string                          { return "Torn" }
func (panickingScreen) Actions() []tui.Action                  { return nil }

// ptyTerminal is a terminal with a session on it. It does not answer queries.
type ptyTerminal struct {
	t      *testing.T
	dir    string
	cmd    *exec.Cmd
	screen *os.File
	line   *os.File
	before *term.State
	seen   strings.Builder
}

func newPTYTerminal(t *testing.T, route string) *ptyTerminal {
	t.Helper()
	screen, line, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() { screen.Close(); line.Close() })
	require.NoError(t, pty.Setsize(screen, &pty.Winsize{Rows: 24, Cols: 80}))
	s := &ptyTerminal{t: t, dir: t.TempDir(), screen: screen, line: line}
	s.before, err = term.GetState(int(line.Fd()))
	require.NoError(t, err)
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Env = append(os.Environ(), "BINCARD_TEST_SESSION="+s.dir, "BINCARD_TEST_ROUTE="+route, "TERM=xterm-256color")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = line, line, line
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { s.cmd.Process.Kill() })
	return s
}

// waitFor reads the output of the program until it contains the text.
func (s *ptyTerminal) waitFor(text string) {
	s.t.Helper()
	buf := make([]byte, 4096)
	for !strings.Contains(s.seen.String(), text) {
		n, err := s.screen.Read(buf)
		require.NoError(s.t, err, "before %q came: %s", text, s.seen.String())
		s.seen.Write(buf[:n])
	}
}

// end waits for the program and requires that it restored the terminal.
func (s *ptyTerminal) end() (code int) {
	s.t.Helper()
	go func() { // a program whose output nobody reads could block
		buf := make([]byte, 4096)
		for {
			if _, err := s.screen.Read(buf); err != nil {
				return
			}
		}
	}()
	_ = s.cmd.Wait()
	after, err := term.GetState(int(s.line.Fd()))
	require.NoError(s.t, err)
	require.Equal(s.t, s.before, after, "the terminal is not as it was")
	return s.cmd.ProcessState.ExitCode()
}

func TestRun_DoesNotQueryTheTerminal(t *testing.T) {
	t.Parallel()
	s := newPTYTerminal(t, "receive/PO-1")
	s.waitFor("Scan a box, a piece")
	require.NotContains(t, s.seen.String(), "\x1b]11;?", "asked for the background")
	require.NotContains(t, s.seen.String(), "\x1b[6n", "asked for the cursor")
	_, err := s.screen.WriteString("\x11")
	require.NoError(t, err)
	require.Zero(t, s.end())
}

func TestRun_HangupSavesDraftsAndRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		s := newPTYTerminal(t, "receive/PO-1")
		s.waitFor("Scan a box, a piece")
		_, err := s.screen.WriteString("BOX-1\r")
		require.NoError(t, err)
		s.waitFor("book 12")
		require.NoError(t, s.cmd.Process.Signal(signal))
		require.Zero(t, s.end())
		data, ok, err := drafts.InFolder(filepath.Join(s.dir, "drafts")).Load("receive/PO-1", "")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, "12", string(data.Data))
		open, err := os.ReadFile(filepath.Join(s.dir, "session"))
		require.NoError(t, err)
		require.Equal(t, "home\nreceive/PO-1", string(open))
	}
}

func TestRun_PanicInViewRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	s := newPTYTerminal(t, "torn")
	require.Equal(t, 1, s.end())
	log, err := os.ReadFile(filepath.Join(s.dir, "log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "torn to pieces")
	require.Contains(t, string(log), "terminal_test.go")
}

func TestRun_Job(t *testing.T) {
	t.Parallel()
	p := tuitest.Start(t, shell.Options{Registry: registry(), Status: status(), ShowIdle: true})
	p.WaitFor("1 Receive")
	p.Input("1")
	p.WaitFor("Receive › PO-1")
	for _, code := range []string{"BOX-1\r", "BOX-2\r\n", "\x02BOX-3\x03\r", "]C1BOX-4\r"} {
		p.Input(code)
		p.WaitIdle()
	}
	p.WaitFor("book 48")
	p.WaitFor(shell.IdleMark)
	p.Input("\x1b[B") // after another key, enter is not one right after a scan
	p.Input("\r")
	p.WaitFor("booked 48")
	p.Size(20, 16)
	p.Input("\x1b")
	p.Until("is home again", func(l shell.Capture) bool { return l.Route == "home" })
	p.Input("\x11")
	require.NoError(t, p.WaitEnd())
}

func TestRun_TwentyScansAtOnce(t *testing.T) {
	t.Parallel()
	p := tuitest.Start(t, shell.Options{Registry: registry(), Start: []string{"receive/PO-1"}})
	p.WaitFor("Scan a box")
	for i := range 20 {
		p.Input("BOX-" + string(rune('A'+i)) + "\r")
	}
	p.WaitFor("book 240")
}

// recorder records the output to a terminal.
type recorder struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *recorder) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// since returns what was written after the first n bytes.
func (w *recorder) since(n int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()[n:]
}

func (w *recorder) shows(t *testing.T, text string, from int) int {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(ansi.Strip(w.since(from)), text) },
		30*time.Second, time.Millisecond, "%q was not painted", text)
	return len(w.since(0))
}

// start starts a program on a long list and moves to its second row. Later frames
// have the size that the program received after its start.
func (w *recorder) start(t *testing.T) (p *tuitest.Program, painted int) {
	t.Helper()
	p = tuitest.Start(t, shell.Options{Registry: tui.NewRegistry().Add("home", "Home", longList), Output: w})
	p.Input("\x1b[B")
	return p, w.shows(t, "▸ OAT-1 ", 0)
}

func TestRenderer_PaintsChangedLines(t *testing.T) {
	t.Parallel()
	w := &recorder{}
	p, n := w.start(t)
	p.Input("\x1b[B")
	w.shows(t, "▸ OAT-2 ", n)
	require.NotContains(t, ansi.Strip(w.since(n)), "OAT-5 ")
	require.NotContains(t, ansi.Strip(w.since(n)), "quit", "the footer did not change")
}

func TestRenderer_RepaintsAfterResize(t *testing.T) {
	t.Parallel()
	w := &recorder{}
	p, n := w.start(t)
	p.Size(80, 24) // the same size, but possibly another terminal
	w.shows(t, "OAT-5 ", n)
}

// TestRenderer_StopsWithTheAlternateScreen ends sessions while their frames keep changing.
func TestRenderer_StopsWithTheAlternateScreen(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := &recorder{}
		in, keys := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- shell.Run(ctx, shell.Options{Registry: tui.NewRegistry().Add("home", "Home", longList),
				Input: in, Output: w, NoSignals: true, FPS: 1000})
		}()
		n := w.shows(t, "▸ OAT-0 ", 0)
		go func() {
			for {
				if _, err := io.WriteString(keys, "\x1b[B"); err != nil {
					return
				}
			}
		}()
		w.shows(t, "▸ OAT-", n)
		cancel()
		require.NoError(t, <-ended)
		keys.Close()
		_, after, left := strings.Cut(w.since(0), "\x1b[?1049l")
		require.True(t, left)
		require.Empty(t, strings.TrimSpace(ansi.Strip(after)))
	}
}

// longScreen is a screen with a long list.
type longScreen struct {
	env  tui.Env
	list widget.List[int]
}

func (l *longScreen) Init(env tui.Env) tea.Cmd { l.env = env; return nil }
func (l *longScreen) Title() string            { return "Movements" }
func (l *longScreen) Actions() []tui.Action    { return nil }
func (l *longScreen) View(s tui.Size) string   { return l.list.View(l.env.Theme, s.Width, s.Height) }
func (l *longScreen) OnScan(scan.Scan) tea.Cmd { return tui.Accepted() }

func (l *longScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok {
		l.list.Key(k)
	}
	return l, nil
}

func longList(tui.Env) (tui.Screen, error) {
	l := &longScreen{list: widget.NewList(func(i int) string { return fmt.Sprint(i) },
		widget.Column[int]{Title: "sku", Cell: func(i int) string { return fmt.Sprintf("OAT-%d", i) }},
		widget.Column[int]{Title: "operation", Width: 17, Rank: 1, Cell: func(int) string { return "inbound_receive" }},
		widget.Column[int]{Title: "after", Width: 9, Right: true, Cell: func(i int) string { return i18n.New(i18n.Language{}).Count(int64(i)) }})}
	rows := make([]int, 100_000)
	for i := range rows {
		rows[i] = i
	}
	l.list.SetRows(rows)
	return l, nil
}

// BenchmarkKeyToView measures from a key to the painted screen, with 100,000 rows.
func BenchmarkKeyToView(b *testing.B) {
	d := tuitest.Screen(b, longList)
	d.Size(200, 60)
	down := tea.KeyMsg{Type: tea.KeyDown}
	b.ReportAllocs()
	for b.Loop() {
		d.Send(down)
		d.Painted()
	}
}
