package count

import (
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
)

// A ScanMatcher matches scans to the lines of a document and counts them. It uses
// neither the screen nor the service: codes that it does not know are returned in
// ScanResult.Lookup, and ResolveScan continues with the matches.
type ScanMatcher struct {
	Translator *i18n.Translator
	Lines      []*Line
	Current    int  // the line scanned last, which lot and serial labels refer to
	Incoming   bool // items come in, with new lots and serials; otherwise they go out
	Ships      bool // items leave for good: expired ones are rejected
	Removes    bool // what is counted comes off the stock
	// LocationID is where the items are handled. The label of this location is
	// accepted.
	LocationID api.ID
	// ChooseLine returns the line on which a label for the item of line i is counted,
	// if lots are counted separately; it may add one. Nil means line i.
	ChooseLine func(i int, r Label) int
	// AddLine adds an item that is on no line and returns its line; if ConfirmAdd is
	// set, the operator must confirm it. Nil rejects such items.
	AddLine    func(p *api.Product) (line int)
	ConfirmAdd bool
	// Learned maps unknown codes that the operator confirmed to line keys.
	Learned map[string]string
	// Today returns the current day, to detect expired lots.
	Today func() time.Time
	// SelectFirst makes the first scan of a product select it and count 0; each further
	// scan counts. A serial number counts at once.
	SelectFirst bool
	// Selected has the products that were scanned, with SelectFirst.
	Selected []api.ID
	// HasSerial reports whether a serial may be counted on a line; nil means that any may.
	// Others are rejected with a SerialElsewhereError.
	HasSerial func(line *Line, serial string) bool
	// AllowZero makes a typed 0 an explicit count of zero; otherwise it clears the
	// line.
	AllowZero   bool
	wantsSerial bool    // a serialized product was scanned; its serial is next
	typed       *string // group of the line whose count was typed last; nil after a scan
}

// Line returns the line being counted, or an empty one if there are none.
func (m *ScanMatcher) Line() *Line {
	if len(m.Lines) == 0 {
		return &Line{}
	}
	m.Current = max(0, min(m.Current, len(m.Lines)-1))
	return m.Lines[m.Current]
}

// Total returns how many pieces are counted on all lines.
func (m *ScanMatcher) Total() (n int64) {
	for _, l := range m.Lines {
		n += l.Count.Quantity + l.Count.OverReceipt
	}
	return n
}

// WantsSerial reports whether the next scan must be a serial number.
func (m *ScanMatcher) WantsSerial() bool { return m.wantsSerial }

// Scan counts a label, or says why it cannot.
func (m *ScanMatcher) Scan(r Label) ScanResult {
	if out, ok := m.scanPallet(r); ok {
		return out
	}

	if i, unit, factor, ok := m.findLine(r); ok {
		if r.Problem != "" && !m.matchesText(r, i) {
			return rejected(m.misreadError(r))
		}
		return m.countScan(r, i, unit, factor)
	}

	if r.Problem != "" && !r.HasNoCode() && r.Scan.GS1.Form == "number" && len(r.Codes) == 1 {
		return ScanResult{Lookup: r.Codes} // may be an in-house code
	}

	switch {
	case r.Problem != "":
		return rejected(m.misreadError(r))
	case r.HasNoCode() && r.Serial == "" && r.Lot == "" && r.ExpiresAt.IsZero():
		return rejected(
			m.Translator.NewError("%s has no product. Nothing was counted: scan the product label.", r.Name()),
		)
	case r.HasNoCode():
		return m.countScan(r, m.Current, "", 0)
	}

	if line := m.Line(); m.wantsSerial && line.BySerial() && r.Scan.GS1.Form == "" {
		return m.countScan(Label{Scan: r.Scan, Serial: r.Codes[0]}, m.Current, "", 0)
	}

	return ScanResult{Lookup: r.Codes}
}

// findLine returns the line that a code of the label names, with the unit and its
// pieces. It prefers lines with something left to count.
func (m *ScanMatcher) findLine(r Label) (line int, unit string, factor int64, ok bool) {
	var order []int
	for i := range m.Lines {
		order = append(order, i)
	}
	if at := m.Current; at < len(order) { // the current line comes first
		copy(order[1:at+1], order[:at])
		order[0] = at
	}

	m.preferAnnounced(order, r)
	open := func(i int) bool { return m.Lines[i].Remaining() > 0 }
	slices.SortStableFunc(order, func(a, b int) int { return boolInt(open(b)) - boolInt(open(a)) })
	for _, i := range order {
		if unit, factor, ok = m.Lines[i].Item.MatchCode(m.Translator, r.Codes...); ok {
			return i, unit, factor, true
		}
	}

	for _, code := range r.Codes {
		key, ok := m.Learned[code]
		at := slices.IndexFunc(m.Lines, func(l *Line) bool { return l.Key == key })
		if ok && at >= 0 {
			return at, names.Unit(m.Translator, m.Lines[at].Item.BaseUnit), 1, true
		}
	}

	return 0, "", 0, false
}

