package views_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

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

// read returns what the screen shows of the current line. nowColumn is the column of the
// counted quantity in the table of an order.
func (c *recordedCase) read() (l shownLine) {
	now := -1
	for _, row := range strings.Split(c.d.View(), "\n") {
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
				if strings.HasSuffix(word, fmt.Sprint("-", c.seed)) {
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

// readLines returns what the screen shows of each of n lines.
func (c *recordedCase) readLines(n int) (out []shownLine) {
	for range n {
		c.d.Key("up")
	}
	for i := range n {
		if i > 0 {
			c.d.Key("down")
		}
		if l := c.read(); l.quantity > 0 {
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
				c.d.Type(key).Key("enter")
			} else {
				c.note("press %s", key)
				c.d.Key(key)
			}
		} else {
			label := c.label(products[c.r.IntN(len(products))])
			c.note("scan %q", label)
			c.d.Scan(label)
			if strings.Contains(c.d.View(), "scan it again to confirm") && c.chance(2) {
				c.d.Advance(time.Second).Scan(label)
			}
		}
		c.settle()
	}
}

// settle acknowledges an error and closes a dialog.
func (c *recordedCase) settle() {
	for range 5 {
		switch {
		case c.d.Model.Fault() != "":
			c.note("  %s", c.d.Model.Fault())
			c.d.Advance(time.Second).Key("enter")
		case c.d.Model.Dialog() != "":
			c.note("  %s", c.d.Model.Dialog())
			c.d.Advance(time.Second).Key("esc")
		default:
			return
		}
	}
}
