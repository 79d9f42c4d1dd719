package places

import (
	"fmt"

	"bincard/tui"
)

// Speech is the list of places in words.
func (s *list) Speech() tui.Speech {
	s.panel.List.Columns = s.columns(false)[1:]
	s.panel.Noun = nounPlaces
	said := s.panel.Speech()
	if here := s.site.Location(); here.IsSet() {
		said.Facts = append([]string{fmt.Sprintf(saidYouWorkAt, here.Code)}, said.Facts...)
	}
	return said
}
