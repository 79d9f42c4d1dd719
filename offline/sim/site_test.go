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
	sim         *simulation
	tenant      *tenant
	name        string
	upstream    upstream
	disk        *disk
	replicas    *replicas
	node        *offline.Node // nil while the program is not running
	runs        int           // how often it was started
	skew        time.Duration // of its clock
	clockSkewed bool          // its clock was off once
	edge        bool          // people work at it from devices

	saved            map[string]outbox.State // what was told saved, as it was last seen
	notSaved         map[string]bool         // what was told not saved
	duplicated       map[string]bool         // what came to the service twice
	hiddenBySnapshot map[string]bool         // of that, what a snapshot may have hidden since
	resolvedUnknown  map[string]bool         // what was settled though nobody could tell whether it was done
	created          map[string]string       // the ids of what was made, by key
	idle             bool                    // nobody works here any more
	offline          bool                    // for a while
	offlineToday     bool                    // for the day

	replicaFails  bool
	key           apiKey
	keyCount      int   // how many it ever had
	revoked       []int // by number
	sent, arrived int   // by number

	// backup and baseCopy are of last night; robbed tells that they were put back,
	// forgets that the clock has made the node forget what it should remember.
	backup                map[string]*file
	replicaBackup         *replicas
	restored, keysExpired bool
}

func newSite(t *tenant, name string) *site {
	s := &site{sim: t.sim, tenant: t, name: name, upstream: t.sim.upstream(), disk: newDisk(t.sim.rng, t.sim.count), key: apiKey{tenant: t},
		saved: map[string]outbox.State{}, notSaved: map[string]bool{}, duplicated: map[string]bool{}, hiddenBySnapshot: map[string]bool{}, resolvedUnknown: map[string]bool{}, created: map[string]string{}}
	s.replicas = &replicas{site: s}
	if s.edge = t.sim.rng.IntN(6) == 0; s.edge {
		t.sim.count(siteWithEdge)
	}
	return s
}

func (s *site) caller() api.Caller { return s.tenant.caller(s.name) }
func (s *site) now() time.Time     { return s.sim.now.Add(s.skew) }

// catchCrash runs fn, in which the program may end.
func (s *site) catchCrash(fn func()) {
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
	s.sim.logf("%s ends", s.name)
	s.sim.count(crashed)
	s.node = nil
	s.runs++
	s.disk.stepsLeft = -1
	s.disk.losePower()
	s.restart(30 * time.Minute)
}

// stop ends the program as a person does.
func (s *site) stop() {
	s.sim.logf("%s is ended", s.name)
	_ = s.node.Close()
	s.node = nil
	s.runs++
}

// restart starts the program within a while; what was read may be gone then.
func (s *site) restart(within time.Duration) {
	if s.sim.inject(replicaLost, 0.25) {
		s.replicas = &replicas{site: s}
	}
	s.sim.schedule(time.Duration(s.sim.rng.Int64N(int64(within))), s.start)
}

// restoreBackup puts the disk of last night in the place of what the site has.
func (s *site) restoreBackup() {
	s.sim.logf("%s has the disk of last night", s.name)
	if s.node != nil {
		s.stop()
	}
	s.runs++
	s.restored = true
	s.disk.files = maps.Clone(s.backup)
	if s.replicas = s.replicaBackup.reopen(); s.sim.chance(0.3) {
		s.replicas = &replicas{site: s}
	}
	s.sim.schedule(time.Minute, s.start)
}

func (s *site) start() {
	if s.node != nil {
		return
	}
	s.catchCrash(func() {
		s.disk.stepsLeft = -1
		s.replicas = s.replicas.reopen()
		cfg := offline.Config{Replicas: s.replicas, Folder: s.disk, Caller: s.caller(),
			NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
			Owner:   outbox.Header{Organization: s.tenant.org.ID.String(), Environment: string(s.tenant.env)},
			Outbox:  outbox.Options{Random: s.sim.rng.Float64}, CompactAt: 4 << 10, CacheMin: 1,
			Now: s.now, Log: slog.New(slog.DiscardHandler)}
		if s.runs > 0 {
			s.tryForeignJournal(cfg)
		}
		node, trouble, err := offline.Open(s.sim.ctx, cfg)
		if err != nil {
			require.True(s.sim.t, s.disk.full || s.disk.failing, "%s does not start: %v", s.name, err)
			s.sim.schedule(time.Minute, s.start)
			return
		}
		require.True(s.sim.t, trouble == nil || len(trouble.Damage) == 0, "%s: a record that was flushed is lost", s.name)
		if trouble != nil && trouble.Truncated > 0 {
			s.sim.count(tornTail)
		}
		s.node = node
		s.sim.logf("%s starts with %d waiting", s.name, node.Status().Waiting)
		s.push()
		s.pull()
		s.every(time.Minute, s.push)
		s.every(time.Minute, s.pull)
		s.every(6*time.Minute, s.work)
	})
}

// tryForeignJournal opens the journal for somebody else, which must not be.
func (s *site) tryForeignJournal(cfg offline.Config) {
	if !s.sim.chance(0.05) {
		return
	}
	other := s.sim.tenants[0]
	if other == s.tenant {
		other = s.sim.tenants[1]
	}
	cfg.Owner = outbox.Header{Organization: other.org.ID.String(), Environment: string(other.env)}
	cfg.Caller = other.caller(s.name)
	_, _, err := offline.Open(s.sim.ctx, cfg)
	require.Error(s.sim.t, err, "%s opens the journal of another", s.name)
	s.sim.count(foreignJournal)
}

// schedule does something if the program still runs then.
func (s *site) schedule(d time.Duration, fn func()) {
	life := s.runs
	s.sim.schedule(d, func() {
		if s.node != nil && s.runs == life {
			s.catchCrash(fn)
		}
	})
}

// every does something again and again while the program runs.
func (s *site) every(d time.Duration, fn func()) {
	life := s.runs
	s.sim.schedule(d/2+time.Duration(s.sim.rng.Int64N(int64(d))), func() {
		if s.node == nil || s.runs != life {
			return
		}
		s.catchCrash(fn)
		if s.node != nil && s.runs == life {
			s.every(d, fn)
		}
	})
}

// restartIfUncertain ends the program where its disk did not say what it holds, as people
// are told to, and tells whether it did.
func (s *site) restartIfUncertain(err error) bool {
	if !errors.Is(err, journal.ErrUncertain) || s.node == nil {
		return false
	}
	s.sim.count(uncertain)
	s.stop()
	s.restart(5 * time.Minute)
	return true
}
