package offline

import (
	"context"

	"bincard/offline/outbox"
	"bincard/offline/predict"
	"bincard/offline/replicas"
	"bincard/server/store"
)

func (n *Node) predictConfig() predict.Config {
	return predict.Config{Partition: n.partition(), Caller: n.cfg.Caller, Now: n.now, Log: n.cfg.Log}
}

// rebuild applies all operations that are not confirmed to the replica. n.mu is
// held, or nobody else has the node yet.
func (n *Node) rebuild(ctx context.Context) error {
	n.stale.Store(false)
	replica := n.replicas.Current()
	if replica == nil {
		return nil // nothing to show; operations are sent in the order in which they were done
	}
	at, err := n.replicas.Position(ctx, replica)
	switch {
	case ctx.Err() != nil:
		n.stale.Store(true)
		return ctx.Err()
	case err != nil: // without a revision no step is reused
		n.cfg.Log.Error("cannot identify the replica by its revision", "error", err)
	}
	var known []*predict.Step
	dirty := replicas.RowSet{}
	if old := n.view.Load(); old != nil && old.Replica() == replica {
		if rows, ok := n.replicas.ChangedSince(old.Revision, at.Stamp); ok {
			known, dirty = old.Steps(), rows
		}
	} else if old == nil && at.Stamp != "" && len(n.queue.Applied()) >= n.cfg.CacheMin {
		known = n.loadCache(at.Stamp)
	}
	v, err := n.buildView(ctx, replica, known, dirty)
	if err != nil {
		n.stale.Store(true)
		return err
	}
	v.Revision = at.Stamp
	n.replicas.ForgetChanges(at.Stamp)
	if old := n.view.Swap(v); old != nil {
		old.Close()
	}
	return nil
}

// buildView applies all operations that are not confirmed and quarantines
// those that look like a conflict. A quarantined or expired operation is not
// applied.
func (n *Node) buildView(ctx context.Context, replica store.Store, known []*predict.Step, dirty replicas.RowSet) (*predict.LocalView, error) {
	for {
		v, err := predict.Replay(ctx, n.predictConfig(), replica, n.replicas.Polled(), n.queue.Queue, known, dirty)
		if err != nil {
			return nil, err
		}
		var conflicts []*outbox.Entry
		for _, op := range n.queue.Applied() {
			if op.Risk != nil {
				if e := n.holdConflict(op); e != nil {
					conflicts = append(conflicts, e)
				}
			}
		}
		if len(conflicts) == 0 {
			return v, nil
		}
		if err := n.queue.Commit(conflicts...); err != nil {
			n.cfg.Log.Error("cannot quarantine a conflicting operation", "error", err)
			return v, nil
		}
		v.Close()
		known, dirty = v.Steps(), replicas.RowSet{}
	}
}

// refresh rebuilds the view if it is stale.
func (n *Node) refresh(ctx context.Context) error {
	if !n.stale.Load() {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || !n.stale.Load() {
		return nil
	}
	return n.rebuild(ctx)
}

// Verify predicts all operations that are not confirmed again and returns an
// error if the result differs from the current view.
func (n *Node) Verify(ctx context.Context) error {
	if err := n.refresh(ctx); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	current := n.view.Load()
	if current == nil {
		return nil
	}
	v, err := predict.Replay(ctx, n.predictConfig(), current.Replica(), n.replicas.Polled(), n.queue.Queue, nil, replicas.RowSet{})
	if err != nil {
		return err
	}
	defer v.Close()
	return current.Compare(v)
}
