package reservations

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// Speech is the list in words.
func (s *list) Speech() tui.Speech {
	s.board.List.Columns = s.columns(tui.Desk)
	s.named()
	return s.board.Speech()
}

// Speech is the reservation in words.
func (s *one) Speech() tui.Speech {
	if s.doc == nil {
		if s.fault != "" {
			return tui.Speech{Facts: []string{s.fault}, Question: "retry or back"}
		}
		return tui.Speech{Facts: []string{"reading"}}
	}
	now := s.env.Now()
	state := statuses[string(standing(s.doc, now))]
	if left := Left(s.doc.ExpiresAt.Sub(now)); standing(s.doc, now) == api.ReservationPending {
		state += "  " + left + " left"
	}
	facts := []string{sku(s.doc) + "  " + name(s.doc) + "  " + widget.Count(held(s.doc)) + " at " + dock.PlaceOf(s.doc.Location).Code, state,
		s.when() + "  by " + who(s.doc)}
	return tui.Speech{Facts: append(facts, s.ask(true)), Question: "commit, release, cancel or back"}
}
