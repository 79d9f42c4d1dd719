package e2e_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

// A setup is how a scanner sends codes: in pieces, with a gap between them.
type setup struct {
	name   string
	pieces []string
	gap    time.Duration
	want   int // counted quantity: a box is 12
}

// characters returns the characters of text.
func characters(text string) []string { return strings.Split(text, "") }

// setups returns common scanner configurations.
func setups() []setup {
	const box, piece = oatBox, oatPiece
	return []setup{
		{"one burst, CR", []string{box + "\r"}, 0, 12},
		{"one burst, LF", []string{box + "\n"}, 0, 12},
		{"one burst, CR LF", []string{box + "\r\n"}, 0, 12},
		{"one burst, tab", []string{box + "\t"}, 0, 12},
		{"no suffix", []string{box}, 0, 12},
		{"no suffix, and a late CR that is no enter", []string{box, "\r"}, 70 * time.Millisecond, 12},
		{"STX and ETX", []string{"\x02" + box + "\x03"}, 0, 12},
		{"STX, ETX and CR LF", []string{"\x02" + box + "\x03\r\n"}, 0, 12},
		{"AIM prefix of EAN-13", []string{"]E0" + piece + "\r"}, 0, 1},
		{"GS1-128 with GS between", []string{"]C101" + box + "10L42-A\x1d" + "302\r"}, 0, 2},
		{"GS1 DataMatrix with FNC1 first", []string{"]d201" + box + "17" + expiry("060102") + "10L42-A\r"}, 0, 12},
		{"Digital Link", []string{"https://id.gs1.org/01/" + box + "/10/L42-A\r"}, 0, 12},
		{"bracketed paste", []string{"\x1b[200~" + box + "\r\x1b[201~"}, 0, 12},
		{"bracketed paste of two codes", []string{"\x1b[200~" + box + "\r\n" + piece + "\r\n\x1b[201~"}, 0, 13},
		{"paste whose marks come apart", []string{"\x1b", "[200~" + box, "\x1b", "[201~"}, 5 * time.Millisecond, 12},
		{"serial line at 9600 baud", characters(box + "\r"), time.Millisecond, 12},
		{"keyboard wedge, 2 ms a character", characters(box + "\r"), 2 * time.Millisecond, 12},
		{"slow wedge, 15 ms a character", characters(box + "\r"), 15 * time.Millisecond, 12},
		{"code in two reads", []string{box[:9], box[9:] + "\r"}, 10 * time.Millisecond, 12},
		{"several codes in one read", []string{box + "\r" + piece + "\r" + box + "\r"}, 0, 25},
		{"the same code twice at once", []string{box + "\r" + box + "\r"}, 0, 12},
		{"the same code twice, a moment apart", []string{box + "\r", box + "\r"}, 300 * time.Millisecond, 24},
		{"an arrow key in two pieces before it", []string{"\x1b", "[B", box + "\r"}, 8 * time.Millisecond, 12},
		{"small letters and signs that are shortcuts", []string{"q/?+oat-1l\r", "\r", "oat-1l\r"}, 300 * time.Millisecond, 1},
	}
}

// TestScanners_CommonSetups plays each setup to the real program on a bare terminal. A
// loaded machine may delay parts of a code more than a scanner does, so each setup has
// twelve attempts.
func TestScanners_CommonSetups(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	c.addLargeInbound()
	for i, s := range setups() {
		ok, last := false, ""
		for try := 0; try < 12 && !ok; try++ {
			ok, last = h.playSetup(c, s, fmt.Sprintf("state-%d-%d", i, try))
			t.Logf("%s: try %d: %v", s.name, try+1, ok)
		}
		require.True(t, ok, "%s: %d were not counted; the screen said\n%s", s.name, s.want, last)
	}
}

// playSetup starts the program on PO-2, plays the setup, and reports whether exactly the
// wanted quantity is counted.
func (h *machine) playSetup(c *company, s setup, state string) (ok bool, last string) {
	h.t.Helper()
	l := h.withEnv("XDG_STATE_HOME="+h.path(state)).openLine(false, "--show-idle", "--data", c.dir, "--location", "WH-1", "receive/PO-2")
	defer l.close()
	l.waitFor("Scan a box", 0)
	from := l.waitFor("·idle·", 0)
	for i, piece := range s.pieces {
		if i > 0 {
			time.Sleep(s.gap)
		}
		l.send(piece)
	}
	ok = l.appears(fmt.Sprintf("enter receive %d ", s.want), from)
	last = ansi.Strip(l.bytes()[from:])
	_ = l.cmd.Process.Signal(syscall.SIGTERM)
	<-l.exited
	return ok, last
}

// appears reports whether the program writes text within four seconds.
func (l *ptyTerminal) appears(text string, from int) bool {
	late := time.After(4 * time.Second)
	for {
		if strings.Contains(ansi.Strip(l.bytes()[from:]), text) {
			return true
		}
		select {
		case <-l.notify:
		case <-late:
			return false
		}
	}
}
