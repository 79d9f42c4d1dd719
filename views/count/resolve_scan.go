package count

import (
	"errors"

	"bincard/server/api"
	"bincard/views/names"
)

// ResolveScan continues a scan that had to be looked up. found are the matches; asked
// is false if the service has no lookup.
func (m *ScanMatcher) ResolveScan(r Label, found []api.Match, asked bool) ScanResult {
	for _, match := range found {
		if out, ok := m.matchLine(r, match); ok {
			return out
		}
	}

	if len(found) > 0 && found[0].Product != nil && m.AddLine != nil {
		return m.addUnexpected(r, found[0])
	}
	if len(found) > 0 {
		return m.rejectOther(r, &found[0])
	}

	line := m.Line()
	switch {
	case r.Problem != "":
		return rejected(m.misreadError(r))
	case m.Incoming && line.BySerial() && r.Scan.GS1.Form == "":
		return m.countScan(Label{Scan: r.Scan, Serial: r.Codes[0]}, m.Current, "", 0)
	case m.Incoming && asked && line.ByLot() && line.Count.Lot == "" && r.Scan.GS1.Form == "":
		text := m.Translator.Get("%s is unknown. Use it as the lot?", r.Name())
		if len(m.Lines) > 1 {
			text = m.Translator.Get("%s is unknown. Use it as the lot of %s?", r.Name(), line.Item.SKU)
		}
		return ScanResult{Question: text, Confirm: func() ScanResult {
			return m.countScan(Label{Scan: r.Scan, Lot: r.Codes[0]}, m.Current, "", 0)
		}}

	case asked && line.BySerial():
		return rejected(&UnknownCodeError{
			Code: r.Codes[0],
			text: m.Translator.Get("%s is unknown. Nothing was counted: check the serial number.", r.Name()),
		})
	case asked:
		return rejected(&UnknownCodeError{
			Code: r.Codes[0],
			text: m.Translator.Get("%s is unknown. Nothing was counted: check the label, or type the quantity.",
				r.Name()),
		})
	}

	return m.learnBarcode(r)
}

// matchLine counts a match if its product is on a line.
func (m *ScanMatcher) matchLine(r Label, match api.Match) (ScanResult, bool) {
	if match.Product == nil {
		return ScanResult{}, false
	}

	i := m.lineOfProduct(match.Product.ID)
	if i < 0 {
		return ScanResult{}, false
	}
	if r.Problem != "" && r.Scan.GS1.Form != "number" {
		return rejected(m.misreadError(r)), true
	}
	if match.Kind == api.KindLot && match.Lot != nil {
		if at := m.announcing(match.Product.ID, match.Lot.LotCode); at >= 0 {
			i = at
		}
	}

	line := m.Lines[i]
	switch {
	case match.Kind == api.KindProduct && match.Unit != nil:
		return m.countScan(r, i, names.Unit(m.Translator, match.Unit.UnitCode), max(1, match.Unit.Factor)), true
	case match.Kind == api.KindProduct:
		return m.countScan(r, i, names.Unit(m.Translator, line.Item.BaseUnit), 1), true
	case match.Kind == api.KindLot && match.Lot != nil:
		lot := Label{Scan: r.Scan, Lot: match.Lot.LotCode}
		if match.Lot.ExpiresAt != nil {
			lot.ExpiresAt = *match.Lot.ExpiresAt
		}

		out := m.countScan(lot, i, "", 0)
		if out.Entry != nil {
			m.Line().Count.LotID = match.Lot.ID
		}

		return out, true

	case match.Kind == api.KindSerial && match.Serial != nil && m.Incoming && match.Serial.Status == api.InStock:
		err := m.Translator.NewError("Serial %s of %s is already in stock. Nothing was counted: check the label.",
			match.Serial.SerialNumber, line.Item.SKU)
		return rejected(err), true
	case match.Kind == api.KindSerial && match.Serial != nil:
		return m.countScan(Label{Scan: r.Scan, Serial: match.Serial.SerialNumber}, i, "", 0), true
	}

	return ScanResult{}, false
}

// addUnexpected adds an item that is on no line, after a confirmation if ConfirmAdd is
// set.
func (m *ScanMatcher) addUnexpected(r Label, match api.Match) ScanResult {
	add := func() ScanResult {
		m.Current = m.AddLine(match.Product)
		out, _ := m.matchLine(r, match)
		return out
	}
	if !m.ConfirmAdd {
		return add()
	}

	return ScanResult{
		Question: m.Translator.Get("%s (%s) is not expected here.", match.Product.SKU, match.Product.Name),
		Confirm:  add,
	}
}

// rejectOther rejects a code that is something else, and says what it is. The label of
// the current location is accepted.
func (m *ScanMatcher) rejectOther(r Label, match *api.Match) ScanResult {
	what := m.Translator.Get("%s is something else", r.Name())
	switch {
	case match.Product != nil && match.Kind == api.KindProduct:
		what = m.Translator.Get("this is %s (%s)", match.Product.SKU, match.Product.Name)
	case match.Product != nil && match.Kind == api.KindSerial:
		what = m.Translator.Get("this is a serial of %s (%s)", match.Product.SKU, match.Product.Name)
	case match.Product != nil:
		what = m.Translator.Get("this is a lot of %s (%s)", match.Product.SKU, match.Product.Name)
	case match.Location != nil && match.Location.ID == m.LocationID:
		return ScanResult{
			Entry: &FeedEntry{
				Source: m.Translator.Get("location"),
				SKU:    match.Location.Code,
				Total:  m.Translator.Count(m.Line().Count.Quantity),
			},
			Other: match,
		}

	case match.Location != nil:
		what = m.Translator.Get("this is the location %s", match.Location.Code)
	case match.Inbound != nil, match.Outbound != nil, match.Transfer != nil:
		what = m.Translator.Get("%s is another document", r.Name())
	}

	text := m.Translator.Get("Not on this list: %s. Nothing was counted.", what)
	if len(m.Lines) == 1 {
		text = m.Translator.Get("%s is expected; %s. Nothing was counted.", m.Lines[0].Item.SKU, what)
	}

	return ScanResult{Err: errors.New(text), Other: match}
}

// learnBarcode asks whether an unknown code is the current item, and remembers it for
// this document if confirmed.
func (m *ScanMatcher) learnBarcode(r Label) ScanResult {
	line := m.Line()
	text := m.Translator.Get("%s is unknown. Is it %s?", r.Name(), line.Item.SKU)
	if line.Item.Name != "" && line.Item.Name != line.Item.SKU {
		text = m.Translator.Get("%s is unknown. Is it %s (%s)?", r.Name(), line.Item.SKU, line.Item.Name)
	}

	return ScanResult{Question: text, Confirm: func() ScanResult {
		if m.Learned == nil {
			m.Learned = map[string]string{}
		}
		for _, code := range r.Codes {
			m.Learned[code] = line.Key
		}
		return m.Scan(r)
	}}
}

// A ScanResult is the result of a scan. It was counted (Entry), rejected (Err), needs
// a confirmation (Question), or must be looked up (Lookup).
type ScanResult struct {
	Entry    *FeedEntry
	Err      error
	Other    *api.Match // what the code is if it names no line, if known
	Question string
	Confirm  func() ScanResult // called if the operator confirms the question, or chooses to go on despite Err
	Lookup   []string          // codes to look up, most likely first; continue with ResolveScan
}

func rejected(err error) ScanResult { return ScanResult{Err: err} }
