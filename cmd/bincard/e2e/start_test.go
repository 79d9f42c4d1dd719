package e2e_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const firstQuestion = "Scan anything" // prompt of the first screen

// colored matches a sequence that sets a color.
var colored = regexp.MustCompile(`\x1b\[([0-9]+;)*([349][0-7]|10[0-7]|[34]8;[0-9;]+)m`)

func TestStart_SilentTerminal(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	l := h.openLine(false, "--data", c.dir, "--theme", "dark")
	l.waitFor(firstQuestion, 0)
	require.NotContains(t, l.bytes(), "\x1b]11;?", "queried the background color")
	require.NotContains(t, l.bytes(), "\x1b[6n", "queried the cursor position")
	require.Regexp(t, colored, l.bytes())
	l.send("\x11").requireExit(0) // ctrl+q
}

func TestStart_EmptyMachine(t *testing.T) {
	t.Parallel()
	l := newMachine(t).withEnv("NO_COLOR=1").openLine(false)
	l.waitFor("Bincard", 0)
	l.waitFor("demo", 0)
	require.NotRegexp(t, colored, l.bytes())
	l.send("\x11").requireExit(0)
}

func TestStart_OpensRouteAndResizes(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	s := h.openScreen(80, 24, "--data", c.dir, "receive/PO-1")
	s.waitFor("Receive › PO-1", "Oat milk", "Expected 24", "Nordic Foods")
	s.resize(40, 8)
	s.waitFor("PO-1", "0/24", "+ all")
	s.resize(20, 16)
	s.waitFor("expected 24", "+ all", "esc")
	s.resize(120, 40)
	s.waitFor("Receive › PO-1", "Expected 24")
	s.key("Escape")
	s.waitFor(firstQuestion)
	s.key("C-q").requireExit(0)
}

// countBox counts a box of 12 of PO-1.
func (s *screen) countBox() {
	s.t.Helper()
	s.waitFor("Receive › PO-1", "Oat milk")
	s.scan(oatBox)
	s.waitFor("Now 12", "box OAT-1L +12")
}

func TestDraft_SurvivesSignal(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM} {
		s := h.openScreen(80, 24, "--data", c.dir, "receive/PO-1")
		if h.drafts() == 0 {
			s.countBox()
		}
		s.waitFor("Now 12")
		s.signal(sig).requireExit(0)
		require.Equal(t, 1, h.drafts(), sig)
	}
}

func TestDraft_SurvivesKill(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	s := h.openScreen(80, 24, "--data", c.dir, "receive/PO-1")
	s.countBox()
	s.scan("10L42-A\x1d" + "17" + expiry("060102"))
	s.waitFor("L42-A", expiry(time.DateOnly))
	s.signal(syscall.SIGKILL)
	s.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with 137") })

	again := h.openScreen(80, 24, "--data", c.dir, "receive/PO-1")
	again.waitFor("Now 12", "L42-A", expiry(time.DateOnly), "receive 12")
	again.key("C-q")
	again.waitFor("PO-1", "quit") // it asks because there is an unsent draft
}

func TestKey_NotWrittenToDisk(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	service := h.serve(c, "")
	s := h.withService(c, service.url).openScreen(80, 24, "receive/PO-1")
	s.countBox()
	service.end(syscall.SIGKILL) // errors are logged, too
	s.key("Enter")
	s.waitFor("cannot be reached")
	s.signal(syscall.SIGTERM).requireExit(0)
	require.NotEmpty(t, h.readFile("state_home", "bincard", "bincard.log"))
	secret := c.key[len("bc_live_"):]
	require.NoError(t, filepath.WalkDir(h.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NotContains(t, string(text), secret, path)
		return nil
	}))
}
