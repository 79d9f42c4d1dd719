package proof_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
)

// openers are the ways to open a data directory.
var openers = []struct {
	name string
	open func(t *testing.T, v *damageTarget, what, dir string) string
}{
	{"verify", openByCommand("verify")},
	{"serve", openByServing},
	{"verify pages", openByCommand("verify", "--pages")},
	{"backup", func(t *testing.T, v *damageTarget, what, dir string) string {
		return openByCommand("backup", filepath.Join(t.TempDir(), "copy.db"))(t, v, what, dir)
	}},
	{"serve again", openByServing},
	{"terminal", openByTerminal},
	{"report", openByCommand("report", "snapshot")},
	{"list", openByCommand("org", "list")},
	{"export", openByCommand("export", "movements", "--env", "live")},
}

// openByCommand runs a command.
func openByCommand(args ...string) func(t *testing.T, v *damageTarget, what, dir string) string {
	return func(t *testing.T, _ *damageTarget, what, dir string) string {
		t.Helper()
		status, output := run(t, append(args, "--data", dir)...)
		return requireCleanExit(t, what, status, output)
	}
}

// readPaths are the reads sent to a service on a damaged directory.
var readPaths = []string{"/access", "/products?limit=100", "/locations", "/balances?limit=100", "/inbounds?limit=100", "/outbounds?limit=100",
	"/transfers?limit=100", "/reservations?limit=100", "/lots", "/serials", "/reports/stock-movements?limit=500", "/reports/inventory-snapshot?limit=500",
	"/changes?limit=500", "/changes?after=40&limit=500", "/snapshot?limit=1000", "/lookup?code=LAST-1", "/capabilities"}

// openByServing serves the directory, sends many requests, and stops the service.
func openByServing(t *testing.T, v *damageTarget, what, dir string) string {
	t.Helper()
	s := startService(t, dir)
	if s.url == "" {
		return requireCleanExit(t, what, s.cmd.ProcessState.ExitCode(), s.output.String())
	}
	failed := 0
	send := func(method, path, key, body string) {
		t.Helper()
		a, err := v.send(s.url, method, path, key, body)
		if err != nil {
			t.Errorf("%s: %s got no response: %v\n%.3000s", what, path, err, s.output.String())
		}
		if a.status >= 500 {
			failed++
		}
	}
	for _, path := range append(readPaths, "/balances/"+v.balance+"/explain") {
		send(http.MethodGet, path, "", "")
	}
	send(http.MethodPost, "/stock/adjust", v.last.key, v.last.body)
	send(http.MethodPost, "/stock/adjust", uuid.NewString(), v.last.body)
	send(http.MethodPost, "/locations", uuid.NewString(), `{"code":"NEW","name":"New","type":"store"}`)
	s.end(syscall.SIGTERM)
	outcome := requireCleanExit(t, what, s.cmd.ProcessState.ExitCode(), s.output.String())
	if outcome == "works" && failed > 0 {
		return "works partly"
	}
	return outcome
}

// openByTerminal opens the directory in the terminal, and quits once something is drawn. Only
// make test-long does that: in make test, these tests need not run again when a screen changes.
func openByTerminal(t *testing.T, v *damageTarget, what, dir string) string {
	t.Helper()
	if !testenv.Long() {
		return openByCommand("report", "movements")(t, v, what, dir)
	}

	path, err := testenv.Program()
	require.NoError(t, err)
	home := t.TempDir()
	cmd := exec.Command(path, "--data", dir)
	cmd.Env = []string{"TERM=xterm-256color", "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_DATA_HOME=" + home, "PATH=" + os.Getenv("PATH")}
	cmd.Env = append(cmd.Env, testenv.Environ()...)
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	require.NoError(t, err)
	defer master.Close()
	exited := make(chan struct{})
	go func() { _ = cmd.Wait(); close(exited) }()
	var seen testenv.Output
	drawn := make(chan struct{}, 1)
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 16<<10)
		for {
			n, err := master.Read(buf)
			_, _ = seen.Write(buf[:n])
			if strings.Contains(seen.String(), "\x1b[?1049h") {
				select {
				case drawn <- struct{}{}:
				default:
				}
			}
			if err != nil {
				return
			}
		}
	}()
	timeout := time.After(time.Minute)
	select {
	case <-exited:
	case <-timeout:
		t.Errorf("%s: the terminal neither draws nor exits:\n%.2000s", what, seen.String())
	case <-drawn:
		_, _ = master.WriteString("\x11") // ctrl+q
		select {
		case <-exited:
		case <-timeout:
			t.Errorf("%s: the terminal does not exit:\n%.2000s", what, seen.String())
		}
	}
	_ = cmd.Process.Kill()
	<-exited
	<-read
	return requireCleanExit(t, what, cmd.ProcessState.ExitCode(), seen.String())
}
