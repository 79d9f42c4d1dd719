package dock

import (
	"bincard/tui/i18n"
	"errors"
	"slices"
	"time"

	"bincard/server/api"
)

// A ScanMatcher counts the goods of a document by scans. It knows no screen and no
// service: what it cannot tell it says (Outcome.Ask), and is told (Told).
type ScanMatcher struct {
	Translator *i18n.Translator
	Lines      []*Line
	Current    int  // the line that mere lot and serial labels speak of: the one scanned last
	Incoming   bool // goods come in: lots and serial numbers are new; else they go out
	// LocationID is where the goods are handled: its own label is right, and no goods.
	LocationID api.ID
	// ChooseLine chooses the line that a reading of line i's goods is counted on, where
	// lots are counted apart; it may add one. Nil counts it on line i.
	ChooseLine func(i int, r Label) int
	// AddLine takes goods on that are on no line, and tells their line; open asks
	// first. Nil refuses them.
	AddLine    func(p *api.Product) (line int)
	ConfirmAdd bool
	// Learned are codes the service does not know that a person confirmed, by line key.
	Learned map[string]string
	// Today is the day, to tell lots that have ended.
	Today       func() time.Time
	wantsSerial bool // the product of a piece was scanned, its serial number is next
}

// Line is the line being counted.
func (t *ScanMatcher) Line() *Line {
	if len(t.Lines) == 0 {
		return &Line{}
	}
	t.Current = max(0, min(t.Current, len(t.Lines)-1))
	return t.Lines[t.Current]
}

// Total is how many pieces are counted on all lines.
func (t *ScanMatcher) Total() (n int64) {
	for _, l := range t.Lines {
		n += l.Count.Quantity + l.Count.OverReceipt
	}
	return n
}

// WantsSerial tells whether the next scan must be a serial number.
func (t *ScanMatcher) WantsSerial() bool { return t.wantsSerial }

// Scan counts what a scan says, or tells why not.
func (t *ScanMatcher) Scan(r Label) ScanResult {
	if i, unit, factor, ok := t.findLine(r); ok {
		if r.Problem != "" && !t.matchesText(r, i) {
			return rejectMisread(t.Translator, r)
		}
		return t.countScan(r, i, unit, factor)
	}
	if r.Problem != "" && !r.HasNoCode() && r.Scan.GS1.Form == "number" && len(r.Codes) == 1 {
		return ScanResult{Lookup: r.Codes} // perhaps a code of the company's own
	}
	switch {
	case r.Problem != "":
		return rejectMisread(t.Translator, r)
	case r.HasNoCode() && r.Serial == "" && r.Lot == "" && r.ExpiresAt.IsZero():
		return rejected(errors.New(t.Translator.Get("%s names no product. Nothing was counted: scan the product label.", r.Name())))
	case r.HasNoCode():
		return t.countScan(r, t.Current, "", 0)
	}
	if line := t.Line(); t.wantsSerial && line.BySerial() && r.Scan.GS1.Form == "" {
		return t.countScan(Label{Scan: r.Scan, Serial: r.Codes[0]}, t.Current, "", 0)
	}
	return ScanResult{Lookup: r.Codes}
}

