package outbounds

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// Speech describes the order with its lines as rows.
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
		facts = append(
			facts,
			strings.TrimSpace(s.T.Get("%s  %s  ready %s  %s", l.Item.SKU, l.Item.Name, s.T.Count(l.Pending),
				l.Item.PackText(s.T))),
		)
	}

	if text := s.lotsText(s.currentLine()); text != "" {
		facts = append(facts, text)
	}

	return s.Panel.Frame().Speech(facts...)
}

// Speech describes the new order with its lines and form.
func (s *newOrderForm) Speech() tui.Speech {
	t := s.T

	if s.submission.Unfinished() {
		return tui.Speech{Facts: []string{t.Get("No answer yet: enter to retry")}, Question: t.Get("retry or back")}
	}

	facts := []string{
		t.Get("from %s: scan the items, then enter the customer; order ends it", s.site.Location().String()),
	}
	for _, w := range s.lines {
		facts = append(facts, t.Count(w.Quantity)+" × "+w.SKU+"  "+w.Name)
	}

	return tui.Speech{Facts: facts, Form: s.form}
}
