package remote

import (
	"slices"
	"time"
)

// takeover is how long a session has to save before the next one of the same
// person begins.
const takeover = 3 * time.Second

// seat gives a visit its place, or says why there is none. Where the person has
// all their seats taken the oldest session ends: mostly it is the one whose
// line was lost.
func (s *Server) seat(v *visit) string {
	s.mu.Lock()
	if s.ending {
		s.mu.Unlock()
		return byeEnding
	}
	mine := slices.DeleteFunc(slices.Clone(s.live), func(x *visit) bool { return x.Person != v.Person })
	if len(s.live)-len(mine)+min(len(mine)+1, s.cfg.Seats) > s.cfg.Sessions {
		s.mu.Unlock()
		return full
	}
	var old *visit
	v.Seat = 0
	if len(mine) >= s.cfg.Seats {
		old = mine[0]
		v.Seat = old.Seat
	} else {
		for slices.ContainsFunc(mine, func(x *visit) bool { return x.Seat == v.Seat }) {
			v.Seat++
		}
	}
	if old != nil {
		s.live = slices.DeleteFunc(s.live, func(x *visit) bool { return x == old })
	}
	s.live = append(s.live, v)
	s.all.Add(1)
	s.mu.Unlock()
	if old != nil {
		old.end(byeElsewhere)
		select {
		case <-old.over:
		case <-time.After(takeover):
		}
	}
	return ""
}

// leave gives the place back.
func (s *Server) leave(v *visit) {
	s.mu.Lock()
	s.live = slices.DeleteFunc(s.live, func(x *visit) bool { return x == v })
	s.mu.Unlock()
	close(v.over)
	s.all.Done()
}
