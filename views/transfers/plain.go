package transfers

import "bincard/tui"

// Speech is the list in words.
func (s *list) Speech() tui.Speech {
	s.board.List.Columns = s.columns()
	return s.board.Speech()
}

// Speech is the transfer in words.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.Absence()
	}
	return s.Document.Speech(s.sheet())
}
