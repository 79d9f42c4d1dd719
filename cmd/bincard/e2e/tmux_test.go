package e2e_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	waitTimeout  = 90 * time.Second      // bounds a wait for what never comes
	pollInterval = 15 * time.Millisecond // between two looks at a fact that does not announce itself
)

// A screen is a tmux terminal with the program on it. Tests read what tmux has painted.
//
// tmux runs in control mode: it takes commands from a pipe, answers each with a block of
// lines, and notifies of what the program writes.
type screen struct {
	t       testing.TB
	machine *machine
	name    string
	width   int
	height  int
	scanned bool   // the last input was a scan
	code    string // the last scan
	mark    string // that the program showed before the last input; "" if it has handled that

	control io.Writer
	ready   chan struct{} // closed when tmux takes commands
	blocks  chan block    // the answers to commands; closed when tmux ends
	changed chan struct{} // receives after new output
}

// A block is the answer to a command of tmux.
type block struct {
	text   string
	failed bool
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
		quoted = append(quoted, quote(a))
	}
	script := fmt.Sprintf("cd %[1]s\nstty -g >%[2]s.before\nsh -c 'echo $$ >%[2]s.pid; exec \"$@\"' - %[3]s\n"+
		"code=$?\nstty -g >%[2]s.after\necho left with $code\nexec cat\n", h.dir, s.name, strings.Join(quoted, " "))
	require.NoError(h.t, os.WriteFile(h.path(s.name+".sh"), []byte(script), 0o600))

	s.startTmux()
	return s
}

// startTmux starts tmux with the script on its terminal. At the end of its input, it ends.
func (s *screen) startTmux() {
	s.t.Helper()
	cmd := exec.Command("tmux", "-S", s.machine.path(s.name+".sock"), "-C", "-u", "-f", "/dev/null", "new-session",
		"-x", strconv.Itoa(s.width), "-y", strconv.Itoa(s.height), "exec sh "+s.machine.path(s.name+".sh"))
	cmd.Env = s.machine.env
	control, err := cmd.StdinPipe()
	require.NoError(s.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, cmd.Start())

	s.control, s.ready, s.blocks, s.changed = control, make(chan struct{}), make(chan block, 1), make(chan struct{}, 1)
	go func() {
		s.readTmux(out)
		_ = cmd.Wait()
	}()
	s.t.Cleanup(func() {
		_, _ = io.WriteString(control, "kill-server\n")
		for range s.blocks { // until tmux has ended
		}
	})
	select {
	case <-s.ready:
	case <-time.After(waitTimeout):
		require.Fail(s.t, "tmux did not start")
	}
	s.resize(s.width, s.height)
}

// readTmux reads what tmux writes until it ends.
func (s *screen) readTmux(out io.Reader) {
	defer close(s.blocks)
	ready := sync.OnceFunc(func() { close(s.ready) })
	var lines []string
	inside, own := false, false
	for in := bufio.NewReader(out); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); {
		case word == "%begin" && !inside:
			inside, lines = true, nil
			own = strings.HasSuffix(rest, " 1") // not the one that started the session
		case word == "%end" && inside, word == "%error" && inside:
			inside = false
			if own {
				s.blocks <- block{text: strings.Join(lines, ""), failed: word == "%error"}
			}
		case inside:
			lines = append(lines, line)
		case word == "%session-changed":
			ready()
		case word == "%output":
			select {
			case s.changed <- struct{}{}:
			default:
			}
		}
	}
}

// quote quotes a word for tmux and for the shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// tmux runs tmux commands, separated by ";", and returns their output.
func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	words, commands := slices.Clone(args), 1
	for i, word := range words {
		if word == ";" {
			commands++
		} else {
			words[i] = quote(word)
		}
	}
	_, err := io.WriteString(s.control, strings.Join(words, " ")+"\n")
	require.NoError(s.t, err)

	out := ""
	for range commands {
		select {
		case answer, ok := <-s.blocks:
			require.False(s.t, answer.failed, "tmux %q: %s", args, answer.text)
			if !ok {
				require.Equal(s.t, []string{"kill-server"}, args, "tmux ended")
			}
			out += answer.text
		case <-time.After(waitTimeout):
			require.Fail(s.t, "tmux does not answer", "%q", args)
		}
	}
	return out
}

