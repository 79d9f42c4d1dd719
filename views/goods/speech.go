package goods

import (
	"fmt"

	"bincard/tui"
)

// Speech is the list of products in words.
func (s *list) Speech() tui.Speech {
	s.panel.List.Columns = s.columns(tui.Standard)
	if s.panel.Noun = nounProducts; len(s.panel.Rows()) == 1 {
		s.panel.Noun = nounProduct
	}
	said := s.panel.Speech()
	said.Search, said.Question = true, saidScanNumberOrSearch
	if s.search.Value() != "" {
		said.Facts = append(said.Facts, fmt.Sprintf(saidSearch, s.search.Value()))
	}
	return said
}
