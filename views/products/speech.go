package products

import (
	"bincard/tui"
)

// Speech describes the product list.
func (s *list) Speech() tui.Speech {
	t := s.site.T()

	s.panel.List.Columns = s.columns(tui.Standard)
	if s.panel.Noun = t.Get("products"); len(s.panel.Rows()) == 1 {
		s.panel.Noun = t.Get("product")
	}
	speech := s.panel.Speech()
	speech.Search, speech.Question = true, t.Get("scan, number or search")
	if s.search.Value() != "" {
		speech.Facts = append(speech.Facts, t.Get("search: %s", s.search.Value()))
	}
	return speech
}
