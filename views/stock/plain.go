package stock

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
)

// speech is the work on a balance in words; the facts come first.
func (w *work) speech(what string, changes []delta) tui.Speech {
	switch {
	case w.fault != "":
		return tui.Speech{Facts: []string{w.fault}, Question: "retry or back"}
	case w.ref() != "" && !w.known():
		return tui.Speech{Facts: []string{"reading"}}
	case w.goods.ID == (api.ID{}):
		return tui.Speech{Question: "scan or SKU", Search: true}
	case !w.known():
		return tui.Speech{Facts: []string{w.goods.Title()}, Question: "scan the place"}
	}
	facts := []string{w.goods.SKU + "  " + w.goods.Title() + "  at " + w.place.Code, what + "  " + telling(changes)}
	if w.now.Reason != "" {
		facts = append(facts, "reason: "+w.now.Reason)
	}
	return w.bench.Speech(facts...)
}

// Speech is the adjustment in words.
func (s *adjust) Speech() tui.Speech {
	return s.speech(modeWords[s.now.Mode]+" "+s.state().Title(), s.changes())
}

// Speech is the move in words.
func (s *move) Speech() tui.Speech {
	return s.speech(s.from().Title()+" to "+s.to().Title(), s.changes())
}

// Speech is the count in words: its rows, and how it stands with them.
func (s *count) Speech() tui.Speech {
	switch {
	case s.fault != "":
		return tui.Speech{Facts: []string{s.fault}, Question: "retry or back"}
	case s.ref() == "":
		return tui.Speech{Question: "scan or code of the place", Search: true}
	case s.read == nil:
		return tui.Speech{Facts: []string{"reading"}}
	}
	done, all := s.progress()
	facts := []string{s.place.String() + "  " + widget.Count(int64(done)) + " of " + widget.Count(int64(all)) + " counted"}
	if s.last != "" {
		facts = append(facts, s.last)
	}
	out := s.bench.Speech(facts...)
	out.List = &tui.Listing{Len: len(s.bench.Lines), Noun: "rows", Line: s.spoken, Go: func(row int) {
		s.list.SetRows(s.bench.Lines)
		s.list.Go(row)
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
		text += "  lot " + lot
	}
	if counts(l) {
		text += "  counted " + widget.Count(l.Count.Now)
	}
	if !s.kept.Blind || s.kept.Review {
		text += "  books " + s.expected(l)
	}
	if s.kept.Review {
		text += "  " + widget.Clean(s.say(l))
	}
	return text
}
