package sim_test

import (
	"errors"
	"log/slog"
	"maps"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// A site is a node with its disk and the people who work at it.
type site struct {
	w      *world
	tenant *tenant
	name   string
	up     peer
	disk   *disk
	bases  *shelves
	node   *offline.Node // nil while the program is not running
	life   int           // how often it was started
	skew   time.Duration // of its clock
	astray bool          // its clock was off once
	edge   bool          // people work at it from devices

	told    map[string]outbox.State // what was told saved, as it was last seen
	denied  map[string]bool         // what was told not saved
	doubled map[string]bool         // what came to the service twice
	veiled  map[string]bool         // of that, what a snapshot may have hidden since
	guessed map[string]bool         // what was settled though nobody could tell whether it was done
	made    map[string]string       // the ids of what was made, by key
	idle    bool                    // nobody works here any more
	offline bool                    // for a while
	away    bool                    // for the day

	sickBase      bool
	key           badge
	keys          int   // how many it ever had
	revoked       []int // by number
	sent, arrived int   // by number

	// copy and baseCopy are of last night; robbed tells that they were put back,
	// forgets that the clock has made the node forget what it should remember.
	copy            map[string]*file
	baseCopy        *shelves
	robbed, forgets bool
}

func newSite(t *tenant, name string) *site {
	s := &site{w: t.w, tenant: t, name: name, up: t.w.peer(), disk: newDisk(t.w.rng, t.w.met), key: badge{of: t},
		told: map[string]outbox.State{}, denied: map[string]bool{}, doubled: map[string]bool{}, veiled: map[string]bool{}, guessed: map[string]bool{}, made: map[string]string{}}
	s.bases = &shelves{site: s}
	if s.edge = t.w.rng.IntN(6) == 0; s.edge {
		t.w.met(siteWithEdge)
	}
	return s
}

func (s *site) caller() api.Caller { return s.tenant.caller(s.name) }
func (s *site) now() time.Time     { return s.w.now.Add(s.skew) }

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
	s.w.met(crashed)
	s.node = nil
	s.life++
	s.disk.until = -1
	s.disk.lose()
	s.restart(30 * time.Minute)
}

// stop ends the program as a person does.
func (s *site) stop() {
	s.w.note("%s is ended", s.name)
	_ = s.node.Close()
	s.node = nil
	s.life++
}

// restart starts the program within a while; what was read may be gone then.
func (s *site) restart(within time.Duration) {
	if s.w.befalls(baseLost, 0.25) {
		s.bases = &shelves{site: s}
	}
	s.w.later(time.Duration(s.w.rng.Int64N(int64(within))), s.start)
}

// yesterday puts the disk of last night in the place of what the site has.
func (s *site) yesterday() {
	s.w.note("%s has the disk of last night", s.name)
	if s.node != nil {
		s.stop()
	}
	s.life++
	s.robbed = true
	s.disk.files = maps.Clone(s.copy)
	if s.bases = s.baseCopy.opened(); s.w.chance(0.3) {
		s.bases = &shelves{site: s}
	}
	s.w.later(time.Minute, s.start)
}

func (s *site) start() {
	if s.node != nil {
		return
	}
	s.guard(func() {
		s.disk.until = -1
		s.bases = s.bases.opened()
		cfg := offline.Config{Bases: s.bases, Folder: s.disk, Caller: s.caller(),
			NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
			Owner:   outbox.Begin{Organization: s.tenant.org.ID.String(), Environment: string(s.tenant.env)},
			Outbox:  outbox.Options{Random: s.w.rng.Float64}, Roomy: 4 << 10, Memorable: 1,
			Now: s.now, Log: slog.New(slog.DiscardHandler)}
		if s.life > 0 {
			s.mistaken(cfg)
		}
		node, trouble, err := offline.Open(s.w.ctx, cfg)
		if err != nil {
			require.True(s.w.t, s.disk.full || s.disk.sick, "%s does not start: %v", s.name, err)
			s.w.later(time.Minute, s.start)
			return
		}
		require.True(s.w.t, trouble == nil || len(trouble.Damage) == 0, "%s: a record that was flushed is lost", s.name)
		if trouble != nil && trouble.Cut > 0 {
			s.w.met(tornTail)
		}
		s.node = node
		s.w.note("%s starts with %d waiting", s.name, node.Status().Waiting)
		s.pump()
		s.pull()
		s.every(time.Minute, s.pump)
		s.every(time.Minute, s.pull)
		s.every(6*time.Minute, s.work)
	})
}

// mistaken opens the journal for somebody else, which must not be.
func (s *site) mistaken(cfg offline.Config) {
	if !s.w.chance(0.05) {
		return
	}
	other := s.w.tenants[0]
	if other == s.tenant {
		other = s.w.tenants[1]
	}
	cfg.Owner = outbox.Begin{Organization: other.org.ID.String(), Environment: string(other.env)}
	cfg.Caller = other.caller(s.name)
	_, _, err := offline.Open(s.w.ctx, cfg)
	require.Error(s.w.t, err, "%s opens the journal of another", s.name)
	s.w.met(foreignJournal)
}

// later does something if the program still runs then.
func (s *site) later(d time.Duration, fn func()) {
	life := s.life
	s.w.later(d, func() {
		if s.node != nil && s.life == life {
			s.guard(fn)
		}
	})
}

// every does something again and again while the program runs.
func (s *site) every(d time.Duration, fn func()) {
	life := s.life
	s.w.later(d/2+time.Duration(s.w.rng.Int64N(int64(d))), func() {
		if s.node == nil || s.life != life {
			return
		}
		s.guard(fn)
		if s.node != nil && s.life == life {
			s.every(d, fn)
		}
	})
}

// spoiled ends the program where its disk did not say what it holds, as people
// are told to, and tells whether it did.
func (s *site) spoiled(err error) bool {
	if !errors.Is(err, journal.ErrUncertain) || s.node == nil {
		return false
	}
	s.w.met(uncertain)
	s.stop()
	s.restart(5 * time.Minute)
	return true
}
