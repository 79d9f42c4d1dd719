package shell_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"
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
	colors, err := theme.New("dark", os.Stdout, os.Environ())
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
