package offline

import (
	"time"

	"bincard/offline/journal"
	"bincard/offline/predict"
)

// CacheName is the file name of the prediction cache in the journal's folder.
// It saves the next start from predicting every operation again. Losing it is
// harmless; it is valid only for the replica, the program and the caller that
// it was written for.
const CacheName = "work.shown"

// cacheInterval is how often the node checks whether the cache has grown.
const cacheInterval = time.Second

// SaveCache writes the prediction cache if there are enough operations.
func (n *Node) SaveCache() error { return n.saveCache(1, true) }

// saveCache writes the prediction cache if at least fresh operations are new, or
// if newRevision is set and the replica has changed; not if there are too few
// operations.
func (n *Node) saveCache(fresh int, newRevision bool) error {
	steps, revision := n.cacheable(fresh, newRevision)
	if len(steps) == 0 {
		return nil
	}
	data, err := predict.EncodeSteps(n.predictConfig(), steps, revision)
	if err != nil {
		return err
	}
	return journal.ReplaceFile(n.cfg.Folder, CacheName, data)
}

func (n *Node) cacheable(fresh int, newRevision bool) ([]*predict.Step, string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v := n.view.Load()
	if n.closed || v == nil || v.Revision == "" || n.stale.Load() {
		return nil, ""
	}
	steps := v.Steps()
	if len(steps) < n.cfg.CacheMin || len(steps)-n.cachedSteps < fresh && (!newRevision || v.Revision == n.cachedRevision) {
		return nil, ""
	}
	n.cachedSteps, n.cachedRevision = len(steps), v.Revision
	return steps, v.Revision
}

// cacheGrowth returns the number of new operations from which the cache is
// written again: an eighth of it, so that a crash leaves few to predict and all
// writes together cost at most nine times the last one.
func (n *Node) cacheGrowth() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return max(n.cfg.CacheMin, n.cachedSteps/8)
}

// loadCache returns the cached steps, none if they belong to another replica
// revision.
func (n *Node) loadCache(revision string) []*predict.Step {
	data, err := journal.ReadFile(n.cfg.Folder, CacheName)
	if err != nil {
		n.cfg.Log.Warn("cannot read the prediction cache; rebuilding it", "error", err)
		return nil
	}
	return predict.DecodeSteps(n.predictConfig(), data, revision)
}
