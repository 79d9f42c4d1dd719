package remote

import (
	"slices"
	"time"
)

// takeover is how long a session may take to save before the next session of the same
// person starts.
const takeover = 3 * time.Second

// admit adds a session, or returns why it cannot. If the person has reached MaxPerPerson,
// their oldest session ends: usually it is one whose connection was lost.
func (s *Server) admit(v *session) string {
	s.mu.Lock()
	if s.ending {
		s.mu.Unlock()
		return s.cfg.Translator.Get("The terminal is restarting. Your counts are saved: sign in again in a moment.")
	}

	mine := slices.DeleteFunc(slices.Clone(s.sessions), func(x *session) bool { return x.Person != v.Person })
	if len(s.sessions)-len(mine)+min(len(mine)+1, s.cfg.MaxPerPerson) > s.cfg.MaxSessions {
		s.mu.Unlock()
		return s.cfg.Translator.Get("Too many sessions. Try again in a moment, or ask someone to sign out.")
	}

	var old *session
	v.Index = 0
	if len(mine) >= s.cfg.MaxPerPerson {
		old = mine[0]
		v.Index = old.Index
	} else {
		for slices.ContainsFunc(mine, func(x *session) bool { return x.Index == v.Index }) {
			v.Index++
		}
	}

	if old != nil {
		s.sessions = slices.DeleteFunc(s.sessions, func(x *session) bool { return x == old })
	}

	s.sessions = append(s.sessions, v)
	s.wait.Add(1)
	s.mu.Unlock()
	if old != nil {
		old.end(s.cfg.Translator.Get("Session moved to your other terminal. Your counts are saved."))
		select {
		case <-old.done:
		case <-time.After(takeover):
		}
	}

	return ""
}

// release removes a session.
func (s *Server) release(v *session) {
	s.mu.Lock()
	s.sessions = slices.DeleteFunc(s.sessions, func(x *session) bool { return x == v })
	s.mu.Unlock()
	close(v.done)
	s.wait.Done()
}
