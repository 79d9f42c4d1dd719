package e2e_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/budget"
)

// A screenWorker is a worker on a screen, by keys and scans. Each action waits for its
// result.
type screenWorker struct {
	*screen
	args []string
	last string // the last scanned code
}

// titles maps a job's command to the title of its screen.
var titles = map[string]string{"receive": "Receive", "ship": "Ship", "receive-transfer": "Receive TR", "fulfill": "Fulfill"}

// feedLine matches an entry of a screen's feed; the newest is first.
var feedLine = regexp.MustCompile(`✓ \d\d:\d\d:\d\d +(.*\S)`)

// lastFeedLine returns the newest entry of a screen's feed.
func lastFeedLine(view string) string {
	if m := feedLine.FindStringSubmatch(view); m != nil {
		return m[1]
	}
	return ""
}

// awaitFact waits until the program is idle and the fact holds.
func (w *screenWorker) awaitFact(fact string, holds func(view string) bool) {
	w.t.Helper()
	w.waitUntil(fact+", and is idle", func(view string) bool { return w.isIdle(view) && holds(view) })
}

// press presses a key and waits for the texts.
func (w *screenWorker) press(key string, texts ...string) {
	w.t.Helper()
	w.key(key)
	w.waitFor(texts...)
}

// home returns to the first screen.
func (w *screenWorker) home() {
	w.t.Helper()
	away := false
	w.awaitFact("is anywhere", func(view string) bool {
		away = strings.Contains(view, " › ")
		return away || has(view, firstQuestion)
	})
	if away {
		w.press("Escape", firstQuestion, "1 Receive")
	}
}

func (w *screenWorker) open(route string) {
	w.t.Helper()
	job, name, _ := strings.Cut(route, " ")
	title := titles[job] + " › " + name + "\n"
	there := func(view string) bool { return strings.Contains(view, title) }
	if !there(w.view()) {
		w.home()
		w.scan(name)
	}
	w.awaitFact("is at "+route, there)
}

// scan sends a code. Because a code repeated at once counts as one scan, it adds the
// symbology prefix to every other one.
func (w *screenWorker) scan(code string) {
	w.t.Helper()
	if code == w.last {
		code = map[int]string{13: "]E0", 14: "]I1"}[len(code)] + code
	}
	require.NotEqual(w.t, w.last, code)
	w.last = code
	w.screen.scan(code)
}

// write types text that the screen shows, and enter.
func (w *screenWorker) write(text string) {
	w.t.Helper()
	w.typeText(text)
	w.waitFor(text + "█")
	w.key("Enter")
	w.waitGone(text + "█")
}

func (w *screenWorker) number(n int64) { w.write(fmt.Sprint(n)) }

func (w *screenWorker) action(word string) {
	w.t.Helper()
	word, rest, _ := strings.Cut(word, " ")
	switch word {
	case "home":
		w.home()
	case "+":
		w.press("+", "All counted")
	case "book":
		w.key("Enter")
		w.awaitFact("is booked", func(view string) bool {
			what, _, _ := strings.Cut(lastFeedLine(view), " ")
			return slices.Contains([]string{"Booked", "Shipped", "Received", "Fulfilled"}, what)
		})
	case "damaged":
		w.press("F4", "are damaged?")
		w.write(rest)
		w.waitFor("Damaged " + rest)
	case "close":
		w.press("F5", "Reason █")
		w.write(rest)
	case "cancel":
		w.press("C-x", "enter cancel the order")
	case "yes":
		w.press("Enter", "This order is canceled")
	default:
		require.Fail(w.t, "unknown action", word)
	}
}

func (w *screenWorker) acknowledge() {
	w.t.Helper()
	w.key("Enter")
	w.waitGone("enter continues")
}

// screenWords maps texts of line mode to those of the screen.
var screenWords = []struct {
	line   *regexp.Regexp
	screen string
}{
	{regexp.MustCompile(`^RECEIVE (.*)$`), "Receive › $1"},
	{regexp.MustCompile(`^to go (\d+)$`), "To go $1 "},
	{regexp.MustCompile(`^lot (.*)$`), "Lot $1 "},
	{regexp.MustCompile(`^(\d+) ready$`), "Ready $1 "},
	{regexp.MustCompile(`^yes or no$`), "enter cancel the order esc keep it"},
}

func (w *screenWorker) expect(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if now, ok := strings.CutPrefix(text, "now "); ok {
			w.awaitFact("has counted "+now, func(view string) bool { return strings.HasSuffix(lastFeedLine(view), " "+now) })
			continue
		}
		for _, x := range screenWords {
			text = x.line.ReplaceAllString(text, x.screen)
		}
		w.waitFor(text)
	}
}

// restart ends the program by a signal and starts it again.
func (w *screenWorker) restart(sig syscall.Signal) {
	w.t.Helper()
	w.signal(sig)
	w.waitUntil("is gone", func(view string) bool { return strings.Contains(view, "left with ") })
	w.screen, w.last = w.machine.openScreen(w.width, w.height, w.args...), ""
}

func (w *screenWorker) disconnect() { w.restart(syscall.SIGHUP) }
func (w *screenWorker) crash()      { w.restart(syscall.SIGKILL) }
func (w *screenWorker) quit() {
	w.home()
	w.key("C-q").requireExit(0)
}

// TestShift_Screen does a shift on a screen by keys and scans.
func TestShift_Screen(t *testing.T) {
	t.Parallel()
	h := newMachine(t)
	c := newCompany(t, h.path("data"))
	x := newShift(c, budget.Shift.Cases(t))
	w := &screenWorker{args: []string{"--data", c.dir, "--location", "WH-1", "--operator", "Ada"}}
	w.screen = h.openScreen(80, 24, w.args...)
	x.work(w)
	x.requireDone()
}
