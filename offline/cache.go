package offline

import (
	"bincard/offline/journal"
	"bincard/offline/predict"
)

// CacheName is the file name of the prediction cache in the journal's folder.
// It saves the next start from predicting every operation again. Losing it is
// harmless; it is valid only for the replica, the program and the caller that
// it was written for.
const CacheName = "work.shown"

// SaveCache writes the prediction cache if there are enough operations.
func (n *Node) SaveCache() error { return n.saveCache(1) }

// saveCache writes the prediction cache, unless there are too few operations or
// fewer than fresh are new.
func (n *Node) saveCache(fresh int) error {
	steps, revision := n.cacheable(fresh)
	if len(steps) == 0 {
		return nil
	}
	data, err := predict.EncodeSteps(n.predictConfig(), steps, revision)
	if err != nil {
		return err
	}
	return journal.ReplaceFile(n.cfg.Folder, CacheName, data)
}

func (n *Node) cacheable(fresh int) ([]*predict.Step, string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v := n.view.Load()
	if n.closed || v == nil || v.Revision == "" || n.stale.Load() {
		return nil, ""
	}
	steps := v.Steps()
	if len(steps) < n.cfg.CacheMin || len(steps)-n.cachedSteps < fresh && v.Revision == n.cachedRevision {
		return nil, ""
	}
	n.cachedSteps, n.cachedRevision = len(steps), v.Revision
	return steps, v.Revision
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
