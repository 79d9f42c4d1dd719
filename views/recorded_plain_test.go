package views_test

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bincard/server/budget"
	"bincard/tui/plain"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// TestPlainScans_AreRecorded runs the cases of TestScans_AreRecorded in line mode. What is
// written of a line is all that the operator knows of it.
func TestPlainScans_AreRecorded(t *testing.T) {
	t.Parallel()
	runRecorded(t, budget.RecordedPlainScans, inLineMode)
}

// inLineMode returns what sets a case up in line mode.
func inLineMode(t *testing.T) func(*recordedCase) {
	h := viewtest.NewWarehouse(t)
	reg := jobRegistry(h)
	return func(c *recordedCase) { c.Warehouse, c.reg, c.plain = h, reg, true }
}

// A lineTerminal is a terminal in line mode.
type lineTerminal struct {
	c      *recordedCase
	input  *io.PipeWriter
	output chan []byte
	clock  *lineClock
	text   string // what the last line brought
	prompt string
}

// A lineClock moves with each line. Its timers never fire.
type lineClock struct{ moved atomic.Int64 }

func (c *lineClock) Now() time.Time { return tuitest.Noon.Add(time.Duration(c.moved.Load())) }
func (c *lineClock) Tick(time.Duration, func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg { return nil }
}

// Write receives what the dialog writes.
func (l *lineTerminal) Write(p []byte) (int, error) {
	l.output <- bytes.Clone(p)
	return len(p), nil
}

// newLineTerminal opens a route in line mode. options may change the options.
func newLineTerminal(c *recordedCase, route string, options ...func(*shell.Options)) *lineTerminal {
	in, input := io.Pipe()
	l := &lineTerminal{c: c, input: input, output: make(chan []byte, 4096), clock: &lineClock{}}
	done := make(chan error, 1)
	opts := shell.Options{Registry: c.reg, NoSignals: true, Clock: l.clock}
	for _, set := range options {
		set(&opts)
	}
	go func() { done <- plain.Run(c.t.Context(), plain.Options{In: in, Out: l, Width: 500, Shell: opts}) }()
	c.closing = func() {
		require.NoError(c.t, input.Close())
		if err := <-done; err != nil {
			require.ErrorIs(c.t, err, plain.ErrUnacknowledged)
		}
	}
	l.line(strings.Replace(route, "/", " ", 1))
	return l
}

// interrupted answers ctrl+c, which changes nothing. It shows that the line before it is
// done.
const interrupted = "Press ctrl+c again to quit"

// line types a line, and reads what it brings.
func (l *lineTerminal) line(text string) {
	l.clock.moved.Add(int64(2 * time.Second))
	_, err := io.WriteString(l.input, text+"\r\x03")
	require.NoError(l.c.t, err)
	var all string
	for {
		select {
		case p := <-l.output:
			all += string(p)
		case <-time.After(time.Minute):
			require.Fail(l.c.t, "line mode does not answer", "%q: %s", text, all)
		}
		before, prompt, answered := strings.Cut(all, interrupted)
		if answered && strings.HasSuffix(prompt, "> ") {
			l.text, l.prompt = before, prompt[strings.LastIndex(prompt, "\n")+1:]
			l.c.log = append(l.c.log, "    > "+strings.ReplaceAll(text, "\x1d", "<GS>"), strings.TrimRight(before, "!\n ")+"\n"+l.prompt)
			return
		}
	}
}

// scan types a code in one of the ways to type it.
func (l *lineTerminal) scan(label string) {
	switch l.c.r.IntN(4) {
	case 0:
		label = "\x02" + label + "\x03"
	case 1:
		label = "scan " + label
	}
	l.line(label)
}

func (l *lineTerminal) enter(text string) { l.line(text) }
func (l *lineTerminal) wait()             {}

func (l *lineTerminal) press(keys ...string) {
	for _, key := range keys {
		switch {
		case key == "up":
			key = "#1"
		case key == "down":
			key = "#2"
		case key == "ctrl+z":
			key = "undo"
		case key == "enter" && l.prompt == "yes or no> ":
			key = "yes"
		case key == "enter" && l.prompt == "number> ":
			key = "1"
		}
		l.line(key)
	}
}

func (l *lineTerminal) selectLine(i int) { l.line([]string{"#1", "#2", "#3"}[i]) }

func (l *lineTerminal) fault() string {
	if l.prompt != "enter continues> " && !l.asksAgain() {
		return ""
	}
	for _, mark := range []string{"no  ", "?   "} {
		for _, row := range strings.Split(l.text, "\n") {
			if text, ok := strings.CutPrefix(row, mark); ok {
				return text
			}
		}
	}
	return l.prompt
}

func (l *lineTerminal) dialog() string {
	switch l.prompt {
	case "number> ", "yes or no> ":
		return l.text
	}
	if strings.HasPrefix(l.prompt, "answer") {
		return l.text
	}
	return ""
}

func (l *lineTerminal) asksAgain() bool    { return l.prompt == "again, or enter to skip> " }
func (l *lineTerminal) asksToAccept() bool { return strings.Contains(l.text, ": accept ") }
func (l *lineTerminal) said() string       { return l.text }
func (l *lineTerminal) view() string       { return l.text + l.prompt }

var (
	plainNow     = regexp.MustCompile(`^  now ([\d,]+)(?:  |$)`)
	plainOver    = regexp.MustCompile(`(?:^|  )([\d,]+) extra(?:  |$)`)
	plainLot     = regexp.MustCompile(`  lot (\S+)(?:  |$)`)
	plainDamaged = regexp.MustCompile(`  damaged ([\d,]+)(?:  |$)`)
	plainSerials = regexp.MustCompile(`  serials (\S.*)$`)
	plainHeld    = regexp.MustCompile(`(\S+) x [\d,]+`)
	plainSKU     = regexp.MustCompile(`^  (?:line )?([A-Z]\d+)(?:: |  Item)`)
	plainStages  = regexp.MustCompile(`^  (?:packed|picked|allocated) `)
)

func (l *lineTerminal) shown() (out shownLine) {
	l.line("where")
	for _, row := range strings.Split(l.text, "\n") {
		if m := plainSKU.FindStringSubmatch(row); m != nil {
			out.sku = m[1]
		}
		if plainStages.MatchString(row) {
			for _, m := range plainHeld.FindAllStringSubmatch(row, -1) {
				out.held = append(out.held, m[1])
			}
		}
		now, over := plainNow.FindStringSubmatch(row), plainOver.FindStringSubmatch(row)
		if now == nil && over == nil {
			continue
		}
		if now != nil {
			out.quantity = number(now[1])
		}
		if over != nil {
			out.over = number(over[1])
		}
		if m := plainLot.FindStringSubmatch(row); m != nil {
			out.lot = m[1]
		}
		if m := plainDamaged.FindStringSubmatch(row); m != nil {
			out.damaged = number(m[1])
		}
		if m := plainSerials.FindStringSubmatch(row); m != nil {
			out.serials = strings.Fields(m[1])
		}
	}
	return out
}
