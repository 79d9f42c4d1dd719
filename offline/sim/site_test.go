package sim_test

import (
	"log/slog"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// A site is a node with its disk and the people who work at it.
type site struct {
	w     *world
	name  string
	disk  *disk
	bases *offline.MemoryBases
	node  *offline.Node // nil while the program is not running
	life  int           // how often it was started
	told  map[string]bool
	idle  bool // nobody works here any more
}

func (s *site) caller() api.Caller {
	return api.Caller{Organization: s.w.org.ID, Environment: api.Test, Scopes: api.Scopes,
		Actor: api.Actor{Type: api.APIKey, ID: s.name, Label: s.name}}
}

// guard runs fn, in which the program may end.
func (s *site) guard(fn func()) {
	defer func() {
		switch v := recover(); v.(type) {
		case nil:
		case crash:
			s.crash()
		default:
			panic(v)
		}
	}()
	fn()
}

// crash ends the program, and mostly the machine under it.
func (s *site) crash() {
	s.w.note("%s ends", s.name)
	s.node = nil
	s.life++
	s.disk.until = -1
	s.disk.lose()
	if s.bases != nil && s.w.rng.IntN(4) == 0 {
		s.bases = nil // it can be lost without harm
	}
	s.w.later(time.Duration(s.w.rng.IntN(1800))*time.Second, s.start)
}

func (s *site) start() {
	s.guard(func() {
		if s.bases == nil {
			s.bases = &offline.MemoryBases{}
		}
		node, trouble, err := offline.Open(s.w.ctx, offline.Config{Bases: s.bases, Folder: s.disk, Caller: s.caller(),
			NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
			Owner:   outbox.Begin{Organization: s.w.org.ID.String(), Environment: string(api.Test)},
			Outbox:  outbox.Options{Random: s.w.rng.Float64}, Roomy: 4 << 10,
			Now: func() time.Time { return s.w.now }, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			require.True(s.w.t, s.disk.full, "%s does not start: %v", s.name, err)
			s.w.later(time.Minute, s.start)
			return
		}
		require.True(s.w.t, trouble == nil || len(trouble.Damage) == 0, "%s: a record that was flushed is lost", s.name)
		s.node = node
		life := s.life
		s.w.note("%s starts with %d waiting", s.name, node.Status().Waiting)
		s.pump()
		s.pull()
		s.every(30*time.Second, life, s.pump)
		s.every(30*time.Second, life, s.pull)
		s.every(6*time.Minute, life, s.work)
	})
}

// every does something again and again while the program runs.
func (s *site) every(d time.Duration, life int, fn func()) {
	s.w.later(d/2+time.Duration(s.w.rng.Int64N(int64(d))), func() {
		if s.node == nil || s.life != life {
			return
		}
		s.guard(fn)
		if s.node != nil && s.life == life {
			s.every(d, life, fn)
		}
	})
}

// pump sends what is to be sent.
func (s *site) pump() {
	if s.node == nil {
		return
	}
	out, err := s.node.Pack()
	if err != nil {
		return // the disk; it is tried again
	}
	life := s.life
	for _, p := range out.Send {
		s.w.carry(s, p.Req, func(res *api.Response, err error) {
			if s.node != nil && s.life == life {
				s.guard(func() { _ = s.node.Delivered(p.Key, res, err); s.pump() })
			}
		})
	}
	if !out.Wake.IsZero() {
		s.w.later(out.Wake.Sub(s.w.now), func() {
			if s.node != nil && s.life == life {
				s.guard(s.pump)
			}
		})
	}
}

// pull reads what the service has.
func (s *site) pull() {
	if s.node == nil {
		return
	}
	req, at, err := s.node.Ask(s.w.ctx)
	if err != nil || req == nil {
		if !at.IsZero() {
			life := s.life
			s.w.later(at.Sub(s.w.now), func() {
				if s.node != nil && s.life == life {
					s.guard(s.pull)
				}
			})
		}
		return
	}
	life := s.life
	s.w.carry(s, req, func(res *api.Response, err error) {
		if s.node != nil && s.life == life {
			s.guard(func() { _ = s.node.Told(s.w.ctx, res, err); s.pump(); s.pull() })
		}
	})
}
