package count

import (
	"cmp"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/names"
)

// scanPallet counts all that is announced on the pallet or box of a label. It reports false
// if the label names none, or one of which nothing is announced here.
func (m *ScanMatcher) scanPallet(r Label) (ScanResult, bool) {
	sscc := r.SSCC
	if sscc == "" || !m.Incoming || r.Problem != "" {
		return ScanResult{}, false
	}

	if !slices.ContainsFunc(m.Lines, func(l *Line) bool { return l.Announced.SSCC == sscc }) {
		return ScanResult{}, false
	}

	for _, l := range m.openOn(sscc) {
		if text := m.ExpiredText(l.Announced.LotCode, l.announcedExpiry(), l); text != "" {
			return ScanResult{Question: text, Confirm: func() ScanResult { return m.countPallet(sscc) }}, true
		}
	}

	return m.countPallet(sscc), true
}

// openOn returns the lines of a pallet with something left to count.
func (m *ScanMatcher) openOn(sscc string) (lines []*Line) {
	for _, l := range m.Lines {
		if l.Announced.SSCC == sscc && l.Remaining() > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// countPallet counts what remains of the lines of a pallet, with their announced lots and
// serials. If one of them cannot be counted, none is.
func (m *ScanMatcher) countPallet(sscc string) ScanResult {
	lines := m.openOn(sscc)
	if len(lines) == 0 {
		return rejected(m.Translator.NewError("Pallet %s is already counted or received. Nothing was added.", sscc))
	}

	return m.countAll(lines, func(i int) (int64, error) { return m.countAnnounced(lines[i]) })
}

// CountPlate counts what is on a plate, or what left with it if nothing is. If one of its
// products cannot be counted, none is.
func (m *ScanMatcher) CountPlate(p *api.Plate) ScanResult {
	t := m.Translator
	left, _ := p.Left()
	var lines []*Line
	for _, x := range p.Lines {
		i := m.lineOfProduct(x.ProductID)
		switch {
		case i < 0:
			return rejected(t.NewError("Pallet %s has %s, which is not on this list. Nothing was counted.", p.SSCC,
				x.Product.SKU))
		case m.ChooseLine != nil:
			i = m.ChooseLine(i, Label{Lot: x.LotCode})
		}

		l := m.Lines[i]
		switch {
		case l.BySerial():
			return rejected(t.NewError("%s is serialized. Scan each serial number on pallet %s.", l.Item.SKU, p.SSCC))
		case slices.ContainsFunc(l.Count.Lots, func(c Count) bool { return c.SSCC == p.SSCC }):
			return rejected(t.NewError("Pallet %s is already counted or received. Nothing was added.", p.SSCC))
		}

		lines = append(lines, l)
	}

	return m.countAll(lines, func(i int) (int64, error) {
		x, c := p.Lines[i], &lines[i].Count
		n := x.Left
		if left == 0 {
			n = x.Quantity
		}
		if c.Quantity == 0 {
			c.Lot, c.LotID = x.LotCode, x.LotID
		}
		err := lines[i].Add(t, n)
		c.Lots = append(slices.Clone(c.Lots), Count{Quantity: n, Lot: x.LotCode, LotID: x.LotID, SSCC: p.SSCC})

		return n, err
	})
}

// PlateText says where a plate is and what is left on it, or that it has left.
func PlateText(t *i18n.Translator, p *api.Plate) string {
	left, of := p.Left()
	if left == 0 {
		return t.Get("Nothing is left on pallet %s: %s, %s.", p.SSCC, names.Operation(t, p.Operation),
			t.Date(p.UpdatedAt))
	}
	_, at := p.Location.NameAndCode()
	return t.Get("Pallet %s is at %s: %s of %s left.", p.SSCC, at, t.Count(left), t.Count(of))
}

// countAll counts lines as add does. If one of them cannot be counted, none is.
func (m *ScanMatcher) countAll(lines []*Line, add func(i int) (int64, error)) ScanResult {
	before := make([]Count, len(lines))
	var pieces int64
	for i, l := range lines {
		before[i] = l.Count
		n, err := add(i)
		if err != nil {
			for j := range i + 1 {
				lines[j].Count = before[j]
			}
			m.Current = slices.Index(m.Lines, l)
			return rejected(err)
		}

		pieces += n
	}

	m.Current, m.typed, m.wantsSerial = slices.Index(m.Lines, lines[0]), nil, false
	entry := &FeedEntry{Source: m.Translator.Get("pallet"), SKU: lines[0].Item.SKU, Lot: lines[0].Count.Lot,
		Change: m.Translator.Change(pieces), Total: m.Translator.Count(lines[0].Count.Quantity)}
	if len(lines) > 1 {
		entry.SKU, entry.Lot, entry.Total = m.Translator.Get("%d lines", len(lines)), "", ""
	}

	return ScanResult{Entry: entry}
}

// countAnnounced counts what remains of a line and returns how much it is.
func (m *ScanMatcher) countAnnounced(l *Line) (int64, error) {
	n, a := l.Remaining(), &l.Announced
	if err := l.SetLot(m.Translator, a.LotCode, l.announcedExpiry()); err != nil {
		return 0, err
	}
	if !l.BySerial() {
		return n, l.Add(m.Translator, n)
	}

	var serials []string
	for _, s := range a.SerialNumbers {
		if !slices.Contains(l.Count.Serials, s) {
			serials = append(serials, s)
		}
	}

	if int64(len(serials)) != n {
		return 0, m.Translator.NewError(
			"No serial numbers were sent for %s. Not counted: scan each one.",
			l.Item.SKU,
		)
	}

	for _, s := range serials {
		if err := l.AddSerial(m.Translator, s); err != nil {
			return 0, err
		}
	}

	return n, nil
}

// AnnouncedExpiry returns the announced expiration date of a lot of a line's item, or zero if
// none was announced.
func (m *ScanMatcher) AnnouncedExpiry(line *Line, lot string) time.Time {
	for _, l := range m.Lines {
		if at := l.announcedExpiry(); m.Incoming && l.Item.ID == line.Item.ID && l.Announced.LotCode == lot &&
			!at.IsZero() {
			return at
		}
	}

	return time.Time{}
}

// announcedExpiry returns the announced expiration date, or zero if none was announced.
func (l *Line) announcedExpiry() time.Time {
	if l.Announced.LotCode == "" || l.Announced.ExpiresAt == nil {
		return time.Time{}
	}
	return *l.Announced.ExpiresAt
}

// preferAnnounced orders lines so that one with the lot or the serial of a label announced
// comes before others.
func (m *ScanMatcher) preferAnnounced(order []int, r Label) {
	announced := func(i int) bool {
		a := &m.Lines[i].Announced
		return r.Lot != "" && a.LotCode == r.Lot || r.Serial != "" && slices.Contains(a.SerialNumbers, r.Serial)
	}
	slices.SortStableFunc(order,
		func(a, b int) int { return cmp.Compare(boolInt(announced(b)), boolInt(announced(a))) })
}

// announcing returns the line that announces a lot of a product and has something left to
// count, or -1.
func (m *ScanMatcher) announcing(product api.ID, lot string) int {
	return slices.IndexFunc(m.Lines, func(l *Line) bool {
		return l.Item.ID == product && l.Announced.LotCode == lot && l.Remaining() > 0
	})
}

// unannouncedText says that other lots or serials of a line's item are announced, unless the
// label's is counted or will be refused; else it returns "".
func (m *ScanMatcher) unannouncedText(r Label, line *Line) string {
	var lots, serials []string
	for _, l := range m.Lines {
		if l.Item.ID != line.Item.ID {
			continue
		}

		serials = append(serials, l.Announced.SerialNumbers...)
		if l.Announced.LotCode != "" {
			lots = append(lots, l.Announced.LotCode)
		}
	}

	refused := m.HasSerial != nil && !m.HasSerial(line, r.Serial)
	switch c := &line.Count; {
	case r.Serial != "" && len(serials) > 0 && !refused && !slices.Contains(slices.Concat(serials, c.Serials), r.Serial):
		return m.Translator.Get("Serial %s of %s was not announced.", r.Serial, line.Item.SKU)
	case r.Lot != "" && len(lots) > 0 && !slices.Contains(lots, r.Lot) && (c.Quantity == 0 || c.Lot == ""):
		return m.Translator.Get("Lot %s of %s was not announced.", r.Lot, line.Item.SKU)
	}

	return ""
}
