package goods

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
	said := s.panel.Speech()
	said.Search, said.Question = true, t.Get("scan, number or search")
	if s.search.Value() != "" {
		said.Facts = append(said.Facts, t.Get("search: %s", s.search.Value()))
	}
	return said
}
