package transfers

import "bincard/tui"

// Speech describes the transfer.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}
	return s.DocumentScreen.Speech(s.summary())
}
