package sim_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/server/api"
)

// A site is a node with its disk and its users.
type site struct {
	sim         *simulation
	tenant      *tenant
	name        string
	upstream    upstream
	disk        *disk
	replicas    *replicaSet
	node        *offline.Node  // nil while the program is not running
	runs        int            // how often it was started
	skew        time.Duration  // of its clock from the simulation's
	clockSkewed bool           // its clock was ever wrong
	edge        bool           // used from devices
	locations   []api.PlaceRef // that the node is limited to; nil for all

	saved            map[string]outbox.State // operations reported as saved, with their last state
	notSaved         map[string]bool         // operations reported as not saved
	swapped          map[string]bool         // writes that got another one's answer
	rejected         map[string]bool         // writes that the service itself rejected
	duplicated       map[string]bool         // requests that reach the service twice
	hiddenBySnapshot map[string]bool         // duplicated requests that a snapshot may have hidden
	resolvedUnknown  map[string]bool         // resolved without knowing whether they were done
	doneTwice        map[string]bool         // done after they were replaced
	created          map[string]string       // ids of created documents by key
	createdBy        map[api.ID]string       // the reverse
	reused           map[string]bool         // keys that are known to be used for other work
	forOther         map[string]bool         // operations on the document of another site, which has the key of a creation here
	lotCodes         map[string]string       // codes of the lots that were used, by id
	idle             bool                    // no more work
	offline          bool                    // for the interval
	offlineToday     bool                    // for the day

	// cutOff is service.restores when the program last started or lost its connection, and
	// knows what it was when the service gave the last answer that shows its history.
	cutOff, knows int

	probeAt       time.Time // of the scheduled probe
	replicaFails  bool
	diskFull      bool   // for an hour
	poison        string // writes that contain it get no answer; "" for none
	key           apiKey
	keyCount      int   // number of keys so far
	revoked       []int // by number
	sent, arrived int   // request numbers

	// backup and replicaBackup are last night's. restored means that they were
	// put back, keysExpired that the node's clock ran so far ahead that a journal
	// which keepsFew removed operations early.
	backup                map[string]*file
	replicaBackup         *replicaSet
	restored, keysExpired bool
	keepsFew              bool
}

func newSite(t *tenant, name string) *site {
	s := &site{sim: t.sim, tenant: t, name: name, upstream: t.sim.upstream(), disk: newDisk(t.sim.rng, t.sim.count, t.sim.logFor(name)), key: apiKey{tenant: t},
		saved: map[string]outbox.State{}, notSaved: map[string]bool{}, swapped: map[string]bool{}, rejected: map[string]bool{}, duplicated: map[string]bool{}, hiddenBySnapshot: map[string]bool{}, resolvedUnknown: map[string]bool{}, doneTwice: map[string]bool{}, created: map[string]string{}, createdBy: map[api.ID]string{}, reused: map[string]bool{}, forOther: map[string]bool{}, lotCodes: map[string]string{}}
	s.replicas = &replicaSet{site: s}
	s.keepsFew = len(t.sim.nodes)%2 == 0
	if s.edge = t.sim.rng.IntN(6) == 0; s.edge {
		t.sim.count(siteWithEdge)
	}
	if t.sim.basic == nil && t.sim.rng.IntN(6) == 0 {
		t.sim.count(siteOfOneLocation)
		l := t.locations[t.sim.rng.IntN(len(t.locations))]
		s.locations = []api.PlaceRef{{ID: l.ID, Code: l.Code}}
	}
	return s
}

// concerns reports whether something at some locations is part of the site's data.
func (s *site) concerns(at []api.ID) bool {
	return s.locations == nil || slices.Contains(at, s.locations[0].ID)
}

// notReached is the service for requests that a node passes on at once.
type notReached struct{}

func (notReached) Do(context.Context, *api.Request) (*api.Response, error) {
	return nil, api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"}, "The service cannot be reached.")
}

func (s *site) caller() api.Caller { return s.tenant.caller(s.name) }
func (s *site) now() time.Time     { return s.sim.now.Add(s.skew) }

// catchCrash runs fn, in which the program may crash.
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

