package reservations

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
)

// Speech describes the reservation.
func (s *detail) Speech() tui.Speech {
	t := s.T

	if s.doc == nil {
		if s.errText != "" {
			return tui.Speech{Facts: []string{s.errText}, Question: t.Get("retry or back")}
		}
		return tui.Speech{Facts: []string{t.Get("loading")}}
	}

	now := s.Now()
	state := s.T.Get(statuses[string(statusAt(s.doc, now))])
	if left := TimeLeft(t, s.doc.ExpiresAt.Sub(now)); statusAt(s.doc, now) == api.ReservationPending {
		state += "  " + t.Get("%s left", left)
	}

	facts := []string{
		t.Get("%s  %s  %s at %s", sku(s.doc), name(s.doc), t.Count(remaining(s.doc)),
			session.LocationOf(s.doc.Location).Code),
		state,
		t.Get("%s  by %s", s.expiryText(), actor(s.doc)),
	}

	return tui.Speech{Facts: append(facts, s.questionText(true)), Question: t.Get("commit, release, cancel or back")}
}
