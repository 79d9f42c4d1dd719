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
	s.panel.List.Columns = s.columns()
	if s.canList() {
		return s.panel.Speech()
	}
	return tui.Speech{Facts: []string{noList}, Question: questionScanOrID, List: dock.ListSpeech(&s.panel.List, factOpenedLately, false)}
}

// Speech is the order in words, its lines as rows.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}
	facts := []string{strings.TrimSpace(widget.Clean(s.Doc.CustomerName) + "  " + s.totalsText())}
	facts = append(facts, s.dueText())
	if hint := s.hint(); hint != "" {
		facts = append(facts, hint)
	}
	if len(s.Panel.Lines) == 1 {
		l := s.Panel.Line()
		facts = append(facts, strings.TrimSpace(fmt.Sprintf(saidReady, l.Item.SKU, l.Item.Name, widget.Count(l.Pending), l.Item.PackText())))
	}
	return s.Panel.Speech(facts...)
}

// Speech is the new order in words: its lines as rows, and the form.
func (s *newOrderForm) Speech() tui.Speech {
	if s.submitter.Step != nil {
		return tui.Speech{Facts: []string{askAgain}, Question: questionAgainOrBack}
	}
	facts := []string{fmt.Sprintf(saidFromScanWhatIs, s.site.Location().String())}
	for _, w := range s.lines {
		facts = append(facts, widget.Count(w.Quantity)+" × "+w.SKU+"  "+w.Name)
	}
	return tui.Speech{Facts: facts, Form: s.form}
}
