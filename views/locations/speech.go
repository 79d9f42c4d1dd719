package locations

import (
	"bincard/tui"
)

// Speech describes the list of locations.
func (s *list) Speech() tui.Speech {
	s.panel.List.Columns = s.columns(false)[1:]
	s.panel.Noun = s.site.T().Get("locations")
	speech := s.panel.Speech()
	if here := s.site.Location(); here.IsSet() {
		speech.Facts = append([]string{s.site.T().Get("you work at %s", here.Code)}, speech.Facts...)
	}
	return speech
}