// view returns the lines of the screen.
func (s *screen) view() string {
	s.t.Helper()
	return s.tmux("capture-pane", "-p")
}

// waitUntil waits until the screen satisfies holds, and returns the screen. It looks again
// after each output, and now and then for facts that are not on the screen.
func (s *screen) waitUntil(fact string, holds func(view string) bool) string {
	s.t.Helper()
	late := time.After(waitTimeout)
	for {
		view := s.view()
		if holds(view) {
			return view
		}
		select {
		case <-s.changed:
		case <-time.After(10 * pollInterval):
		case <-late:
			require.Failf(s.t, "timed out waiting", "%s; the screen shows\n%s", fact, view)
		}
	}
}

// marks matches the mark that the program paints for drivers, and its number of inputs.
var marks = regexp.MustCompile(`·(idle|busy|scan)·(\d)`)

// isHandled reports whether the program has handled the last input.
func (s *screen) isHandled(view string) bool {
	m := marks.FindStringSubmatch(view)
	return m != nil && m[2] != s.mark
}

// isIdle reports whether the program has handled the last input and what followed from it.
func (s *screen) isIdle(view string) bool {
	return s.isHandled(view) && !strings.Contains(view, "·busy·")
}

// waitFor waits until the program is idle and the screen shows all texts.
func (s *screen) waitFor(texts ...string) string {
	s.t.Helper()
	return s.waitUntil(fmt.Sprintf("shows %q and is idle", texts), func(view string) bool {
		return s.isIdle(view) && has(view, texts...)
	})
}

// waitGone waits until the program is idle and the screen does not show text.
func (s *screen) waitGone(text string) string {
	s.t.Helper()
	return s.waitUntil(fmt.Sprintf("lacks %q and is idle", text), func(view string) bool {
		return s.isIdle(view) && !has(view, text)
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

// input sends keys once the program has handled the input before: keys that arrive together
// are a scan. If settled is set, the program has also done with the last scan, whose end or
// repetition the keys could be.
func (s *screen) input(settled bool, keys ...string) {
	s.t.Helper()
	view := s.waitUntil("has handled the last input", func(view string) bool {
		return s.isHandled(view) && (!settled || strings.Contains(view, "·idle·"))
	})
	s.mark = marks.FindStringSubmatch(view)[2]
	s.tmux(append([]string{"send-keys"}, keys...)...)
}

// key presses keys, named as in tmux: "Enter", "F6", "C-q", "7".
func (s *screen) key(names ...string) *screen {
	s.t.Helper()
	for _, name := range names {
		s.input(s.scanned && slices.Contains([]string{"Enter", "Tab", "C-c", "C-j"}, name), name)
		s.scanned = false
	}
	return s
}

// typeText types text as a person does.
func (s *screen) typeText(text string) *screen {
	s.t.Helper()
	for _, r := range text {
		s.input(false, "-l", string(r))
	}
	s.scanned = false
	return s
}

// scan sends a code as a scanner does: in one burst, ending in a line feed. If the
// program reads the line feed late, it does not take it for a typed Enter.
func (s *screen) scan(code string) *screen {
	s.t.Helper()
	keys := []string{"-H"}
	for _, b := range []byte(code + "\n") {
		keys = append(keys, fmt.Sprintf("%02x", b))
	}
	s.input(code == s.code, keys...)
	s.scanned, s.code = true, code
	return s
}

// resize changes the size of the terminal.
func (s *screen) resize(width, height int) *screen {
	s.t.Helper()
	s.width, s.height = width, height
	s.tmux("set-option", "-g", "status", "off", ";", "resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
	return s
}

// pid returns the program's process ID.
func (s *screen) pid() int {
	s.t.Helper()
	n := 0
	require.Eventually(s.t, func() (ok bool) {
		text, err := os.ReadFile(s.machine.path(s.name + ".pid"))
		if ok = err == nil && strings.HasSuffix(string(text), "\n"); ok {
			n, err = strconv.Atoi(strings.TrimSpace(string(text)))
		}
		return ok && err == nil
	}, waitTimeout, pollInterval, "the program did not start")
	return n
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
