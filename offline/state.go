package offline

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/offline/replicas"
	"bincard/offline/syncer"
	"bincard/server/api"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// A state is what the parts of a node share: the queue with its journal, the replica, and
// the view of both. The methods that say so are called with mu held.
type state struct {
	cfg       Config // its Owner changes with mu held
	here      locations
	replicas  *replicas.Tracker                 // updated with mu held
	view      atomic.Pointer[predict.LocalView] // nil before the first sync; stored with mu held
	confirmed atomic.Pointer[predict.LocalView] // of the replica alone
	stale     atomic.Bool                       // the view must be rebuilt
	feed      source
	polling   source // of a service with the documented operations only

	mu            sync.Mutex // guards what follows
	queue         *outbox.SavedQueue
	local         *syncer.Local
	lease         lease
	changed       chan struct{} // closed at the next change
	closed        bool
	draining      bool      // operations are being sent
	savedSyncedAt time.Time // the SyncedAt last passed to the replicas
}

// source returns the kind of service that the current replica was read from.
func (s *state) source() source {
	if s.replicas.Polled() {
		return s.polling
	}
	return s.feed
}

// Supports reports whether the service has an operation. The node supports no others.
func (s *state) Supports(spec *api.Spec) bool { return s.source().supports(spec) }

// Ready reports whether the service's data was downloaded once.
func (s *state) Ready() bool { return s.view.Load() != nil }

// LimitTo limits the node to locations. It does nothing once there is data from the service,
// so that nothing reads the locations meanwhile without mu.
func (s *state) LimitTo(list []api.PlaceRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.Ready() {
		s.here = sortLocations(list)
		s.local.Locations = s.here.ids()
	}
}

// Position returns where the replica is in the history of the service. Its Epoch is empty
// if there is no replica or the service has no change feed.
func (s *state) Position(ctx context.Context) (replica.Position, error) {
	return s.replicas.Position(ctx, s.replicas.Current())
}

// Operation returns the operation with a key, or nil if there is none.
func (s *state) Operation(key string) *outbox.Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	op := s.queue.Operation(key)
	if op == nil {
		return nil
	}
	copied := *op
	return &copied
}

// Operations returns all operations, oldest first.
func (s *state) Operations() []outbox.Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]outbox.Operation, len(s.queue.Operations()))
	for i, op := range s.queue.Operations() {
		list[i] = *op
	}
	return list
}

// A serviceFunc performs the operations of a service.
type serviceFunc func(context.Context, *api.Request) (*api.Response, error)

// Do calls f.
func (f serviceFunc) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	return f(ctx, req)
}

// Remote returns the reads of the service.
func (s *state) Remote() api.Service { return serviceFunc(s.readRemote) }

func (s *state) readRemote(ctx context.Context, req *api.Request) (*api.Response, error) {
	upstream := *req
	upstream.Caller = nil
	return s.cfg.Upstream.Do(ctx, &upstream)
}

// withCaller returns a request with the node's own caller if it has none.
func (s *state) withCaller(req *api.Request) *api.Request {
	local := *req
	if local.Caller == nil {
		local.Caller = &s.cfg.Caller
	}
	return &local
}

// clockOffset returns how far the service's clock is ahead, or 0 if that is not known.
func (s *state) clockOffset() time.Duration {
	if s.cfg.ClockOffset == nil {
		return 0
	}
	return s.cfg.ClockOffset()
}

// online reports whether the service is connected.
func (s *state) online() bool {
	if s.cfg.Upstream == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.Link(s.now()).Up
}

// notSent reports whether an error means that the request never left.
func (s *state) notSent(err error) bool {
	return err != nil && s.cfg.NotSent != nil && s.cfg.NotSent(err)
}

// saveHeader writes the header, with a new id for the node. Operations that are already in
// the journal may have been sent without one, or with the one before. mu is held.
func (s *state) saveHeader(h outbox.Header) error { return s.queue.Commit(s.newHeader(h)) }

// newHeader returns an entry with the header and a new id for the node.
func (s *state) newHeader(h outbox.Header) *outbox.Entry {
	h.Client = s.cfg.NewID()
	h.ClientSince, _ = s.queue.NextSeq(time.Time{})
	return &outbox.Entry{Header: &h}
}

// checkDisk brings the second copy of the journal up to date if it is not, and ends the
// alarm about the disk once it can be written again.
func (s *state) checkDisk() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}

	s.queue.RepairMirror()
	if s.queue.TryDisk() {
		s.notify()
	}
}

// saveSyncedAt saves the time of the last sync if it is more than after later
// than the saved one. mu is held.
func (s *state) saveSyncedAt(after time.Duration) {
	if at := s.local.SyncedAt; at.Sub(s.savedSyncedAt) > after && s.replicas.Current() != nil {
		s.replicas.SetSyncedAt(at)
		s.savedSyncedAt = at
	}
}

// notify wakes everything that waits for a change. mu is held.
func (s *state) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// nextChange returns a channel that is closed at the next change; ok is false
// once the node is closed.
func (s *state) nextChange(ctx context.Context) (<-chan struct{}, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saveSyncedAt(time.Minute)
	return s.changed, !s.closed && ctx.Err() == nil
}

// maxIdle is the longest pause before a loop checks for work.
const maxIdle = 30 * time.Second

// wait waits for a change or until a time, at most maxIdle.
func (s *state) wait(ctx context.Context, change <-chan struct{}, until time.Time) {
	pause := maxIdle
	if !until.IsZero() {
		pause = min(maxIdle, max(0, until.Sub(s.now())))
	}

	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-change:
	case <-timer.C:
	}
}

func (s *state) now() time.Time { return api.Instant(s.cfg.Now()) }

// partition returns the partition of the replica.
func (cfg *Config) partition() store.Partition {
	return store.Partition{Organization: cfg.Caller.Organization, Environment: string(cfg.Caller.Environment)}
}

func timePtr(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func notReadyError() error {
	return api.Fail(api.Unavailable, api.Details{"outcome": "not_sent"},
		"No data from the service yet. Connect once to work offline.")
}

func notSavedError(err error) error {
	if errors.Is(err, journal.ErrUncertain) {
		return &api.Error{
			Code:    api.Unavailable,
			Err:     err,
			Details: api.Details{"outcome": "unknown"},
			Message: api.Text(
				"The disk failed, so this may not be saved. Restart Bincard and check before you repeat it."),
		}
	}

	return &api.Error{Code: api.Unavailable, Err: err,
		Message: api.Text("Not saved: the disk is full or failing. Free some space or check the disk, then retry.")}
}