// findLine tells which line a reading's code names.
func (t *ScanMatcher) findLine(r Label) (line int, unit string, factor int64, ok bool) {
	order := []int{t.Current}
	for i := range t.Lines {
		if i != t.Current {
			order = append(order, i)
		}
	}
	open := func(i int) bool { return t.Lines[i].Remaining() > 0 }
	slices.SortStableFunc(order, func(a, b int) int { return boolInt(open(b)) - boolInt(open(a)) })
	for _, i := range order {
		if i >= len(t.Lines) {
			continue
		}
		if unit, factor, ok = t.Lines[i].Item.MatchCode(t.Translator, r.Codes...); ok {
			return i, unit, factor, true
		}
	}
	for _, code := range r.Codes {
		key, ok := t.Learned[code]
		at := slices.IndexFunc(t.Lines, func(l *Line) bool { return l.Key == key })
		if ok && at >= 0 {
			return at, t.Lines[at].Item.UnitWord(t.Translator), 1, true
		}
	}
	return 0, "", 0, false
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// matchesText tells whether the whole text names the goods: then it is no trade
// item number, whatever is wrong with it as one.
func (t *ScanMatcher) matchesText(r Label, line int) bool {
	if r.Scan.GS1.Form != "number" {
		return false
	}
	_, _, ok := t.Lines[line].Item.MatchCode(t.Translator, r.Scan.Text)
	return ok
}

func rejectMisread(t *i18n.Translator, r Label) ScanResult {
	return rejected(errors.New(t.Get("Invalid label: %s. Nothing was counted: scan it again, or type the quantity.", r.Problem)))
}

// countScan counts a reading on a line. A factor of 0 is a mere lot or serial label.
func (t *ScanMatcher) countScan(r Label, i int, unit string, factor int64) ScanResult {
	if t.ChooseLine != nil && i < len(t.Lines) {
		i = t.ChooseLine(i, r)
	}
	if i >= len(t.Lines) {
		return rejected(errors.New(t.Translator.Get("There is nothing to count here.")))
	}
	if day := t.expiredOn(r, t.Lines[i].Count.ExpiresAt); day != "" {
		what := t.Translator.Get("This item")
		if r.Lot != "" {
			what = t.Translator.Get("Lot %s", r.Lot)
		}
		r.ExpiresAt, r.Problem = r.ExpiresAt.In(time.UTC), ""
		late := r
		return ScanResult{Question: t.Translator.Get("%s expired %s.", what, day),
			Confirm: func() ScanResult { return t.applyScan(late, i, unit, factor) }}
	}
	return t.applyScan(r, i, unit, factor)
}

// expiredOn is the day that goods which come in were good until, if that is past
// and nobody has confirmed it yet.
func (t *ScanMatcher) expiredOn(r Label, confirmed time.Time) string {
	if !t.Incoming || t.Today == nil || r.ExpiresAt.IsZero() || !r.ExpiresAt.Before(t.Today()) || r.ExpiresAt.Equal(confirmed) {
		return ""
	}
	return r.ExpiresAt.Format(time.DateOnly)
}

func (t *ScanMatcher) applyScan(r Label, i int, unit string, factor int64) ScanResult {
	line := t.Lines[i]
	before := line.Count
	said := &FeedEntry{Source: unit, SKU: line.Item.SKU, Lot: r.Lot}
	err := line.SetLot(t.Translator, r.Lot, r.ExpiresAt)
	if err == nil {
		err = t.addQuantity(r, line, factor, said)
	}
	if err != nil {
		line.Count = before
		return rejected(err)
	}
	t.Current = i
	if said.Lot == "" && !t.wantsSerial {
		said.Lot = line.Count.Lot
	}
	if n := line.Count.Quantity - before.Quantity; n != 0 {
		said.Change = t.Translator.Change(n)
	}
	said.Total = t.Translator.Count(line.Count.Quantity)
	return ScanResult{Entry: said}
}

// addQuantity counts how many a reading says there are.
func (t *ScanMatcher) addQuantity(r Label, line *Line, factor int64, said *FeedEntry) error {
	pieces := line.BySerial() || line.Item.Tracking == "" && r.Serial != "" && int64(len(line.Count.Serials)) == line.Count.Quantity
	switch {
	case pieces && r.Serial != "":
		t.wantsSerial = false
		said.Kind, said.Source, said.Lot = serialScan, t.Translator.Get("serial"), r.Serial
		return line.AddSerial(t.Translator, r.Serial)
	case line.BySerial() && factor > 0:
		t.wantsSerial = true
		said.Lot = t.Translator.Get("serial?")
		return nil
	case factor == 0 && r.Serial != "":
		return errors.New(t.Translator.Get("%s is not serialized. Scan the product, or type the quantity.", line.Item.SKU))
	case factor == 0:
		said.Kind, said.Source = lotScan, t.Translator.Get("lot")
		return nil
	case r.HasQuantity && r.PerItem:
		return line.Add(t.Translator, r.Quantity*factor)
	case r.HasQuantity:
		return line.Add(t.Translator, r.Quantity)
	}
	return line.Add(t.Translator, factor)
}

// expectedText says what was waited for: "OAT-1L", or "nothing of this".
func (t *ScanMatcher) expectedText() string {
	if len(t.Lines) == 1 {
		return t.Translator.Get("%s is expected", t.Lines[0].Item.SKU)
	}
	return t.Translator.Get("That is not on this list")
}

// find by id which line is of a product.
func (t *ScanMatcher) lineOfProduct(id api.ID) int {
	if t.Current < len(t.Lines) && t.Lines[t.Current].Item.ID == id {
		return t.Current
	}
	return slices.IndexFunc(t.Lines, func(l *Line) bool { return l.Item.ID == id })
}