// crash ends the program and fails its power.
func (s *site) crash() {
	s.sim.logf("%s crashes", s.name)
	s.sim.count(crashed)
	s.node = nil
	s.runs++
	s.disk.stepsLeft = -1
	s.disk.losePower()
	s.restart(30 * time.Minute)
}

// stop ends the program in an orderly way.
func (s *site) stop() {
	s.sim.logf("%s stops", s.name)
	closed := false
	s.catchCrash(func() {
		_ = s.node.Close()
		closed = true
	})
	if closed {
		s.node = nil
		s.runs++
	}
}

// restart starts the program within a time; its replicas may be lost, or last night's.
func (s *site) restart(within time.Duration) {
	switch {
	case s.sim.inject(replicaLost, 0.25):
		s.replicas = &replicaSet{site: s}
	case s.replicaBackup != nil && s.sim.inject(replicaOlder, 0.1):
		s.replicas = s.replicaBackup.reopen()
	}
	s.sim.schedule(time.Duration(s.sim.rng.Int64N(int64(within))), s.start)
}

// restoreBackup restores the site's disk from last night's backup.
func (s *site) restoreBackup() {
	s.sim.logf("%s is restored from last night", s.name)
	if s.node != nil {
		s.stop()
	}
	s.runs++
	s.restored = true
	s.disk.restore(s.backup)
	if s.replicas = s.replicaBackup.reopen(); s.sim.chance(0.3) {
		s.replicas = &replicaSet{site: s}
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
		cfg := offline.Config{Upstream: notReached{}, NewID: s.sim.newID, Replicas: s.replicas, Folder: s.disk, Caller: s.caller(),
			NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
			Owner:   outbox.Header{Organization: s.tenant.org.ID.String(), Environment: string(s.tenant.env)},
			Outbox:  outbox.Options{Random: s.sim.rng.Float64, KeepLast: int(toInt(s.keepsFew))}, CompactAt: 4 << 10, CacheMin: 1, Locations: s.locations,
			Now: s.now, Log: slog.New(slog.DiscardHandler)}
		if s.runs > 0 {
			s.tryForeignJournal(cfg)
		}
		node, damage, err := offline.Open(s.sim.ctx, cfg)
		if err != nil {
			require.True(s.sim.t, s.disk.full || s.disk.failing, "%s does not start: %v", s.name, err)
			s.sim.schedule(time.Minute, s.start)
			return
		}
		require.True(s.sim.t, damage == nil || len(damage.Damage) == 0 && damage.Missing == nil, "%s: a flushed record is lost", s.name)
		if damage != nil && damage.Truncated > 0 {
			s.sim.count(tornTail)
		}
		s.node, s.probeAt, s.cutOff = node, time.Time{}, s.sim.service.restores
		s.sim.logf("%s starts with %d pending", s.name, node.Status().Waiting)
		s.push()
		s.pull()
		s.every(time.Minute, s.push)
		s.every(time.Minute, s.pull)
		s.every(6*time.Minute, s.work)
	})
}

// tryForeignJournal tries to open the journal for another tenant, which must
// fail.
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
	require.Error(s.sim.t, err, "%s opens the journal of another tenant", s.name)
	s.sim.count(foreignJournal)
}

// schedule runs fn after a time if the program was not restarted.
func (s *site) schedule(d time.Duration, fn func()) {
	run := s.runs
	s.sim.schedule(d, func() {
		if s.node != nil && s.runs == run {
			s.catchCrash(fn)
		}
	})
}

// every runs fn repeatedly until the program ends.
func (s *site) every(d time.Duration, fn func()) {
	run := s.runs
	s.sim.schedule(d/2+time.Duration(s.sim.rng.Int64N(int64(d))), func() {
		if s.node == nil || s.runs != run {
			return
		}
		s.catchCrash(fn)
		if s.node != nil && s.runs == run {
			s.every(d, fn)
		}
	})
}

// restartIfUncertain restarts the program if err is journal.ErrUncertain, as
// its message asks, and reports whether it did.
func (s *site) restartIfUncertain(err error) bool {
	if !errors.Is(err, journal.ErrUncertain) || s.node == nil {
		return false
	}
	s.sim.count(uncertain)
	s.stop()
	s.restart(5 * time.Minute)
	return true
}
