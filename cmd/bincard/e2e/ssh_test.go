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

// A sshHost is the program that serves its terminal over SSH.
type sshHost struct {
	t      testing.TB
	cmd    *exec.Cmd
	addr   string
	key    gossh.Signer
	exited chan struct{}
}

// startSSH lets people log on with one key, and serves them.
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

// end ends the program as a machine does that shuts down.
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

// A sshTerminal is a terminal at the other end of a network.
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

// logIn logs a person on, with a screen of a kind; "" is none.
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

func (f *sshTerminal) types(text string) {
	f.t.Helper()
	_, err := io.WriteString(f.in, text)
	require.NoError(f.t, err)
}

// shows waits until the text was written since the byte from, and returns how
// much had been then.
func (f *sshTerminal) shows(text string, from int) int {
	f.t.Helper()
	late := time.After(waitTimeout)
	for {
		f.mu.Lock()
		all := f.seen.String()
		f.mu.Unlock()
		if strings.Contains(ansi.Strip(all[from:]), text) {
			return len(all)
		}
		select {
		case <-f.notify:
		case <-late:
			require.Failf(f.t, "it never came", "%q; there is\n%s", text, ansi.Strip(all[from:]))
		}
	}
}

// TestAShiftOverSSH has two people work on one ledger at a time: on a screen and
// in lines, with a line that is lost, and the machine that serves them restarted.
func TestAShiftOverSSH(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	x := h.startSSH([]string{"Ada", "Ben"}, "--data", c.dir, "--place", "WH-1")
	ada, ben := x.logIn("ada", "xterm-256color"), x.logIn("Ben", "")
	at := ada.shows(firstQuestion, 0)
	ada.types("PO-1\r")
	ada.shows("Receive › PO-1", at)
	ada.shows("Scan a box", at)
	ada.types("]C101" + oatBox + "17" + expiry("060102") + "10L42-A\r")
	ada.shows("book 12", at)
	at = ben.shows("scan or number> ", 0)
	ben.types("ship TR-1\n7\nbook\n")
	at = ben.shows("shipped 7. 7 of 10, pending 3", at)
	ada.conn.Close() // the line is lost

	ada = x.logIn("ada", "xterm-256color")
	now := ada.shows("book 12", 0) // and all is there
	ben.types("fulfill SO-1\n(01)0" + scalePiece + "(21)SN-2\n")
	ben.shows("serial SN-2", at)
	x.end()
	ada.shows("is restarting", now)
	ben.shows("is restarting", at)

	x.start(h, "--data", c.dir, "--place", "WH-1")
	ada, ben = x.logIn("ada", "xterm-256color"), x.logIn("Ben", "dumb")
	now = ada.shows("book 12", 0)
	ada.types("\r")
	ada.shows("booked 12", now)
	at = ben.shows("serials SN-2", 0)
	ben.types("book\r")
	ben.shows("fulfilled 1. 1 of 1 done", at)
	x.end()
	c.withLedger(func(l *ledger.Ledger) {
		svc := c.service(l)
		in := do(t, svc, api.GetInbound, api.InboundInput{InboundID: c.inbound})
		require.EqualValues(t, 12, in.ReceivedQuantity)
		require.EqualValues(t, 7, do(t, svc, api.GetTransfer, api.TransferInput{TransferID: c.transfer}).ShippedQuantity)
		require.Equal(t, api.OutboundFulfilled, do(t, svc, api.GetOutbound, api.OutboundInput{OutboundID: c.outbound}).Status)
		why := do(t, svc, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: c.balance(svc, c.oat, c.main).ID, Order: api.NewestFirst})
		require.Equal(t, "Ada", why.Movements[0].CreatedBy.Label, "who did it stands in the books")
	})
}

// BenchmarkFiftySessions is fifty people on one machine who scan twice a second
// each, for ten seconds.
func BenchmarkFiftySessions(b *testing.B) {
	const people, span, pace = 50, 10 * time.Second, 500 * time.Millisecond
	h := newMachine(b)
	c := newCompany(b, h.path("data"))
	c.addLargeInbound()
	var names []string
	for i := range people {
		names = append(names, fmt.Sprintf("W%d", i))
	}
	x := h.startSSH(names, "--data", c.dir, "--place", "WH-1")
	var seats []*sshTerminal
	for _, n := range names {
		f := x.logIn(n, "xterm-256color")
		f.types("PO-2\r")
		seats = append(seats, f)
	}
	for _, f := range seats {
		f.shows("Scan a box", 0)
	}
	for b.Loop() {
		begun, before := time.Now(), cpu(b, x.cmd.Process.Pid)
		n := 0
		for tick := time.NewTicker(pace); time.Since(begun) < span; n++ {
			<-tick.C
			for _, f := range seats {
				f.types(alternating[n%2].code + "\r")
			}
		}
		for _, f := range seats {
			f.shows("piece", 0)
		}
		used := cpu(b, x.cmd.Process.Pid) - before
		b.ReportMetric(100*used.Seconds()/time.Since(begun).Seconds(), "%core")
		b.ReportMetric(float64(resident(b, x.cmd.Process.Pid))/1e6, "MB-resident")
		b.ReportMetric(float64(n*people), "scans")
		b.ReportMetric(0, "ns/op")
	}
}