// NamesOtherItem reports whether the trade item number of a label is not one of the current
// item. An item that is not in the catalog may have any.
func (m *ScanMatcher) NamesOtherItem(r Label) bool {
	item := m.Line().Item
	if r.Scan.GS1.GTIN == "" {
		return false
	}
	if i, _, _, ok := m.findLine(r); ok {
		return m.Lines[i].Item.ID != item.ID
	}
	return item.InCatalog
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// matchesText reports whether the whole text names the item. It is then not a trade
// item number, even if it looks like an invalid one.
func (m *ScanMatcher) matchesText(r Label, line int) bool {
	if r.Scan.GS1.Form != "number" {
		return false
	}
	_, _, ok := m.Lines[line].Item.MatchCode(m.Translator, r.Scan.Text)
	return ok
}

// countScan counts a label on line i. A factor of 0 means a lot or serial label.
func (m *ScanMatcher) countScan(r Label, i int, unit string, factor int64) ScanResult {
	if m.ChooseLine != nil && i < len(m.Lines) {
		i = m.ChooseLine(i, r)
	}
	if i >= len(m.Lines) {
		return rejected(m.Translator.NewError("There is nothing to count here."))
	}

	if c := &m.Lines[i].Count; r.Lot != "" && r.ExpiresAt.IsZero() && (c.Lot != r.Lot || c.ExpiresAt.IsZero()) {
		r.ExpiresAt = m.AnnouncedExpiry(m.Lines[i], r.Lot) // which the label does not repeat
	}

	text := m.ExpiredText(r.Lot, r.ExpiresAt, m.Lines[i])
	if text != "" && m.Ships {
		return rejected(m.Translator.NewError("%s Nothing was counted: take another lot.", text))
	}
	if text = strings.TrimSpace(text + " " + m.unannouncedText(r, m.Lines[i])); text != "" {
		r.ExpiresAt, r.Problem = r.ExpiresAt.In(time.UTC), ""
		return ScanResult{Question: text, Confirm: m.applyLater(r, i, unit, factor)}
	}

	if err := m.Lines[i].pickedLotError(m.Translator, r.Lot); err != nil {
		return ScanResult{Err: err, Confirm: m.applyLater(r, i, unit, factor)}
	}
	text = m.Lines[i].noStockText(m.Translator, r.Lot)
	if text == "" {
		text = m.Lines[i].EarlierLotText(m.Translator, r.Lot, r.ExpiresAt)
	}
	if text != "" {
		return ScanResult{Question: text, Confirm: m.applyLater(r, i, unit, factor)}
	}

	return m.applyScan(r, i, unit, factor)
}

// applyLater returns what counts a label on line i, wherever the line is by then.
func (m *ScanMatcher) applyLater(r Label, i int, unit string, factor int64) func() ScanResult {
	key := m.Lines[i].Key
	return func() ScanResult {
		at := slices.IndexFunc(m.Lines, func(l *Line) bool { return l.Key == key })
		if at < 0 {
			return rejected(m.Translator.NewError("There is nothing to count here."))
		}
		return m.applyScan(r, at, unit, factor)
	}
}

// ExpiredText says that the items of a line have expired, if they come in or leave for good;
// else it returns "". The date that the line already has is confirmed. Items do not leave on
// the day they expire.
func (m *ScanMatcher) ExpiredText(lot string, expiresAt time.Time, line *Line) string {
	if !m.Incoming && !m.Ships || m.Today == nil || expiresAt.IsZero() || expiresAt.Equal(line.Count.ExpiresAt) {
		return ""
	}
	if today := m.Today(); expiresAt.After(today) || m.Incoming && expiresAt.Equal(today) {
		return ""
	}

	what := m.Translator.Get("This item")
	if lot != "" {
		what = m.Translator.Get("Lot %s", lot)
	}

	return m.Translator.Get("%s expired %s.", what, m.Translator.Date(expiresAt))
}

func (m *ScanMatcher) applyScan(r Label, i int, unit string, factor int64) ScanResult {
	line := Joined(m.Lines, m.Lines[i])
	before, wantedSerial := line.Count, m.wantsSerial
	m.wantsSerial = m.wantsSerial && i == m.Current
	entry := &FeedEntry{Source: unit, SKU: line.Item.SKU, Lot: r.Lot}
	onlyLot := factor > 0 && m.namesLot(r, line)
	if m.SelectFirst && factor > 0 && (r.Serial == "" || !line.BySerial()) && !m.IsSelected(line.Item.ID) {
		return m.selectLine(i)
	}

	err := line.SetLot(m.Translator, r.Lot, r.ExpiresAt)
	switch {
	case err == nil && onlyLot:
		entry.Kind, entry.Source = lotScan, m.Translator.Get("lot")
	case err == nil:
		err = m.addQuantity(r, line, factor, entry)
	}

	if err != nil {
		line.Count = before
		var over *OverReceiptError
		var otherLot *OtherLotError
		if errors.As(err, &over) || errors.As(err, &otherLot) {
			m.Current = i // what can be done about it is done to this line
		} else {
			m.wantsSerial = wantedSerial
		}

		return rejected(err)
	}

	m.Current, m.typed = i, nil
	m.Select(line.Item.ID)
	m.spread(line, entry)
	if entry.Lot == "" && !m.wantsSerial {
		entry.Lot = line.Count.Lot
	}
	if n := line.Count.Quantity - before.Quantity; n != 0 {
		entry.Change = m.change(n)
	}

	entry.Total = m.Translator.Count(line.Count.Quantity)

	return ScanResult{Entry: entry}
}

// change writes by how much the stock changes if n more pieces are counted.
func (m *ScanMatcher) change(n int64) string {
	if m.Removes {
		n = -n
	}
	return m.Translator.Change(n)
}

// IsSelected reports whether the next scan of a product counts.
func (m *ScanMatcher) IsSelected(product api.ID) bool {
	return slices.Contains(m.Selected, product) || m.IsCounted(product)
}

// IsCounted reports whether a quantity of a product is counted on any line.
func (m *ScanMatcher) IsCounted(product api.ID) bool {
	return slices.ContainsFunc(
		m.Lines,
		func(l *Line) bool { return l.Item.ID == product && (l.Count.Quantity > 0 || l.Count.None) },
	)
}

// Select makes the next scan of a product count.
func (m *ScanMatcher) Select(product api.ID) {
	if m.SelectFirst && !slices.Contains(m.Selected, product) {
		m.Selected = append(m.Selected, product)
	}
}

// selectLine selects line i and counts nothing.
func (m *ScanMatcher) selectLine(i int) ScanResult {
	line := m.Lines[i]
	m.Current, m.typed, m.wantsSerial = i, nil, line.BySerial()
	m.Select(line.Item.ID)
	text := m.Translator.Get("%s selected, 0 counted. Scan again to count.", line.Item.SKU)
	if line.BySerial() {
		text = m.Translator.Get("%s selected, 0 counted. Scan the serial number of each item.", line.Item.SKU)
	}
	return ScanResult{Entry: &FeedEntry{Source: text}}
}

// namesLot reports whether the label of an item only says of which lot the counted
// pieces are: the lot of the current line is asked for, their number was typed, or no more
// are expected.
func (m *ScanMatcher) namesLot(r Label, line *Line) bool {
	c := &line.Count
	return line.ByLot() && r.Lot != "" && !r.HasQuantity && c.Lot == "" && c.Quantity > 0 &&
		(m.Incoming && line == m.Line() || line.Remaining() == 0 || m.typed != nil && *m.typed == line.Group())
}

// addQuantity adds the quantity of a label to a line.
func (m *ScanMatcher) addQuantity(r Label, line *Line, factor int64, entry *FeedEntry) error {
	serialized := line.BySerial() ||
		line.Item.Tracking == "" && r.Serial != "" && int64(len(line.Count.Serials)) == line.Count.Quantity
	switch {
	case serialized && r.Serial != "":
		if m.HasSerial != nil && !m.HasSerial(line, r.Serial) {
			return &SerialElsewhereError{
				Line:   line,
				Serial: r.Serial,
				Label:  r,
				text: m.Translator.Get(
					"Serial %s is not recorded here. Nothing was counted: check the label.",
					r.Serial,
				),
			}
		}

		m.wantsSerial = false
		entry.Kind, entry.Source, entry.Lot = serialScan, m.Translator.Get("serial"), r.Serial
		if other := m.lineWithSerial(line, r.Serial); other != nil {
			return m.Translator.NewError(
				"Serial %s is already counted. The count stays at %s.",
				r.Serial,
				m.Translator.Count(line.Count.Quantity),
			)
		}

		return line.AddSerial(m.Translator, r.Serial)

	case line.BySerial() && factor > 0 && line.addable() == 0:
		m.wantsSerial = false
		return line.overReceiptError(m.Translator, 1)
	case line.BySerial() && factor > 0:
		m.wantsSerial = true
		entry.Lot = m.Translator.Get("serial?")
		return nil
	case factor == 0 && r.Serial != "":
		return m.Translator.NewError("%s is not serialized. Scan the product, or type the quantity.", line.Item.SKU)
	case factor == 0:
		entry.Kind, entry.Source = lotScan, m.Translator.Get("lot")
		return nil
	case r.HasQuantity && r.PerItem:
		return line.Add(m.Translator, r.Quantity*factor)
	case r.HasQuantity:
		return line.Add(m.Translator, r.Quantity)
	}

	return line.Add(m.Translator, factor)
}

// lineOfProduct returns the line with a product, preferably the current one, or -1.
func (m *ScanMatcher) lineOfProduct(id api.ID) int {
	if m.Current < len(m.Lines) && m.Lines[m.Current].Item.ID == id {
		return m.Current
	}
	return slices.IndexFunc(m.Lines, func(l *Line) bool { return l.Item.ID == id })
}

// lineWithSerial returns another line of the same product on which a serial is counted, or
// nil.
func (m *ScanMatcher) lineWithSerial(line *Line, serial string) *Line {
	for _, other := range m.Lines {
		if other != line && other.Item.ID == line.Item.ID && slices.Contains(other.Count.Serials, serial) {
			return other
		}
	}

	return nil
}
