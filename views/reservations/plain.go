package reservations

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"
	"fmt"
)

// Speech is the list in words.
func (s *list) Speech() tui.Speech {
	s.board.List.Columns = s.columns(tui.Standard)
	s.named()
	return s.board.Speech()
}

// Speech is the reservation in words.
func (s *one) Speech() tui.Speech {
	if s.doc == nil {
		if s.fault != "" {
			return tui.Speech{Facts: []string{s.fault}, Question: questionRetryOrBack}
		}
		return tui.Speech{Facts: []string{saidReading}}
	}
	now := s.env.Now()
	state := statuses[string(standing(s.doc, now))]
	if left := Left(s.doc.ExpiresAt.Sub(now)); standing(s.doc, now) == api.ReservationPending {
		state += "  " + fmt.Sprintf(saidLeft, left)
	}
	facts := []string{fmt.Sprintf(factHeldAt, sku(s.doc), name(s.doc), widget.Count(held(s.doc)), dock.PlaceOf(s.doc.Location).Code), state,
		fmt.Sprintf(factBy, s.when(), who(s.doc))}
	return tui.Speech{Facts: append(facts, s.ask(true)), Question: questionCommitReleaseCancelOr}
}
