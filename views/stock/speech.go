package stock

import (
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/names"

	tea "github.com/charmbracelet/bubbletea"
)

// speak describes a balance screen in words, the change first.
func (w *balanceScreen) speak(what string, changes []delta) tui.Speech {
	t := w.T

	switch {
	case w.errText != "":
		return tui.Speech{Facts: []string{w.errText}, Question: t.Get("retry or back")}
	case w.ref() != "" && !w.hasStock():
		return tui.Speech{Facts: []string{t.Get("loading")}}
	case w.item.ID == api.NoID:
		return tui.Speech{Question: t.Get("scan or SKU"), Search: true}
	case !w.hasStock():
		return tui.Speech{Facts: []string{w.item.Title()}, Question: t.Get("scan the location")}
	}

	facts := []string{t.Get("%s  %s  at %s", w.item.SKU, w.item.Title(), w.location.Code),
		what + "  " + deltasText(t, changes)}
	if w.choices.Reason != "" {
		facts = append(facts, t.Get("reason: %s", w.reasonText()))
	}

	return w.panel.Frame().Speech(facts...)
}

// Speech describes the adjustment in words.
func (s *adjust) Speech() tui.Speech {
	return s.speak(s.T.Get(modeTexts[s.choices.Mode], names.State(s.T, s.state())), s.deltas())
}

// Speech describes the move in words.
func (s *move) Speech() tui.Speech {
	return s.speak(s.T.GetC("%s to %s", "stock", names.State(s.T, s.from()), names.State(s.T, s.to())),
		s.deltas())
}

// Speech describes the count in words, with its lines.
func (s *countScreen) Speech() tui.Speech {
	t := s.T
	switch {
	case s.errText != "":
		return tui.Speech{Facts: []string{s.errText}, Question: t.Get("retry or back")}
	case s.ref() == "":
		return tui.Speech{Question: t.Get("scan or location code"), Search: true}
	case s.stock == nil:
		return tui.Speech{Facts: []string{t.Get("loading")}}
	}

	v := s.view()
	done, all := progress(v.lines)
	facts := []string{t.Get("%s  %s of %s counted", s.location.String(), v.number(done), v.number(all))}
	if s.lastResult != "" {
		facts = append(facts, s.lastResult)
	}
	if v.hidesExpected {
		facts = append(facts, t.Get("expected quantities hidden"))
	}

	out := s.panel.Frame().Speech(facts...)
	out.List = &tui.Listing{Len: all, Noun: t.Get("rows"), Line: v.lineText, Select: func(row int) {
		s.list.SetRows(s.panel.Lines)
		s.list.MoveTo(row)
		if !s.Review {
			s.panel.Choose(row)
		}
	}}

	if s.Review || len(s.Queue) > 0 {
		out.Numbers, out.Enter, out.Question = false, true, v.shortQuestion()
		out.List.Activate = func(row int) tea.Cmd { // enter posts the count
			out.List.Select(row)
			s.panel.Choose(row)
			return nil
		}
	}

	return out
}

// lineText describes a line in words.
func (v countView) lineText(i int) string {
	t, l := v.t, v.lines[i]
	text := l.Item.SKU + "  " + l.Item.Name
	if lot := v.rows.forLine(l).Lot; lot != "" {
		text += "  " + t.Get("lot %s", lot)
	}
	if hasCount(l) {
		text += "  " + t.Get("counted %s", t.Count(l.Count.Quantity))
	}
	if !v.hidesExpected {
		text += "  " + t.GetC("expected %s", "stock", v.expected(l))
	}
	if v.review {
		text += "  " + strings.TrimPrefix(widget.Clean(v.verdictText(l)), widget.GlyphPending+" ")
	}

	return text
}
