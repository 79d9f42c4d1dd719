package balances

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/views/dock"
)

// aloud is as wide as a line gets before it is broken.
const aloud = 400

// Speech is the search in words.
func (s *stock) Speech() tui.Speech {
	s.pages.List.Columns = s.columns(tui.Size{Class: tui.Short, Width: 40})
	facts := []string{s.pages.Spoken()}
	if s.pages.Loaded() && s.pages.List.Len() == 0 {
		facts = []string{s.empty()}
	}
	if text := s.question.Value(); text != "" {
		facts = append(facts, fmt.Sprintf(saidSearch, text))
	}
	return tui.Speech{Facts: facts, Question: questionScanNumberOrSearch, Search: true,
		List: dock.Rows(&s.pages.List, s.pages.Noun, !s.pages.Complete())}
}

// Speech is the explanation in words: the quantities, the proof, the movements
// as rows.
func (x *explain) Speech() tui.Speech {
	if x.head == nil {
		s := tui.Speech{Facts: []string{saidLooking}}
		err := x.lost
		if err == nil {
			err = x.pages.Err()
		}
		if err != nil {
			s.Facts, s.Question = []string{dock.Words(err)}, saidRefreshOrBack
		}
		return s
	}
	plain := theme.Plain()
	facts := []string{strings.Join(strings.Fields(Equation(plain, x.head.Balance.Quantities, aloud)), " "), x.proof(plain, aloud)}
	facts = append(facts, x.pages.Spoken())
	if x.state != "" {
		facts = append(facts, fmt.Sprintf(onlyState, x.state.Title()))
	}
	if x.lot != "" {
		facts = append(facts, fmt.Sprintf(onlyLot, x.lot))
	}
	if x.pages.List.Len() == 0 {
		facts = append(facts, x.empty())
	}
	x.pages.List.Columns = x.columns(tui.Size{Class: tui.Standard, Width: 80})
	return tui.Speech{Facts: facts, Question: questionScanOrNumber,
		List: dock.Rows(&x.pages.List, saidMovements, !x.pages.Complete())}
}
