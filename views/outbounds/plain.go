package outbounds

import (
	"fmt"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// Speech is the list of orders in words.
func (s *orders) Speech() tui.Speech {
	s.board.List.Columns = s.columns()
	if s.listed() {
		return s.board.Speech()
	}
	return tui.Speech{Facts: []string{noList}, Question: questionScanOrID, List: dock.Rows(&s.board.List, factOpenedLately, false)}
}

// Speech is the order in words, its lines as rows.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.Absence()
	}
	facts := []string{strings.TrimSpace(widget.Clean(s.Doc.CustomerName) + "  " + s.sums())}
	facts = append(facts, s.leaves())
	if hint := s.hint(); hint != "" {
		facts = append(facts, hint)
	}
	if len(s.Bench.Lines) == 1 {
		l := s.Bench.Line()
		facts = append(facts, strings.TrimSpace(fmt.Sprintf(saidReady, l.Goods.SKU, l.Goods.Name, widget.Count(l.Pending), l.Goods.Pack())))
	}
	return s.Bench.Speech(facts...)
}

// Speech is the new order in words: its lines as rows, and the form.
func (s *maker) Speech() tui.Speech {
	if s.post.Step != nil {
		return tui.Speech{Facts: []string{askAgain}, Question: questionAgainOrBack}
	}
	facts := []string{fmt.Sprintf(saidFromScanWhatIs, s.site.Place().String())}
	for _, w := range s.lines {
		facts = append(facts, widget.Count(w.Quantity)+" × "+w.SKU+"  "+w.Name)
	}
	return tui.Speech{Facts: facts, Form: s.form}
}
