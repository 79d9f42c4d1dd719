package balances

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/stocktext"
	"bincard/views/submit"
)

// speechWidth is the width available to a spoken line.
const speechWidth = 400

// Speech describes the search.
func (s *stock) Speech() tui.Speech {
	s.pages.List.Columns = s.columns(tui.Size{Class: tui.Short, Width: 40})
	facts := []string{s.pages.Text()}
	if s.pages.Loaded() && s.pages.List.Len() == 0 {
		facts = []string{s.emptyText()}
	}
	if text := s.expired.text(s.T, false); text != "" {
		facts = append(facts, text)
	}
	if text := s.question.Value(); text != "" {
		facts = append(facts, s.T.Get("search: %s", text))
	}

	return tui.Speech{Facts: facts, Question: s.T.Get("scan, number or search"), Search: true,
		List: listscreen.ListSpeech(&s.pages.List, s.pages.Noun, !s.pages.Complete())}
}

// Speech describes the balance: its quantities, the proof and the movements.
func (x *explain) Speech() tui.Speech {
	t := x.T

	if x.explanation == nil {
		s := tui.Speech{Facts: []string{t.Get("searching")}}
		err := x.loadErr
		if err == nil {
			err = x.pages.Err()
		}
		if err != nil {
			s.Facts, s.Question = []string{submit.UserMessage(t, err)}, t.Get("refresh or back")
		}

		return s
	}

	plain := widget.PlainTheme()
	facts := []string{
		strings.Join(strings.Fields(stocktext.Equation(t, plain, x.explanation.Balance.Quantities, speechWidth)), " "),
		x.proofLine(plain, speechWidth),
	}
	if text := x.expired.text(t, false); text != "" {
		facts = append(facts, text)
	}

	facts = append(facts, x.pages.Text())
	if x.state != "" {
		facts = append(facts, t.Get("%s only", names.State(t, x.state)))
	}
	if x.lot != "" {
		facts = append(facts, t.Get("lot %s only", x.lot))
	}
	if x.pages.List.Len() == 0 {
		facts = append(facts, x.emptyText())
	}

	x.pages.List.Columns = widget.BoxedColumns(x.columns(tui.Size{Class: tui.Standard, Width: 80}), t.Count)

	return tui.Speech{Facts: facts, Question: t.Get("scan or number"),
		List: listscreen.ListSpeech(&x.pages.List, t.Get("movements"), !x.pages.Complete())}
}
