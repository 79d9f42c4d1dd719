package places

import (
	"fmt"

	"bincard/tui"
)

// Speech is the list of places in words.
func (s *list) Speech() tui.Speech {
	s.board.List.Columns = s.columns(false)[1:]
	s.board.Noun = nounPlaces
	said := s.board.Speech()
	if here := s.site.Place(); here.Chosen() {
		said.Facts = append([]string{fmt.Sprintf(saidYouWorkAt, here.Code)}, said.Facts...)
	}
	return said
}
