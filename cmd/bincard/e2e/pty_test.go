package e2e_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"bincard/server/api"
	"bincard/server/ledger"
)

// A ptyTerminal runs the program on a bare pseudo-terminal.
type ptyTerminal struct {
	t       testing.TB
	cmd     *exec.Cmd
	master  *os.File
	slave   *os.File
	before  *term.State
	started time.Time

	mu     sync.Mutex
	seen   strings.Builder
	notify chan struct{} // receives after new output
	exited chan struct{} // closed after the program's last output
}

// afterExit is written to the terminal when the program has exited.
const afterExit = "\x00the program has exited\x00"

// answers maps terminal queries to the responses of a terminal.
var answers = map[string]string{
	"\x1b]11;?": "\x1b]11;rgb:0000/0000/0000\x1b\\",
	"\x1b]10;?": "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
	"\x1b[6n":   "\x1b[1;1R",
	"\x1b[c":    "\x1b[?62;c",
}

// openLine starts the program on a terminal of 80x24, which responds to queries if
// answering is set.
func (h *machine) openLine(answering bool, args ...string) *ptyTerminal {
	h.t.Helper()
	master, slave, err := pty.Open()
	require.NoError(h.t, err)
	require.NoError(h.t, pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80}))
	l := &ptyTerminal{t: h.t, master: master, slave: slave, notify: make(chan struct{}, 1), exited: make(chan struct{})}
	l.before, err = term.GetState(int(slave.Fd()))
	require.NoError(h.t, err)
	l.cmd = exec.Command(program(h.t), args...)
	l.cmd.Env = append([]string{"TERM=xterm-256color"}, h.env...)
	l.cmd.Stdin, l.cmd.Stdout, l.cmd.Stderr = slave, slave, slave
	l.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	l.started = time.Now()
	require.NoError(h.t, l.cmd.Start())
	go l.readOutput(answering)
	go func() {
		_ = l.cmd.Wait()
		_, _ = slave.WriteString(afterExit)
	}()
	h.t.Cleanup(l.close)
	return l
}

// close kills the program, if necessary, and closes the terminal.
func (l *ptyTerminal) close() {
	_ = l.cmd.Process.Kill()
	<-l.exited
	l.slave.Close()
	l.master.Close()
}

// readOutput collects the program's output until it exits, and responds to queries.
func (l *ptyTerminal) readOutput(answering bool) {
	defer close(l.exited)
	buf := make([]byte, 16<<10)
	for !strings.HasSuffix(l.bytes(), afterExit) {
		n, err := l.master.Read(buf)
		if err != nil {
			return
		}
		if text := string(buf[:n]); answering {
			for question, answer := range answers {
				if strings.Contains(text, question) {
					_, _ = l.master.WriteString(answer)
				}
			}
		}
		l.mu.Lock()
		l.seen.Write(buf[:n])
		l.mu.Unlock()
		select {
		case l.notify <- struct{}{}:
		default:
		}
	}
}

// bytes returns everything the program has written.
func (l *ptyTerminal) bytes() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen.String()
}

// waitFor waits for text after offset from in the output, and returns the length of the
// output then.
func (l *ptyTerminal) waitFor(text string, from int) int {
	l.t.Helper()
	late := time.After(waitTimeout)
	for ended := false; ; {
		all := l.bytes()
		if strings.Contains(ansi.Strip(all[from:]), text) {
			return len(all)
		}
		require.Falsef(l.t, ended, "the program exited", "without %q; output:\n%s", text, ansi.Strip(all[from:]))
		select {
		case <-l.notify:
		case <-l.exited:
			ended = true
		case <-late:
			require.Failf(l.t, "timed out waiting for text", "%q; output:\n%s", text, ansi.Strip(all[from:]))
		}
	}
}

// send sends input to the program.
func (l *ptyTerminal) send(bytes string) *ptyTerminal {
	l.t.Helper()
	_, err := l.master.WriteString(bytes)
	require.NoError(l.t, err)
	return l
}

// requireExit waits for the program to exit with the status and requires that it restored
// the terminal.
func (l *ptyTerminal) requireExit(status int) {
	l.t.Helper()
	select {
	case <-l.exited:
	case <-time.After(waitTimeout):
		require.Failf(l.t, "the program did not end", "%s", ansi.Strip(l.bytes()))
	}
	require.Equal(l.t, status, l.cmd.ProcessState.ExitCode(), ansi.Strip(l.bytes()))
	after, err := term.GetState(int(l.slave.Fd()))
	require.NoError(l.t, err)
	require.Equal(l.t, l.before, after, "the terminal modes were not restored")
	all := l.bytes()
	require.Equal(l.t, strings.Count(all, "\x1b[?1049h"), strings.Count(all, "\x1b[?1049l"), "the alternate screen was entered and not left")
}

// TestPlain_SerialTerminal checks that line mode works on a serial terminal with a
// scanner that frames its codes, and that the count survives a hangup.
func TestPlain_SerialTerminal(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	l := h.openLine(false, "--plain", "--data", c.dir, "--location", "WH-1", "--operator", "Ada")
	at := l.waitFor("scan or number> ", 0)
	l.send("receive PO-1\r")
	at = l.waitFor("RECEIVE PO-1  Oat milk  expected 24", at)
	l.send("\x02]C101" + oatBox + "17" + expiry("060102") + "10L42-A\x03\r\n")
	at = l.waitFor("ok  +12 box  lot L42-A  now 12", at)
	l.send("6\r")
	at = l.waitFor("ok  now 6", at)
	l.send("book\r")
	at = l.waitFor("Received 6: 6 of 24, 18 to go", at)
	l.send(mugPiece + "\r")
	at = l.waitFor("no  OAT-1L is expected; this is MUG-W", at)
	l.send("home\r") // the error does not keep anybody here
	at = l.waitFor("9   Adjust and count", at)
	l.send("receive PO-1\r")
	at = l.waitFor("RECEIVE PO-1", at)
	l.send("\x02]C110L42-A\x03\r" + "12\r")
	at = l.waitFor("ok  now 12", at)
	l.send("\x03")
	l.waitFor("again to quit", at)
	require.NoError(t, l.cmd.Process.Signal(syscall.SIGHUP))
	l.requireExit(0)
	require.Equal(t, 1, h.drafts())
	require.NotContains(t, l.bytes(), "\x1b", "line mode writes no escape sequences")

	l = h.openLine(false, "--plain", "--data", c.dir, "--location", "WH-1")
	at = l.waitFor("now 12  lot L42-A", 0) // restored after the hangup
	l.send("book\r")
	l.waitFor("Received 12: 18 of 24", at)
	l.send("quit\r")
	l.requireExit(0)
	l.close()
	c.withLedger(func(led *ledger.Ledger) {
		in := do(t, c.service(led), api.GetInbound, api.InboundInput{InboundID: c.inbound})
		require.EqualValues(t, 18, in.ReceivedQuantity)
	})
}
