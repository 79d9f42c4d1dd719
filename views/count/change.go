package count

import (
	"slices"
	"time"

	"bincard/server/api"
)

// SetQuantity makes n the count of the current line. source says where n comes from.
func (m *ScanMatcher) SetQuantity(n int64, source string) ScanResult {
	t, line := m.Translator, Joined(m.Lines, m.Line())
	before := line.Count.Quantity
	if n == 0 {
		cleared := Count{}
		if m.AllowZero { // none of this lot
			cleared = Count{Lot: line.Count.Lot, LotID: line.Count.LotID, ExpiresAt: line.Count.ExpiresAt, None: true}
		}
		line.Count, m.wantsSerial = cleared, false
	} else if err := line.Set(t, n); err != nil {
		return rejected(err)
	}

	group := line.Group()
	m.typed = &group
	entry := &FeedEntry{Kind: typedCount, Source: source, SKU: line.Item.SKU, Lot: line.Count.Lot,
		Change: m.change(line.Count.Quantity - before), Total: t.Count(line.Count.Quantity)}
	m.spread(line, entry)

	return ScanResult{Entry: entry}
}

// SetLot makes lot the lot of the current line, whatever is counted.
func (m *ScanMatcher) SetLot(lot string, expiresAt time.Time) FeedEntry {
	line := Joined(m.Lines, m.Line())
	c := &line.Count
	if lot != c.Lot {
		c.Lot, c.LotID = lot, api.NoID
	}

	c.ExpiresAt = expiresAt
	entry := FeedEntry{
		Kind:   lotScan,
		Source: m.Translator.Get("lot"),
		SKU:    line.Item.SKU,
		Lot:    lot,
		Total:  m.Translator.Count(c.Quantity),
	}
	m.spread(line, &entry)

	return entry
}

// SetDamaged marks n pieces of the current line as damaged by a cause.
func (m *ScanMatcher) SetDamaged(n int64, cause string) (FeedEntry, error) {
	t, line := m.Translator, m.Line()
	err := line.SetDamaged(t, n)
	if err == nil {
		line.Count.DamageCause = cause
	}

	return FeedEntry{
		Source: t.GetC("damaged", "count"),
		SKU:    line.Item.SKU,
		Lot:    line.Count.Lot,
		Change: t.Count(n),
		Total:  t.Count(line.Count.Quantity),
	}, err
}

// ToggleDamaged marks the serial on a label as damaged, or removes the mark.
func (m *ScanMatcher) ToggleDamaged(r Label) (FeedEntry, error) {
	serial := r.Serial
	switch {
	case r.Problem != "" && r.Scan.GS1.Form != "number":
		return FeedEntry{}, MisreadError(m.Translator, r)
	case serial == "" && r.Scan.GS1.Form == "":
		serial = r.Codes[0]
	}

	line := m.Line()
	err := line.ToggleDamagedSerial(m.Translator, serial)

	return FeedEntry{
		Source: m.Translator.GetC("damaged", "count"),
		SKU:    line.Item.SKU,
		Lot:    serial,
		Total:  m.Translator.Count(line.Count.Damaged),
	}, err
}

// AcceptOverReceipt counts the quantity that e rejected, with the excess as over-receipt.
// reason says why, and approvedBy which supervisor approved it; "" if none did. It rejects a
// larger excess, if less is pending by now.
func (m *ScanMatcher) AcceptOverReceipt(e *OverReceiptError, reason, approvedBy string) ScanResult {
	t, line := m.Translator, m.Line()
	c := &line.Count
	total, earlier := c.Quantity+e.pieces, c.OverReceipt
	if e.Instead {
		total, earlier = e.pieces, 0
	}

	over := max(0, total-line.Limit())
	switch {
	case over > e.Over && e.Instead:
		return rejected(line.Set(t, e.pieces))
	case over > e.Over:
		return rejected(line.overReceiptError(t, e.pieces))
	}

	c.Quantity, c.OverReceipt, c.None = total-over, earlier+over, false
	c.OverReason, c.OverApprovedBy = reason, approvedBy

	return ScanResult{Entry: &FeedEntry{
		Source: t.Get("over"),
		SKU:    line.Item.SKU,
		Lot:    c.Lot,
		Change: t.Change(over),
		Total:  t.Count(c.Quantity + c.OverReceipt),
	}}
}

// Counts are the counts of all lines at one time.
type Counts struct {
	current int
	typed   *string
	byLine  map[string]Count

	selected []api.ID
}

// Counts returns a copy of the counts.
func (m *ScanMatcher) Counts() *Counts {
	c := &Counts{current: m.Current, typed: m.typed, byLine: map[string]Count{}, selected: slices.Clone(m.Selected)}
	for _, l := range m.Lines {
		n := l.Count
		n.Serials, n.DamagedSerials = slices.Clone(n.Serials), slices.Clone(n.DamagedSerials)
		c.byLine[l.Key] = n
	}

	return c
}

// Restore returns to earlier counts.
func (m *ScanMatcher) Restore(c *Counts) {
	m.Current, m.wantsSerial, m.typed, m.Selected = c.current, false, c.typed, c.selected
	for _, l := range m.Lines {
		l.Count = c.byLine[l.Key]
	}
}

// Reset removes all counts.
func (m *ScanMatcher) Reset() {
	m.wantsSerial, m.typed, m.Selected = false, nil, nil
	for _, l := range m.Lines {
		l.Count = Count{}
	}
}

// Resume continues after the feed entry that was saved last with the counts.
func (m *ScanMatcher) Resume(last FeedEntry) {
	if last.Kind == typedCount {
		group := m.Line().Group()
		m.typed = &group
	}
}

// NextOpen returns another line with something left to count, after the current one or
// from the first, and how many such lines there are; nil if there are none.
func (m *ScanMatcher) NextOpen() (next *Line, open int) {
	for i := range m.Lines {
		at := (m.Current + 1 + i) % len(m.Lines)
		if l := m.Lines[at]; at != m.Current && l.Remaining() > 0 {
			if open++; next == nil {
				next = l
			}
		}
	}

	return next, open
}

// SelectOpen selects the next open line if the current one is complete and nothing is
// counted on it.
func (m *ScanMatcher) SelectOpen() {
	next, _ := m.NextOpen()
	if line := m.Line(); next == nil || line.Remaining() > 0 || !line.Count.Empty() {
		return
	}
	m.Current, m.wantsSerial = slices.Index(m.Lines, next), false
}
