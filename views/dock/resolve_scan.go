package dock

import (
	"bincard/server/api"
	"errors"
)

// ResolveScan goes on with a scan that had to be looked up. found is what the service
// knows of it; asked is false where the service cannot be asked.
func (t *ScanMatcher) ResolveScan(r Label, found []api.Match, asked bool) ScanResult {
	for _, m := range found {
		if out, ok := t.matchLine(r, m); ok {
			return out
		}
	}
	if len(found) > 0 && found[0].Product != nil && t.AddLine != nil {
		return t.addUnexpected(r, found[0])
	}
	if len(found) > 0 {
		return t.rejectOther(r, &found[0])
	}
	line := t.Line()
	switch {
	case r.Problem != "":
		return rejectMisread(t.Translator, r)
	case t.Incoming && line.BySerial() && r.Scan.GS1.Form == "":
		return t.countScan(Label{Scan: r.Scan, Serial: r.Codes[0]}, t.Current, "", 0)
	case t.Incoming && asked && line.ByLot() && line.Count.Lot == "" && r.Scan.GS1.Form == "":
		return ScanResult{Question: t.Translator.Get("%s is unknown. Is it the lot?", r.Name()), Confirm: func() ScanResult {
			return t.countScan(Label{Scan: r.Scan, Lot: r.Codes[0]}, t.Current, "", 0)
		}}
	case asked:
		return rejected(&UnknownCodeError{Code: r.Codes[0], text: t.Translator.Get("%s is unknown (%s). Nothing was counted: check the label, or type the quantity.", r.Name(), t.expectedText())})
	}
	return t.learnBarcode(r)
}

// matchLine counts what the service found, where it belongs to the goods at hand.
func (t *ScanMatcher) matchLine(r Label, m api.Match) (ScanResult, bool) {
	if m.Product == nil {
		return ScanResult{}, false
	}
	i := t.lineOfProduct(m.Product.ID)
	if i < 0 {
		return ScanResult{}, false
	}
	if r.Problem != "" && r.Scan.GS1.Form != "number" {
		return rejectMisread(t.Translator, r), true
	}
	line := t.Lines[i]
	switch {
	case m.Kind == api.KindProduct && m.Unit != nil:
		return t.countScan(r, i, m.Unit.UnitCode, max(1, m.Unit.Factor)), true
	case m.Kind == api.KindProduct:
		return t.countScan(r, i, line.Item.UnitWord(t.Translator), 1), true
	case m.Kind == api.KindLot && m.Lot != nil:
		lot := Label{Scan: r.Scan, Lot: m.Lot.LotCode}
		if m.Lot.ExpiresAt != nil {
			lot.ExpiresAt = *m.Lot.ExpiresAt
		}
		out := t.countScan(lot, i, "", 0)
		if out.Entry != nil {
			t.Line().Count.LotID = m.Lot.ID
		}
		return out, true
	case m.Kind == api.KindSerial && m.Serial != nil && t.Incoming && m.Serial.Status == api.InStock:
		return rejected(errors.New(t.Translator.Get("Serial %s of %s is already in stock. Nothing was counted: check the label.", m.Serial.SerialNumber, line.Item.SKU))), true
	case m.Kind == api.KindSerial && m.Serial != nil:
		return t.countScan(Label{Scan: r.Scan, Serial: m.Serial.SerialNumber}, i, "", 0), true
	}
	return ScanResult{}, false
}

// addUnexpected counts goods that nobody expected; where what is expected is open, they
// are asked about first.
func (t *ScanMatcher) addUnexpected(r Label, m api.Match) ScanResult {
	join := func() ScanResult {
		t.Current = t.AddLine(m.Product)
		out, _ := t.matchLine(r, m)
		return out
	}
	if !t.ConfirmAdd {
		return join()
	}
	return ScanResult{Question: t.Translator.Get("%s (%s) is not expected here.", m.Product.SKU, m.Product.Name), Confirm: join}
}

// rejectOther refuses what is something else than the goods at hand, and says what.
func (t *ScanMatcher) rejectOther(r Label, m *api.Match) ScanResult {
	what := t.Translator.Get("%s is something else", r.Name())
	switch {
	case m.Product != nil && m.Kind == api.KindProduct:
		what = t.Translator.Get("this is %s (%s)", m.Product.SKU, m.Product.Name)
	case m.Product != nil && m.Kind == api.KindSerial:
		what = t.Translator.Get("this is a serial of %s (%s)", m.Product.SKU, m.Product.Name)
	case m.Product != nil:
		what = t.Translator.Get("this is a lot of %s (%s)", m.Product.SKU, m.Product.Name)
	case m.Location != nil && m.Location.ID == t.LocationID:
		return ScanResult{Entry: &FeedEntry{Source: t.Translator.Get("location"), SKU: m.Location.Code, Total: t.Translator.Count(t.Line().Count.Quantity)}}
	case m.Location != nil:
		what = t.Translator.Get("this is the location %s", m.Location.Code)
	case m.Inbound != nil, m.Outbound != nil, m.Transfer != nil:
		what = t.Translator.Get("%s is another document", r.Name())
	}
	return ScanResult{Err: errors.New(t.Translator.Get("%s; %s. Nothing was counted.", t.expectedText(), what)), Other: m}
}

// learnBarcode asks whether a code nobody can look up is the goods at hand, and
// remembers the answer for this document.
func (t *ScanMatcher) learnBarcode(r Label) ScanResult {
	line := t.Line()
	text := t.Translator.Get("%s is unknown. Is it %s?", r.Name(), line.Item.SKU)
	if line.Item.Name != "" && line.Item.Name != line.Item.SKU {
		text = t.Translator.Get("%s is unknown. Is it %s (%s)?", r.Name(), line.Item.SKU, line.Item.Name)
	}
	return ScanResult{Question: text, Confirm: func() ScanResult {
		if t.Learned == nil {
			t.Learned = map[string]string{}
		}
		for _, code := range r.Codes {
			t.Learned[code] = line.Key
		}
		return t.Scan(r)
	}}
}
