package offline

import (
	"context"
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

// A cacheFile is what the prediction cache on disk contains.
type cacheFile struct {
	*state
	writing  sync.Mutex      // held during a write; taken before mu
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

// save appends new operations to the prediction cache if the replica has not changed.
// Otherwise it writes the cache if at least fresh operations are new, or if newRevision is
// set; not if there are too few operations.
func (f *cacheFile) save(fresh int, newRevision bool) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	steps, revision := f.cacheable()
	if len(steps) < f.cfg.CacheMin {
		return nil
	}

	added := len(steps) - f.count
	if f.continues(steps, revision) {
		if added < max(1, min(fresh, f.cfg.CacheMin/appendShare)) {
			return nil
		}
		return f.write(steps, revision, added)
	}

	f.steps = nil
	if added < fresh && (!newRevision || revision == f.revision) {
		return nil
	}

	return f.write(steps, revision, len(steps))
}

// cacheable returns the steps of the view and the revision of its replica, none if it is
// stale.
func (f *cacheFile) cacheable() ([]*predict.Step, string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.view.Load()
	if f.closed || v == nil || v.Revision == "" || f.stale.Load() {
		return nil, ""
	}
	return v.Steps(), v.Revision
}

// write writes the last added steps to the end of the file, or all to a new one. What
// is appended is not flushed: a start ignores a damaged end.
func (f *cacheFile) write(steps []*predict.Step, revision string, added int) error {
	data, err := predict.EncodeSteps(f.predictConfig(), steps[len(steps)-added:], revision)
	switch {
	case err != nil:
	case f.steps != nil:
		err = journal.WriteTo(f.cfg.Folder, CacheName, data, f.size)
	default:
		f.size = 0
		err = journal.ReplaceFile(f.cfg.Folder, CacheName, data)
	}

	f.count, f.steps, f.revision, f.size = len(steps), steps, revision, f.size+int64(len(data))
	if err != nil {
		f.steps = nil
	}

	return err
}

// growth returns the number of new operations from which the cache is written again if
// they cannot be appended: an eighth of it, so that a crash leaves few to predict and all
// writes together cost at most nine times the last one.
func (f *cacheFile) growth() int {
	f.writing.Lock()
	defer f.writing.Unlock()
	return max(f.cfg.CacheMin, f.count/8)
}

// loop writes the prediction cache when it has grown, now and then when the
// replica has changed, and at the end. It also tries to bring
// the mirror up to date, and to write to a disk that failed.
func (f *cacheFile) loop(ctx context.Context) {
	tick := time.NewTicker(cacheInterval)
	defer tick.Stop()
	more := true
	for i := time.Duration(1); more; i++ {
		fresh, newRevision := f.growth(), i%(maxIdle/cacheInterval) == 0
		select {
		case <-ctx.Done():
			more, fresh, newRevision = false, 1, true
		case <-tick.C:
			f.checkDisk()
		}

		if err := f.save(fresh, newRevision); err != nil {
			f.cfg.Log.Warn("cannot save the prediction cache; it is rebuilt at the next start", "error", err)
		}
	}
}
