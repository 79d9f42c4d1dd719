package inbounds

import "bincard/tui"

// Speech describes the list.
func (s *list) Speech() tui.Speech {
	s.panel.List.Columns = s.columns(false)
	return s.panel.Speech()
}

// Speech describes the inbound.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}
	return s.DocumentScreen.Speech(s.summary())
}
