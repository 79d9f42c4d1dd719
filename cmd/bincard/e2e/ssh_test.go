package e2e_test

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	gossh "golang.org/x/crypto/ssh"

	"bincard/server/api"
	"bincard/server/ledger"
)

// An sshHost is a "bincard ssh" process.
type sshHost struct {
	t      testing.TB
	cmd    *exec.Cmd
	addr   string
	key    gossh.Signer
	exited chan struct{}
}

// startSSH adds operators who share one key and starts the server.
func (h *machine) startSSH(people []string, args ...string) *sshHost {
	h.t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(h.t, err)
	x := &sshHost{t: h.t, exited: make(chan struct{})}
	x.key, err = gossh.NewSignerFromKey(private)
	require.NoError(h.t, err)
	public := strings.TrimSpace(string(gossh.MarshalAuthorizedKey(x.key.PublicKey())))
	var settings strings.Builder
	for _, p := range people {
		fmt.Fprintf(&settings, "[[operators]]\nname = %q\nkeys = [%q]\n", p, public)
	}
	file := h.path("config_home", "bincard", "config.toml")
	require.NoError(h.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(h.t, os.WriteFile(file, []byte(settings.String()), 0o600))
	x.start(h, args...)
	return x
}

func (x *sshHost) start(h *machine, args ...string) {
	x.t.Helper()
	x.cmd = exec.Command(program(x.t), append([]string{"ssh", "--addr", "127.0.0.1:0"}, args...)...)
	x.cmd.Env = h.env
	out, err := x.cmd.StdoutPipe()
	require.NoError(x.t, err)
	require.NoError(x.t, x.cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(x.t, err)
	_, x.addr, _ = strings.Cut(strings.TrimSpace(line), "ssh://")
	x.exited = make(chan struct{})
	go func(cmd *exec.Cmd, gone chan struct{}) { _ = cmd.Wait(); close(gone) }(x.cmd, x.exited)
	x.t.Cleanup(func() { _ = x.cmd.Process.Kill(); <-x.exited })
}

// end stops the server with SIGTERM.
func (x *sshHost) end() {
	x.t.Helper()
	require.NoError(x.t, x.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-x.exited:
	case <-time.After(waitTimeout):
		require.Fail(x.t, "the host does not end")
	}
	require.Zero(x.t, x.cmd.ProcessState.ExitCode())
}

// An sshTerminal is one end of an SSH session, or of pipes.
type sshTerminal struct {
	t    testing.TB
	conn *gossh.Client
	in   io.Writer

	mu     sync.Mutex
	seen   bytes.Buffer
	notify chan struct{}
}

func (f *sshTerminal) Write(p []byte) (int, error) {
	f.mu.Lock()
	n, err := f.seen.Write(p)
	f.mu.Unlock()
	select {
	case f.notify <- struct{}{}:
	default:
	}
	return n, err
}

// logIn opens a session with a terminal of this kind; an empty kind is no terminal.
func (x *sshHost) logIn(name, kind string) *sshTerminal {
	x.t.Helper()
	f := &sshTerminal{t: x.t, notify: make(chan struct{}, 1)}
	var err error
	f.conn, err = gossh.Dial("tcp", x.addr, &gossh.ClientConfig{User: name, Auth: []gossh.AuthMethod{gossh.PublicKeys(x.key)},
		HostKeyCallback: gossh.InsecureIgnoreHostKey()})
	require.NoError(x.t, err)
	x.t.Cleanup(func() { f.conn.Close() })
	sess, err := f.conn.NewSession()
	require.NoError(x.t, err)
	sess.Stdout = f
	f.in, err = sess.StdinPipe()
	require.NoError(x.t, err)
	if kind != "" {
		require.NoError(x.t, sess.RequestPty(kind, 24, 80, gossh.TerminalModes{}))
	}
	require.NoError(x.t, sess.Shell())
	return f
}

func (f *sshTerminal) typeText(text string) {
	f.t.Helper()
	_, err := io.WriteString(f.in, text)
	require.NoError(f.t, err)
}

// length returns the length of the output.
func (f *sshTerminal) length() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen.Len()
}

// output returns the text of the output after offset from.
func (f *sshTerminal) output(from int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return ansi.Strip(string(f.seen.Bytes()[from:]))
}

// await waits until holds returns true, which it is asked after output and now and then.
func (f *sshTerminal) await(fact string, holds func() bool) {
	f.t.Helper()
	again := time.NewTicker(10 * pollInterval)
	defer again.Stop()
	for late := time.After(waitTimeout); !holds(); {
		select {
		case <-f.notify:
		case <-again.C:
		case <-late:
			require.Failf(f.t, "timed out waiting", "%s; output:\n%s", fact, f.output(0))
		}
	}
}

// waitFor waits for text after offset from in the output, and returns the length of the
// output then.
func (f *sshTerminal) waitFor(text string, from int) int {
	f.t.Helper()
	f.await(fmt.Sprintf("%q", text), func() bool { return strings.Contains(f.output(from), text) })
	return f.length()
}

// TestSSH_CountsSurviveRestart runs two operators on one ledger over SSH, on a screen and
// in line mode. Their counts survive a lost connection and a restart of the server.
func TestSSH_CountsSurviveRestart(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	x := h.startSSH([]string{"Ada", "Ben"}, "--data", c.dir, "--location", "WH-1")
	ada, ben := x.logIn("ada", "xterm-256color"), x.logIn("Ben", "")
	at := ada.waitFor(firstQuestion, 0)
	ada.typeText("PO-1\r")
	ada.waitFor("Receive › PO-1", at)
	ada.waitFor("Scan a box", at)
	ada.typeText("]C101" + oatBox + "17" + expiry("060102") + "10L42-A\r")
	ada.waitFor("receive 12", at)
	at = ben.waitFor("scan or number> ", 0)
	ben.typeText("ship TR-1\n7\nbook\n")
	at = ben.waitFor("Shipped 7: 7 of 10, 3 to go", at)
	ada.conn.Close()

	ada = x.logIn("ada", "xterm-256color")
	now := ada.waitFor("receive 12", 0)
	ben.typeText("fulfill SO-1\n(01)0" + scalePiece + "(21)SN-2\n")
	ben.waitFor("serial SN-2", at)
	x.end()
	ada.waitFor("is restarting", now)
	ben.waitFor("is restarting", at)

	x.start(h, "--data", c.dir, "--location", "WH-1")
	ada, ben = x.logIn("ada", "xterm-256color"), x.logIn("Ben", "dumb")
	now = ada.waitFor("receive 12", 0)
	ada.typeText("\r")
	ada.waitFor("Received 12", now)
	at = ben.waitFor("serials SN-2", 0)
	ben.typeText("book\r")
	ben.waitFor("Fulfilled 1: 1 of 1 done", at)
	x.end()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		in := do(t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound})
		require.EqualValues(t, 12, in.ReceivedQuantity)
		require.EqualValues(t, 7, do(t, svc, api.GetTransfer, api.TransferInput{TransferID: c.transfer}).ShippedQuantity)
		require.Equal(t, api.OutboundFulfilled, do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound}).Status)
		why := do(t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.balance(svc, c.oat, c.main).ID, HistoryPage: api.HistoryPage{Order: api.NewestFirst}})
		require.Equal(t, "Ada", why.Movements[0].CreatedBy.Label, "the ledger records the operator")
	})
}

