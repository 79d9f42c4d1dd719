package views_test

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"

	"bincard/server/testenv"
	"bincard/tui/plain"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/viewtest"
)

// A terminal is where a case is counted and booked.
type terminal interface {
	scan(label string)
	enter(text string) // types a text, and then enter
	press(keys ...string)
	wait()              // until an earlier scan cannot end with the next enter
	selectLine(i int)   // of an order
	shown() shownLine   // the current line
	fault() string      // the error that is shown
	asksAgain() bool    // for the last scan, to confirm it
	asksToAccept() bool // what is over
	dialog() string     // the question that is asked
	said() string       // the last message
	view() string       // all that is shown, for messages
}

// A screenTerminal is a terminal with a screen.
type screenTerminal struct {
	*tuitest.Driver
	seed uint64
}

func (s *screenTerminal) scan(label string)    { s.Scan(label) }
func (s *screenTerminal) enter(text string)    { s.Type(text).Key("enter") }
func (s *screenTerminal) press(keys ...string) { s.Key(keys...) }
func (s *screenTerminal) wait()                { s.Advance(2 * time.Second) }
func (s *screenTerminal) fault() string        { return s.Model.Fault() }
func (s *screenTerminal) dialog() string       { return s.Model.Dialog() }
func (s *screenTerminal) said() string         { return s.Model.Toast() }
func (s *screenTerminal) view() string         { return s.View() }
func (s *screenTerminal) asksAgain() bool {
	return strings.Contains(s.View(), "Scan it again to confirm")
}
func (s *screenTerminal) asksToAccept() bool { return strings.Contains(s.View(), "F8 accept") }

func (s *screenTerminal) selectLine(i int) {
	s.Key("up", "up", "up")
	for range i {
		s.Key("down")
	}
}

// A shownLine is what a screen shows of a counted line.
type shownLine struct {
	sku      string
	quantity int64
	lot      string
	lots     map[string]int64 // of each lot, if several are counted
	held     []string         // lots that the ledger holds for the line
	serials  []string
	damaged  int64
	over     int64
}

var (
	lotRow       = regexp.MustCompile(`^ +Lot +(\S.*)$`)
	serialsRow   = regexp.MustCompile(`^ +Serials +(\S.*)$`)
	suggestedRow = regexp.MustCompile(`^ +(?:Lot|Serials) +\(`)
	damagedRow   = regexp.MustCompile(`^ +Damaged +([\d,]+) `)
	overRow      = regexp.MustCompile(`^ +Over +([\d,]+) `)
	nowRow       = regexp.MustCompile(`  This count +([\d,]+)  `)
	deltaRow     = regexp.MustCompile(`^ Available +[\d,]+ → +-?[\d,]+ +-([\d,]+)`)
	moreLots     = regexp.MustCompile(`^ {13}(\S.* × [\d,]+,?)$`)
	countedLot   = regexp.MustCompile(`(\S+) [×x] ([\d,]+)`)
	heldLot      = regexp.MustCompile(`(\S+) × [\d,]+`)
)

// shown returns what the screen shows of the current line. now is the column of the counted
// quantity in the table of an order.
func (s *screenTerminal) shown() (l shownLine) {
	now := -1
	for _, row := range strings.Split(s.View(), "\n") {
		row = strings.TrimRight(row, " ")
		if i := strings.Index(row, " to go "); i > 0 && strings.HasSuffix(row, " now") {
			now = len([]rune(row))
		}
		switch {
		case now > 0 && strings.HasPrefix(row, "▸ "):
			l.sku = strings.Fields(row)[1]
			if text := []rune(row); len(text) >= now {
				l.quantity = number(string(text[now-7 : now]))
			}
			now = -1
		case suggestedRow.MatchString(row): // nothing of it is scanned
		case lotRow.MatchString(row):
			counted, _, _ := strings.Cut(lotRow.FindStringSubmatch(row)[1], "  ")
			l.lots = lotQuantities(counted)
			text := strings.TrimSpace(strings.TrimPrefix(lotRow.FindStringSubmatch(row)[1], counted))
			if l.lots == nil {
				text = lotRow.FindStringSubmatch(row)[1]
			}
			for _, m := range heldLot.FindAllStringSubmatch(text, -1) {
				l.held = append(l.held, m[1])
			}
			if first := (strings.Fields(text + " -"))[0]; l.lots == nil && !slices.Contains([]string{"packed", "picked", "allocated", "scan"}, first) {
				l.lot = first
			}
		case moreLots.MatchString(row):
			for _, m := range heldLot.FindAllStringSubmatch(row, -1) {
				l.held = append(l.held, m[1])
			}
		case serialsRow.MatchString(row):
			for _, word := range strings.Fields(strings.Split(serialsRow.FindStringSubmatch(row)[1], "(")[0]) {
				if strings.HasSuffix(word, fmt.Sprint("-", s.seed)) {
					l.serials = append(l.serials, word)
				}
			}
		case damagedRow.MatchString(row):
			l.damaged = number(damagedRow.FindStringSubmatch(row)[1])
		case overRow.MatchString(row):
			l.over = number(overRow.FindStringSubmatch(row)[1])
		case deltaRow.MatchString(row):
			l.quantity = number(deltaRow.FindStringSubmatch(row)[1])
		case nowRow.MatchString(row):
			l.quantity = number(nowRow.FindStringSubmatch(row)[1])
		}
	}
	return l
}

