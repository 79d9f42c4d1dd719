package reports

import (
	"bincard/tui"
	"bincard/views/listscreen"
)

// Speech describes the report or the filter form.
func (s *screen) Speech() tui.Speech {
	if s.form != nil {
		return tui.Speech{Facts: []string{s.T.Get("Set the filter, then type show")}, Form: s.form}
	}

	facts := []string{s.pages.Text()}
	if s.pages.Loaded() && s.pages.List.Len() == 0 {
		facts = append(facts, s.emptyText())
	}

	s.pages.List.Columns = s.sizedColumns(tui.Size{Class: tui.Standard, Width: 80})

	return tui.Speech{Facts: facts, Question: s.T.GetC("scan or number", "reports"),
		List: listscreen.ListSpeech(&s.pages.List, s.noun, !s.pages.Complete())}
}
