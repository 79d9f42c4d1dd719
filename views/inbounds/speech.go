package inbounds

import "bincard/tui"

// Speech describes the inbound.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}
	return s.DocumentScreen.Speech(s.summary())
}
