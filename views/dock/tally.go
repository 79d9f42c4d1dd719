package dock

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/widget"
)

// A Tally counts the goods of a document by scans. It knows no screen and no
// service: what it cannot tell it says (Outcome.Ask), and is told (Told).
type Tally struct {
	Lines []*Line
	At    int  // the line that mere lot and serial labels speak of: the one scanned last
	In    bool // goods come in: lots and serial numbers are new; else they go out
	// Place is where the goods are handled: its own label is right, and no goods.
	Place api.ID
	// Pick chooses the line that a reading of line i's goods is counted on, where
	// lots are counted apart; it may add one. Nil counts it on line i.
	Pick func(i int, r Reading) int
	// Join takes goods on that are on no line, and tells their line; open asks
	// first. Nil refuses them.
	Join func(p *api.Product) (line int)
	Open bool
	// Learned are codes the service does not know that a person confirmed, by line key.
	Learned map[string]string
	// Today is the day, to tell lots that have ended.
	Today func() time.Time
	wants bool // the product of a piece was scanned, its serial number is next
}

// Line is the line being counted.
func (t *Tally) Line() *Line {
	if len(t.Lines) == 0 {
		return &Line{}
	}
	t.At = max(0, min(t.At, len(t.Lines)-1))
	return t.Lines[t.At]
}

// Total is how many pieces are counted on all lines.
func (t *Tally) Total() (n int64) {
	for _, l := range t.Lines {
		n += l.Count.Now + l.Count.Over
	}
	return n
}

// WantsSerial tells whether the next scan must be a serial number.
func (t *Tally) WantsSerial() bool { return t.wants }

// Scan counts what a scan says, or tells why not.
func (t *Tally) Scan(r Reading) Outcome {
	if i, unit, factor, ok := t.find(r); ok {
		if r.Fault != "" && !t.byName(r, i) {
			return misread(r)
		}
		return t.take(r, i, unit, factor)
	}
	if r.Fault != "" && !r.Bare() && r.Scan.GS1.Form == "number" && len(r.Codes) == 1 {
		return Outcome{Ask: r.Codes} // perhaps a code of the company's own
	}
	switch {
	case r.Fault != "":
		return misread(r)
	case r.Bare() && r.Serial == "" && r.Lot == "" && r.Ends.IsZero():
		return refused(fmt.Errorf(namesNothing, r.Name()))
	case r.Bare():
		return t.take(r, t.At, "", 0)
	}
	if line := t.Line(); t.wants && line.BySerial() && r.Scan.GS1.Form == "" {
		return t.take(Reading{Scan: r.Scan, Serial: r.Codes[0]}, t.At, "", 0)
	}
	return Outcome{Ask: r.Codes}
}

// find tells which line a reading's code names.
func (t *Tally) find(r Reading) (line int, unit string, factor int64, ok bool) {
	order := []int{t.At}
	for i := range t.Lines {
		if i != t.At {
			order = append(order, i)
		}
	}
	open := func(i int) bool { return t.Lines[i].Left() > 0 }
	slices.SortStableFunc(order, func(a, b int) int { return yes(open(b)) - yes(open(a)) })
	for _, i := range order {
		if i >= len(t.Lines) {
			continue
		}
		if unit, factor, ok = t.Lines[i].Goods.Match(r.Codes...); ok {
			return i, unit, factor, true
		}
	}
	for _, code := range r.Codes {
		key, ok := t.Learned[code]
		at := slices.IndexFunc(t.Lines, func(l *Line) bool { return l.Key == key })
		if ok && at >= 0 {
			return at, t.Lines[at].Goods.Piece(), 1, true
		}
	}
	return 0, "", 0, false
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// byName tells whether the whole text names the goods: then it is no trade
// item number, whatever is wrong with it as one.
func (t *Tally) byName(r Reading, line int) bool {
	if r.Scan.GS1.Form != "number" {
		return false
	}
	_, _, ok := t.Lines[line].Goods.Match(r.Scan.Text)
	return ok
}

func misread(r Reading) Outcome {
	return refused(fmt.Errorf(misreadLabel, r.Fault))
}

// take counts a reading on a line. A factor of 0 is a mere lot or serial label.
func (t *Tally) take(r Reading, i int, unit string, factor int64) Outcome {
	if t.Pick != nil && i < len(t.Lines) {
		i = t.Pick(i, r)
	}
	if i >= len(t.Lines) {
		return refused(errors.New(nothingToCount))
	}
	if day := t.ended(r, t.Lines[i].Count.Ends); day != "" {
		what := theseGoods
		if r.Lot != "" {
			what = fmt.Sprintf(theLot, r.Lot)
		}
		r.Ends, r.Fault = r.Ends.In(time.UTC), ""
		late := r
		return Outcome{Doubt: fmt.Sprintf(doubtEnded, what, day),
			Yes: func() Outcome { return t.count(late, i, unit, factor) }}
	}
	return t.count(r, i, unit, factor)
}

// ended is the day that goods which come in were good until, if that is past
// and nobody has confirmed it yet.
func (t *Tally) ended(r Reading, confirmed time.Time) string {
	if !t.In || t.Today == nil || r.Ends.IsZero() || !r.Ends.Before(t.Today()) || r.Ends.Equal(confirmed) {
		return ""
	}
	return r.Ends.Format(time.DateOnly)
}

func (t *Tally) count(r Reading, i int, unit string, factor int64) Outcome {
	line := t.Lines[i]
	before := line.Count
	said := &Said{What: unit, SKU: line.Goods.SKU, Lot: r.Lot}
	err := line.InLot(r.Lot, r.Ends)
	if err == nil {
		err = t.number(r, line, factor, said)
	}
	if err != nil {
		line.Count = before
		return refused(err)
	}
	t.At = i
	if said.Lot == "" && !t.wants {
		said.Lot = line.Count.Lot
	}
	if n := line.Count.Now - before.Now; n != 0 {
		said.Change = widget.Change(n)
	}
	said.Now = widget.Count(line.Count.Now)
	return Outcome{Said: said}
}

// number counts how many a reading says there are.
func (t *Tally) number(r Reading, line *Line, factor int64, said *Said) error {
	pieces := line.BySerial() || line.Goods.Tracking == "" && r.Serial != "" && int64(len(line.Count.Serials)) == line.Count.Now
	switch {
	case pieces && r.Serial != "":
		t.wants = false
		said.What, said.Lot = wordSerial, r.Serial
		return line.Piece(r.Serial)
	case line.BySerial() && factor > 0:
		t.wants = true
		said.Lot = wordAndSerial
		return nil
	case factor == 0 && r.Serial != "":
		return fmt.Errorf(noSerials, line.Goods.SKU)
	case factor == 0:
		said.What = "lot"
		return nil
	case r.Counted && r.PerItem:
		return line.Add(r.Quantity * factor)
	case r.Counted:
		return line.Add(r.Quantity)
	}
	return line.Add(factor)
}

// expected says what was waited for: "OAT-1L", or "nothing of this".
func (t *Tally) expected() string {
	if len(t.Lines) == 1 {
		return fmt.Sprintf(expectedGoods, t.Lines[0].Goods.SKU)
	}
	return expectedOthers
}

// find by id which line is of a product.
func (t *Tally) lineOf(id api.ID) int {
	if t.At < len(t.Lines) && t.Lines[t.At].Goods.ID == id {
		return t.At
	}
	return slices.IndexFunc(t.Lines, func(l *Line) bool { return l.Goods.ID == id })
}