// BenchmarkFiftySessions measures fifty sessions that each scan twice a second for ten
// seconds.
func BenchmarkFiftySessions(b *testing.B) {
	const people, span, pace = 50, 10 * time.Second, 500 * time.Millisecond
	h := newMachine(b)
	c := newCompany(b, h.path("data"))
	c.addLargeInbound()
	var names []string
	for i := range people {
		names = append(names, fmt.Sprintf("W%d", i))
	}
	x := h.startSSH(names, "--data", c.dir, "--location", "WH-1")
	var terminals []*sshTerminal
	for _, n := range names {
		f := x.logIn(n, "xterm-256color")
		f.typeText("PO-2\r")
		terminals = append(terminals, f)
	}
	for _, f := range terminals {
		f.waitFor("Scan a box", 0)
	}
	for b.Loop() {
		begun, before := time.Now(), cpu(b, x.cmd.Process.Pid)
		n := 0
		for tick := time.NewTicker(pace); time.Since(begun) < span; n++ {
			<-tick.C
			for _, f := range terminals {
				f.typeText(alternating[n%2].code + "\r")
			}
		}
		for _, f := range terminals {
			f.waitFor("piece", 0)
		}
		used := cpu(b, x.cmd.Process.Pid) - before
		b.ReportMetric(100*used.Seconds()/time.Since(begun).Seconds(), "%core")
		b.ReportMetric(float64(resident(b, x.cmd.Process.Pid))/1e6, "MB-resident")
		b.ReportMetric(float64(n*people), "scans")
		b.ReportMetric(0, "ns/op")
	}
}
