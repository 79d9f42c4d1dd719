package dock

import (
	"fmt"

	"bincard/server/api"
	"bincard/tui/widget"
)

// Told goes on with a scan that had to be looked up. found is what the service
// knows of it; asked is false where the service cannot be asked.
func (t *Tally) Told(r Reading, found []api.Match, asked bool) Outcome {
	for _, m := range found {
		if out, ok := t.known(r, m); ok {
			return out
		}
	}
	if len(found) > 0 && found[0].Product != nil && t.Join != nil {
		return t.joined(r, found[0])
	}
	if len(found) > 0 {
		return t.foreign(r, &found[0])
	}
	line := t.Line()
	switch {
	case r.Fault != "":
		return misread(r)
	case t.In && line.BySerial() && r.Scan.GS1.Form == "":
		return t.take(Reading{Scan: r.Scan, Serial: r.Codes[0]}, t.At, "", 0)
	case t.In && asked && line.ByLot() && line.Count.Lot == "" && r.Scan.GS1.Form == "":
		return Outcome{Doubt: fmt.Sprintf(doubtLot, r.Name()), Yes: func() Outcome {
			return t.take(Reading{Scan: r.Scan, Lot: r.Codes[0]}, t.At, "", 0)
		}}
	case asked:
		return refused(&UnknownCodeError{Code: r.Codes[0], text: fmt.Sprintf(unknownCode, r.Name(), t.expected())})
	}
	return t.learn(r)
}

// known counts what the service found, where it belongs to the goods at hand.
func (t *Tally) known(r Reading, m api.Match) (Outcome, bool) {
	if m.Product == nil {
		return Outcome{}, false
	}
	i := t.lineOf(m.Product.ID)
	if i < 0 {
		return Outcome{}, false
	}
	if r.Fault != "" && r.Scan.GS1.Form != "number" {
		return misread(r), true
	}
	line := t.Lines[i]
	switch {
	case m.Kind == api.KindProduct && m.Unit != nil:
		return t.take(r, i, m.Unit.UnitCode, max(1, m.Unit.Factor)), true
	case m.Kind == api.KindProduct:
		return t.take(r, i, line.Goods.Piece(), 1), true
	case m.Kind == api.KindLot && m.Lot != nil:
		lot := Reading{Scan: r.Scan, Lot: m.Lot.LotCode}
		if m.Lot.ExpiresAt != nil {
			lot.Ends = *m.Lot.ExpiresAt
		}
		out := t.take(lot, i, "", 0)
		if out.Said != nil {
			t.Line().Count.LotID = m.Lot.ID
		}
		return out, true
	case m.Kind == api.KindSerial && m.Serial != nil && t.In && m.Serial.Status == api.InStock:
		return refused(fmt.Errorf(pieceInStock, m.Serial.SerialNumber, line.Goods.SKU)), true
	case m.Kind == api.KindSerial && m.Serial != nil:
		return t.take(Reading{Scan: r.Scan, Serial: m.Serial.SerialNumber}, i, "", 0), true
	}
	return Outcome{}, false
}

// joined counts goods that nobody expected; where what is expected is open, they
// are asked about first.
func (t *Tally) joined(r Reading, m api.Match) Outcome {
	join := func() Outcome {
		t.At = t.Join(m.Product)
		out, _ := t.known(r, m)
		return out
	}
	if !t.Open {
		return join()
	}
	return Outcome{Doubt: fmt.Sprintf(doubtJoin, m.Product.SKU, m.Product.Name), Yes: join}
}

// foreign refuses what is something else than the goods at hand, and says what.
func (t *Tally) foreign(r Reading, m *api.Match) Outcome {
	what := fmt.Sprintf(isSomething, r.Name())
	switch {
	case m.Product != nil && m.Kind == api.KindProduct:
		what = fmt.Sprintf(isGoods, m.Product.SKU, m.Product.Name)
	case m.Product != nil:
		what = fmt.Sprintf(isOfGoods, m.Kind, m.Product.SKU, m.Product.Name)
	case m.Location != nil && m.Location.ID == t.Place:
		return Outcome{Said: &Said{What: wordPlace, SKU: m.Location.Code, Now: widget.Count(t.Line().Count.Now)}}
	case m.Location != nil:
		what = fmt.Sprintf(isPlace, m.Location.Code)
	case m.Inbound != nil, m.Outbound != nil, m.Transfer != nil:
		what = fmt.Sprintf(isDocument, r.Name())
	}
	return Outcome{Err: fmt.Errorf(isOther, t.expected(), what), Other: m}
}

// learn asks whether a code nobody can look up is the goods at hand, and
// remembers the answer for this document.
func (t *Tally) learn(r Reading) Outcome {
	line := t.Line()
	text := fmt.Sprintf(doubtGoods, r.Name(), line.Goods.SKU)
	if line.Goods.Name != "" && line.Goods.Name != line.Goods.SKU {
		text = fmt.Sprintf(doubtGoodsNamed, r.Name(), line.Goods.SKU, line.Goods.Name)
	}
	return Outcome{Doubt: text, Yes: func() Outcome {
		if t.Learned == nil {
			t.Learned = map[string]string{}
		}
		for _, code := range r.Codes {
			t.Learned[code] = line.Key
		}
		return t.Scan(r)
	}}
}
