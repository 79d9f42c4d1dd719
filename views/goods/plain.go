package goods

import "bincard/tui"

// Speech is the list of products in words.
func (s *list) Speech() tui.Speech {
	s.board.List.Columns = s.columns(tui.Desk)
	if s.board.Noun = "products"; len(s.board.Rows()) == 1 {
		s.board.Noun = "product"
	}
	said := s.board.Speech()
	said.Search, said.Question = true, "scan, number or search"
	if s.typed.Value() != "" {
		said.Facts = append(said.Facts, "search: "+s.typed.Value())
	}
	return said
}