// lotQuantities returns what "L1 × 3, L2 × 1" says of each lot; nil of one lot.
func lotQuantities(text string) (out map[string]int64) {
	if strings.HasPrefix(text, "packed ") || strings.HasPrefix(text, "picked ") || strings.HasPrefix(text, "allocated ") {
		return nil
	}
	for _, m := range countedLot.FindAllStringSubmatch(text, -1) {
		if out == nil {
			out = map[string]int64{}
		}
		out[m[1]] += number(m[2])
	}
	return out
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(strings.ReplaceAll(strings.TrimSpace(text), ",", ""), 10, 64)
	return n
}

// readLines returns what the terminal shows of each of n lines.
func (c *recordedCase) readLines(n int) (out []shownLine) {
	for i := range n {
		c.d.selectLine(i)
		if l := c.d.shown(); l.quantity > 0 {
			out = append(out, l)
		}
	}
	return out
}

// label returns a random label of a product, or of nothing.
func (c *recordedCase) label(p recordedProduct) string {
	gs1, code := "]C1", ""
	if !c.chance(3) {
		gs1 += "010" + p.gtin
	}
	switch c.r.IntN(8) {
	case 0:
		return p.SKU
	case 1:
		return p.gtin
	case 2:
		if code = fmt.Sprint("L9-", c.seed); len(p.lots) > 0 {
			code = c.one(p.lots)
		}
		return code
	case 3:
		if len(p.serials) > 0 {
			return c.one(p.serials)
		}
	}
	if len(p.lots) > 0 && (len(p.serials) == 0 || c.chance(2)) {
		gs1 += "10" + c.one(p.lots)
		if len(p.serials) > 0 {
			gs1 += "\x1d"
		}
	}
	if len(p.serials) > 0 {
		gs1 += "21" + c.one(p.serials)
	}
	return gs1
}

// count does random things that count, and acknowledges errors.
func (c *recordedCase) count(products []recordedProduct, keys ...string) {
	for range c.upTo(6) {
		c.site.change(c)
		if c.chance(3) {
			what := append([]string{"+", "ctrl+z", "7"}, keys...)
			if key := c.one(what); key == "7" {
				key = strconv.FormatInt(c.upTo(6), 10)
				c.note("type %s", key)
				c.d.enter(key)
			} else {
				c.note("press %s", key)
				c.d.press(key)
			}
		} else {
			label := c.label(products[c.r.IntN(len(products))])
			c.note("scan %q", label)
			c.d.scan(label)
			if c.d.asksAgain() && c.chance(2) {
				c.d.wait()
				c.d.scan(label)
			}
		}
		c.settle()
	}
}

// settle acknowledges an error and closes a dialog.
func (c *recordedCase) settle() {
	for range 5 {
		fault, dialog := c.d.fault(), c.d.dialog()
		switch {
		case fault != "":
			c.note("  %s", fault)
			c.d.wait()
			c.d.press("enter")
		case dialog != "":
			c.note("  %s", dialog)
			c.d.wait()
			c.d.press("esc")
		default:
			return
		}
	}
}

// TestPlainScans_AreRecorded runs the cases of TestScans_AreRecorded in line mode. What is
// written of a line is all that the operator knows of it.
func TestPlainScans_AreRecorded(t *testing.T) {
	t.Parallel()
	runRecorded(t, testenv.RecordedPlainScans, inLineMode)
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
	plainLots    = regexp.MustCompile(`  lot (\S+ x [\d,]+(?:, \S+ x [\d,]+)+)(?:  |$)`)
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
		if m := plainLots.FindStringSubmatch(row); m != nil {
			out.lot, out.lots = "", lotQuantities(m[1])
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
