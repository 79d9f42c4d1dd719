package goods

import (
	"fmt"

	"bincard/tui"
)

// Speech is the list of products in words.
func (s *list) Speech() tui.Speech {
	s.board.List.Columns = s.columns(tui.Standard)
	if s.board.Noun = nounProducts; len(s.board.Rows()) == 1 {
		s.board.Noun = nounProduct
	}
	said := s.board.Speech()
	said.Search, said.Question = true, saidScanNumberOrSearch
	if s.typed.Value() != "" {
		said.Facts = append(said.Facts, fmt.Sprintf(saidSearch, s.typed.Value()))
	}
	return said
}
