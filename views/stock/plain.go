package stock

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"fmt"
)

// speech is the work on a balance in words; the facts come first.
func (w *work) speech(what string, changes []delta) tui.Speech {
	switch {
	case w.fault != "":
		return tui.Speech{Facts: []string{w.fault}, Question: questionRetryOrBack}
	case w.ref() != "" && !w.known():
		return tui.Speech{Facts: []string{saidReading}}
	case w.goods.ID == (api.ID{}):
		return tui.Speech{Question: questionScanOrSku, Search: true}
	case !w.known():
		return tui.Speech{Facts: []string{w.goods.Title()}, Question: questionScanThePlace}
	}
	facts := []string{fmt.Sprintf(factAt, w.goods.SKU, w.goods.Title(), w.place.Code), what + "  " + telling(changes)}
	if w.now.Reason != "" {
		facts = append(facts, fmt.Sprintf(saidReason, w.now.Reason))
	}
	return w.bench.Speech(facts...)
}

// Speech is the adjustment in words.
func (s *adjust) Speech() tui.Speech {
	return s.speech(modeWords[s.now.Mode]+" "+s.state().Title(), s.changes())
}

// Speech is the move in words.
func (s *move) Speech() tui.Speech {
	return s.speech(fmt.Sprintf(saidTo, s.from().Title(), s.to().Title()), s.changes())
}

// Speech is the count in words: its rows, and how it stands with them.
func (s *count) Speech() tui.Speech {
	switch {
	case s.fault != "":
		return tui.Speech{Facts: []string{s.fault}, Question: questionRetryOrBack}
	case s.ref() == "":
		return tui.Speech{Question: questionScanOrCodeOf, Search: true}
	case s.read == nil:
		return tui.Speech{Facts: []string{saidReading}}
	}
	done, all := s.progress()
	facts := []string{fmt.Sprintf(factCounted, s.place.String(), widget.Count(int64(done)), widget.Count(int64(all)))}
	if s.last != "" {
		facts = append(facts, s.last)
	}
	out := s.bench.Speech(facts...)
	out.List = &tui.Listing{Len: len(s.bench.Lines), Noun: nounRows, Line: s.spoken, Select: func(row int) {
		s.list.SetRows(s.bench.Lines)
		s.list.MoveTo(row)
		if !s.kept.Review {
			s.bench.At = row
		}
	}}
	if s.kept.Review || len(s.kept.Queue) > 0 {
		out.Numbers, out.Question = false, s.asks(true)
	}
	return out
}

// spoken is a row in words.
func (s *count) spoken(i int) string {
	l := s.bench.Lines[i]
	text := l.Goods.SKU + "  " + l.Goods.Name
	if lot := s.rowOf(l).Lot; lot != "" {
		text += "  " + fmt.Sprintf(saidOfLot, lot)
	}
	if counts(l) {
		text += "  " + fmt.Sprintf(saidCounted, widget.Count(l.Count.Now))
	}
	if !s.kept.Blind || s.kept.Review {
		text += "  " + fmt.Sprintf(saidBooks, s.expected(l))
	}
	if s.kept.Review {
		text += "  " + widget.Clean(s.say(l))
	}
	return text
}
