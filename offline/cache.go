package offline

import (
	"slices"
	"sync"
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

// A cacheFile is what the prediction cache on disk contains.
type cacheFile struct {
	mu       sync.Mutex      // held during a write; taken before Node.mu
	count    int             // the number of steps
	steps    []*predict.Step // nil if nothing can be appended
	revision string          // of the replica
	size     int64           // in bytes
}

// continues reports whether the steps of a view begin with those in the file.
func (f *cacheFile) continues(steps []*predict.Step, revision string) bool {
	return f.steps != nil && f.revision == revision && len(steps) >= f.count && slices.Equal(steps[:f.count], f.steps)
}

// appendShare is the share of Config.CacheMin from which new operations are appended to the
// cache.
const appendShare = 8

// saveCache appends new operations to the prediction cache if the replica has not changed.
// Otherwise it writes the cache if at least fresh operations are new, or if newRevision is
// set; not if there are too few operations.
func (n *Node) saveCache(fresh int, newRevision bool) error {
	f := &n.cache
	f.mu.Lock()
	defer f.mu.Unlock()
	steps, revision := n.cacheable()
	if len(steps) < n.cfg.CacheMin {
		return nil
	}
	added := len(steps) - f.count
	if f.continues(steps, revision) {
		if added < max(1, min(fresh, n.cfg.CacheMin/appendShare)) {
			return nil
		}
		return n.writeCache(steps, revision, added)
	}
	f.steps = nil
	if added < fresh && (!newRevision || revision == f.revision) {
		return nil
	}
	return n.writeCache(steps, revision, len(steps))
}

// cacheable returns the steps of the view and the revision of its replica, none if it is
// stale.
func (n *Node) cacheable() ([]*predict.Step, string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v := n.view.Load()
	if n.closed || v == nil || v.Revision == "" || n.stale.Load() {
		return nil, ""
	}
	return v.Steps(), v.Revision
}

// writeCache writes the last added steps to the end of the file, or all to a new one. What
// is appended is not flushed: a start ignores a damaged end.
func (n *Node) writeCache(steps []*predict.Step, revision string, added int) error {
	f := &n.cache
	data, err := predict.EncodeSteps(n.predictConfig(), steps[len(steps)-added:], revision)
	switch {
	case err != nil:
	case f.steps != nil:
		err = journal.WriteTo(n.cfg.Folder, CacheName, data, f.size)
	default:
		f.size = 0
		err = journal.ReplaceFile(n.cfg.Folder, CacheName, data)
	}
	f.count, f.steps, f.revision, f.size = len(steps), steps, revision, f.size+int64(len(data))
	if err != nil {
		f.steps = nil
	}
	return err
}

// cacheGrowth returns the number of new operations from which the cache is written again if
// they cannot be appended: an eighth of it, so that a crash leaves few to predict and all
// writes together cost at most nine times the last one.
func (n *Node) cacheGrowth() int {
	n.cache.mu.Lock()
	defer n.cache.mu.Unlock()
	return max(n.cfg.CacheMin, n.cache.count/8)
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
