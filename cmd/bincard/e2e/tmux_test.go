package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	waitTimeout  = 90 * time.Second      // how long to wait before the test fails
	pollInterval = 15 * time.Millisecond // between two captures of the screen
	keyInterval  = 60 * time.Millisecond // between two typed keys; up to 35 ms is taken for a scan
)

// A screen is a tmux terminal with the program on it. Tests read what tmux has painted.
type screen struct {
	t       testing.TB
	machine *machine
	name    string
	width   int
	height  int
	scanned bool // scanned, and no Enter since
}

// openScreen opens a terminal and starts the program in it. When the program exits, the
// terminal shows "left with STATUS".
func (h *machine) openScreen(width, height int, args ...string) *screen {
	h.t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") == "true" {
			require.Fail(h.t, "tmux is missing, and CI must run the tests that need it")
		}
		h.t.Skip("tmux is not installed: the program is not tested on a real screen")
	}
	n := 1
	for h.readFile(fmt.Sprintf("s%d.sh", n)) != "" {
		n++
	}
	s := &screen{t: h.t, machine: h, name: fmt.Sprintf("s%d", n), width: width, height: height}
	quoted := []string{program(h.t), "--show-idle"}
	for _, a := range args {
		quoted = append(quoted, "'"+strings.ReplaceAll(a, "'", `'\''`)+"'")
	}
	script := fmt.Sprintf("cd %[1]s\nstty -g >%[2]s.before\nsh -c 'echo $$ >%[2]s.pid; exec \"$@\"' - %[3]s\ncode=$?\nstty -g >%[2]s.after\necho left with $code\nexec cat\n",
		h.dir, s.name, strings.Join(quoted, " "))
	require.NoError(h.t, os.WriteFile(h.path(s.name+".sh"), []byte(script), 0o600))
	h.t.Cleanup(func() { _ = exec.Command("tmux", "-S", h.path(s.name+".sock"), "kill-server").Run() })
	s.tmux("-u", "-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "exec sh "+h.path(s.name+".sh"))
	s.tmux("set-option", "-g", "status", "off", ";", "resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
	return s
}

// tmux runs a tmux command on the terminal and returns its output.
func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", s.machine.path(s.name + ".sock")}, args...)...)
	cmd.Env = s.machine.env
	out, err := cmd.CombinedOutput()
	require.NoError(s.t, err, "tmux %q: %s", args, out)
	return string(out)
}

// view returns the lines of the screen.
func (s *screen) view() string {
	s.t.Helper()
	return s.tmux("capture-pane", "-p")
}

// waitUntil waits until the screen satisfies holds, and returns the screen.
func (s *screen) waitUntil(fact string, holds func(view string) bool) string {
	s.t.Helper()
	view := ""
	for end := time.Now().Add(waitTimeout); time.Now().Before(end); time.Sleep(pollInterval) {
		if view = s.view(); holds(view) {
			return view
		}
	}
	require.Failf(s.t, "timed out waiting", "%s; the screen shows\n%s", fact, view)
	return ""
}

// waitFor waits until the program is idle and the screen shows all texts.
func (s *screen) waitFor(texts ...string) string {
	s.t.Helper()
	return s.waitUntil(fmt.Sprintf("shows %q and is idle", texts), func(view string) bool {
		return strings.Contains(view, "·idle·") && has(view, texts...)
	})
}

// waitGone waits until the program is idle and the screen does not show text.
func (s *screen) waitGone(text string) string {
	s.t.Helper()
	return s.waitUntil(fmt.Sprintf("lacks %q and is idle", text), func(view string) bool {
		return strings.Contains(view, "·idle·") && !has(view, text)
	})
}

// has reports whether a view contains all texts, ignoring differences in white space.
func has(view string, texts ...string) bool {
	flat := strings.Join(strings.Fields(view), " ")
	for _, text := range texts {
		if !strings.Contains(flat, strings.Join(strings.Fields(text), " ")) {
			return false
		}
	}
	return true
}

// key presses keys, named as in tmux: "Enter", "F6", "C-q", "7".
func (s *screen) key(names ...string) *screen {
	s.t.Helper()
	for i, name := range names {
		switch {
		case s.scanned && name == "Enter":
			time.Sleep(10 * keyInterval) // the terminal ignores an earlier Enter
			s.scanned = false
		case i > 0:
			time.Sleep(keyInterval)
		}
		s.tmux("send-keys", name)
	}
	return s
}

// typeText types text at the speed of a person.
func (s *screen) typeText(text string) *screen {
	s.t.Helper()
	for _, r := range text {
		s.tmux("send-keys", "-l", string(r))
		time.Sleep(keyInterval)
	}
	return s
}

// scan sends a code as a scanner does: in one burst, ending in a line feed. If the
// program reads the line feed late, it does not take it for a typed Enter. GS (0x1D) is
// sent as a byte.
func (s *screen) scan(code string) *screen {
	s.t.Helper()
	var args []string
	for i, part := range strings.Split(code, "\x1d") {
		if i > 0 {
			args = append(args, "send-keys", "-H", "1d", ";")
		}
		if part != "" {
			args = append(args, "send-keys", "-l", part, ";")
		}
	}
	s.tmux(append(args, "send-keys", "-H", "0a")...)
	s.scanned = true
	return s
}

// resize changes the size of the terminal.
func (s *screen) resize(width, height int) *screen {
	s.t.Helper()
	s.width, s.height = width, height
	s.tmux("resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
	return s
}

// pid returns the program's process ID.
func (s *screen) pid() int {
	s.t.Helper()
	for end := time.Now().Add(waitTimeout); time.Now().Before(end); time.Sleep(pollInterval) {
		if n, err := strconv.Atoi(strings.TrimSpace(s.machine.readFile(s.name + ".pid"))); err == nil {
			return n
		}
	}
	require.Fail(s.t, "the program did not start")
	return 0
}

// signal sends a signal to the program.
func (s *screen) signal(sig syscall.Signal) *screen {
	s.t.Helper()
	require.NoError(s.t, syscall.Kill(s.pid(), sig))
	return s
}

// requireExit waits for the program to exit with the status and requires that it restored
// the terminal.
func (s *screen) requireExit(status int) string {
	s.t.Helper()
	view := s.waitUntil(fmt.Sprintf("left with %d", status), func(view string) bool { return strings.Contains(view, "left with ") })
	require.Contains(s.t, view, fmt.Sprintf("left with %d\n", status))
	s.requireRestored()
	return view
}

// requireRestored requires that the terminal's modes and screen are as they were before
// the program.
func (s *screen) requireRestored() {
	s.t.Helper()
	require.Equal(s.t, s.machine.readFile(s.name+".before"), s.machine.readFile(s.name+".after"), "the modes of the terminal")
	require.Equal(s.t, "0 1 0", strings.TrimSpace(s.tmux("display-message", "-p",
		"#{alternate_on} #{cursor_flag} #{mouse_any_flag}")), "alternate screen, cursor, mouse")
}
