package inbounds

import "bincard/tui"

// Speech is the list in words.
func (s *list) Speech() tui.Speech {
	s.panel.List.Columns = s.columns(false)
	return s.panel.Speech()
}

// Speech is the inbound in words.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}
	return s.DocumentScreen.Speech(s.summary())
}
