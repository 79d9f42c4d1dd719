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
	s.panel.List.Columns = s.columns(tui.Standard)
	s.setLabels()
	return s.panel.Speech()
}

// Speech is the reservation in words.
func (s *detail) Speech() tui.Speech {
	if s.doc == nil {
		if s.errText != "" {
			return tui.Speech{Facts: []string{s.errText}, Question: questionRetryOrBack}
		}
		return tui.Speech{Facts: []string{saidReading}}
	}
	now := s.env.Now()
	state := statuses[string(statusAt(s.doc, now))]
	if left := TimeLeft(s.doc.ExpiresAt.Sub(now)); statusAt(s.doc, now) == api.ReservationPending {
		state += "  " + fmt.Sprintf(saidLeft, left)
	}
	facts := []string{fmt.Sprintf(factHeldAt, sku(s.doc), name(s.doc), widget.Count(remaining(s.doc)), dock.LocationOf(s.doc.Location).Code), state,
		fmt.Sprintf(factBy, s.expiryText(), actor(s.doc))}
	return tui.Speech{Facts: append(facts, s.questionText(true)), Question: questionCommitReleaseCancelOr}
}
