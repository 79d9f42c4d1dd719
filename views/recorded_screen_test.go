package views_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bincard/tui/tuitest"
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
	held     []string // lots that the ledger holds for the line
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
	nowRow       = regexp.MustCompile(`  Now +([\d,]+)  `)
	deltaRow     = regexp.MustCompile(`^ Available +[\d,]+ → +-?[\d,]+ +-([\d,]+)`)
	moreLots     = regexp.MustCompile(`^ {13}(\S.* × [\d,]+,?)$`)
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
			text := lotRow.FindStringSubmatch(row)[1]
			for _, m := range heldLot.FindAllStringSubmatch(text, -1) {
				l.held = append(l.held, m[1])
			}
			if first := strings.Fields(text)[0]; !slices.Contains([]string{"packed", "picked", "allocated", "scan"}, first) {
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
