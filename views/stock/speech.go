package stock

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"fmt"
)

// speak is the work on a balance in words; the facts come first.
func (w *balanceScreen) speak(what string, changes []delta) tui.Speech {
	switch {
	case w.errText != "":
		return tui.Speech{Facts: []string{w.errText}, Question: questionRetryOrBack}
	case w.ref() != "" && !w.hasStock():
		return tui.Speech{Facts: []string{saidReading}}
	case w.item.ID == (api.ID{}):
		return tui.Speech{Question: questionScanOrSku, Search: true}
	case !w.hasStock():
		return tui.Speech{Facts: []string{w.item.Title()}, Question: questionScanThePlace}
	}
	facts := []string{fmt.Sprintf(factAt, w.item.SKU, w.item.Title(), w.location.Code), what + "  " + deltasText(changes)}
	if w.choices.Reason != "" {
		facts = append(facts, fmt.Sprintf(saidReason, w.choices.Reason))
	}
	return w.panel.Speech(facts...)
}

// Speech is the adjustment in words.
func (s *adjust) Speech() tui.Speech {
	return s.speak(modeWords[s.choices.Mode]+" "+s.state().Title(), s.deltas())
}

// Speech is the move in words.
func (s *move) Speech() tui.Speech {
	return s.speak(fmt.Sprintf(saidTo, s.from().Title(), s.to().Title()), s.deltas())
}

// Speech is the count in words: its rows, and how it stands with them.
func (s *count) Speech() tui.Speech {
	switch {
	case s.errText != "":
		return tui.Speech{Facts: []string{s.errText}, Question: questionRetryOrBack}
	case s.ref() == "":
		return tui.Speech{Question: questionScanOrCodeOf, Search: true}
	case s.stock == nil:
		return tui.Speech{Facts: []string{saidReading}}
	}
	done, all := s.progress()
	facts := []string{fmt.Sprintf(factCounted, s.location.String(), widget.Count(int64(done)), widget.Count(int64(all)))}
	if s.lastResult != "" {
		facts = append(facts, s.lastResult)
	}
	out := s.panel.Speech(facts...)
	out.List = &tui.Listing{Len: len(s.panel.Lines), Noun: nounRows, Line: s.lineText, Select: func(row int) {
		s.list.SetRows(s.panel.Lines)
		s.list.MoveTo(row)
		if !s.draft.Review {
			s.panel.Current = row
		}
	}}
	if s.draft.Review || len(s.draft.Queue) > 0 {
		out.Numbers, out.Question = false, s.reviewQuestion(true)
	}
	return out
}

// lineText is a row in words.
func (s *count) lineText(i int) string {
	l := s.panel.Lines[i]
	text := l.Item.SKU + "  " + l.Item.Name
	if lot := s.rowOf(l).Lot; lot != "" {
		text += "  " + fmt.Sprintf(saidOfLot, lot)
	}
	if hasCount(l) {
		text += "  " + fmt.Sprintf(saidCounted, widget.Count(l.Count.Quantity))
	}
	if !s.draft.Blind || s.draft.Review {
		text += "  " + fmt.Sprintf(saidBooks, s.expected(l))
	}
	if s.draft.Review {
		text += "  " + widget.Clean(s.verdictText(l))
	}
	return text
}
