package offline

import (
	"context"
	"slices"

	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/store"
)

func (s *state) predictConfig() predict.Config {
	return predict.Config{Partition: s.cfg.partition(), Caller: s.cfg.Caller, Now: s.now, Log: s.cfg.Log}
}

// rebuild applies all operations that are not confirmed to the replica. s.mu is
// held, or nobody else has the node yet.
func (s *state) rebuild(ctx context.Context) error {
	s.stale.Store(false)
	replica := s.replicas.Current()
	if replica == nil {
		return nil // nothing to show; operations are sent in the order in which they were done
	}

	at, err := s.replicas.Position(ctx, replica)
	switch {
	case ctx.Err() != nil:
		s.stale.Store(true)
		return ctx.Err()
	case err != nil: // without a revision no step is reused
		s.cfg.Log.Error("cannot identify the replica by its revision", "error", err)
	}

	var known []*predict.Step
	dirty := replicas.RowSet{}
	if old := s.view.Load(); old != nil && old.Replica() == replica {
		if rows, ok := s.replicas.ChangedSince(old.Revision, at.Stamp); ok {
			known, dirty = old.Steps(), rows
		}
	} else if old == nil && at.Stamp != "" && len(s.queue.Applied()) >= s.cfg.CacheMin {
		known = s.loadCache(at.Stamp)
	}

	v, err := s.buildView(ctx, replica, known, dirty)
	if err != nil {
		s.stale.Store(true)
		return err
	}

	v.Revision = at.Stamp
	s.replicas.ForgetChanges(at.Stamp)
	if old := s.view.Swap(v); old != nil {
		old.Close()
	}

	return nil
}

// buildView applies all operations that are not confirmed and quarantines
// those that look like a conflict. A quarantined or expired operation is not
// applied.
func (s *state) buildView(ctx context.Context, replica store.Store, known []*predict.Step,
	dirty replicas.RowSet) (*predict.LocalView, error) {
	for {
		v, err := predict.Replay(ctx, s.predictConfig(), replica, s.replicas.Polled(), s.queue.Queue, known, dirty)
		if err != nil {
			return nil, err
		}

		var conflicts []*outbox.Entry
		for _, op := range s.queue.Applied() {
			if op.Risk != nil {
				if e := s.holdConflict(op); e != nil {
					conflicts = append(conflicts, e)
				}
			}
		}

		if len(conflicts) == 0 {
			return v, nil
		}
		if err := s.queue.Commit(conflicts...); err != nil {
			s.cfg.Log.Error("cannot quarantine a conflicting operation", "error", err)
			return v, nil
		}

		v.Close()
		known, dirty = v.Steps(), replicas.RowSet{}
	}
}

// conflictCodes are the errors that mean that someone else has already done what an
// operation would do.
var conflictCodes = []api.Code{api.QuantityExceedsPending, api.NothingPending, api.InboundAlreadyReceived,
	api.InboundNotOpen, api.OutboundNotOpen, api.TransferNotOpen, api.SerialExists, api.SerialNotAvailable}

// holdConflict quarantines an operation that was valid when it was done and no
// longer is. Someone else has changed the same stock since; only a person
// knows whether it was the same items. Or its lot was that of a discarded receipt. An
// operation is not quarantined while what it needs is still to be sent, here or by another node.
func (s *state) holdConflict(op *outbox.Operation) *outbox.Entry {
	spec := api.FindOperation(op.SpecID)
	if op.AcceptsRisk() || op.MaybeDone() || spec == nil || !spec.Physical() ||
		!slices.Contains(conflictCodes, op.Risk.Code) && !s.queue.LotDiscarded(op) ||
		s.queue.FollowsUnapplied(op) || s.queue.MayRecover(s.now(), op, op.Risk) {
		return nil
	}

	return op.Hold(s.now(), op.Risk)
}

// refresh rebuilds the view if it is stale.
func (s *state) refresh(ctx context.Context) error {
	if !s.stale.Load() {
		return nil
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || !s.stale.Load() {
		return nil
	}

	return s.rebuild(ctx)
}

// confirmedView returns the view of the current replica alone, which it creates
// on first use: what the service has.
func (s *state) confirmedView() *predict.LocalView {
	replica := s.replicas.Current()
	old := s.confirmed.Load()
	if replica == nil || old != nil && old.Replica() == replica {
		return old
	}

	fresh := predict.NewLocalView(s.predictConfig(), replica, false)
	if !s.confirmed.CompareAndSwap(old, fresh) {
		fresh.Close()
		return s.confirmed.Load()
	}
	if old != nil {
		old.Close()
	}

	return fresh
}

// Verify predicts all operations that are not confirmed again and returns an
// error if the result differs from the current view.
func (s *state) Verify(ctx context.Context) error {
	if err := s.refresh(ctx); err != nil {
		return err
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	current := s.view.Load()
	if current == nil {
		return nil
	}

	v, err := predict.Replay(ctx, s.predictConfig(), current.Replica(), s.replicas.Polled(), s.queue.Queue,
		nil, replicas.RowSet{})
	if err != nil {
		return err
	}

	defer v.Close()

	return current.Compare(v)
}

// loadCache returns the cached steps, none if they belong to another replica
// revision.
func (s *state) loadCache(revision string) []*predict.Step {
	data, err := journal.ReadFile(s.cfg.Folder, CacheName)
	if err != nil {
		s.cfg.Log.Warn("cannot read the prediction cache; rebuilding it", "error", err)
		return nil
	}
	return predict.DecodeSteps(s.predictConfig(), data, revision)
}
