package pgstore

import (
	"container/list"
	"sync"
	"sync/atomic"

	"bincard/server/store"
)

// A cache has rows of partitions, each partition up to one version.
type cache struct {
	limit     int          // bytes
	distrusts atomic.Int64 // how often all rows were distrusted

	mu     sync.Mutex
	size   int
	recent *list.List // of *cachedRows, the last used first
	byName map[string]*list.Element
}

// cachedRows are rows of a partition that were read or written, as of a version.
type cachedRows struct {
	partition string
	size      int // as far as the cache has counted it; guarded by the cache's mutex

	mu        sync.RWMutex
	version   int64
	distrusts int64                             // of the cache when they were empty
	values    map[string]map[string]cachedValue // by table and key
	added     int                               // bytes that the cache has not counted
}

// A cachedValue is the value of a row, or nil for a missing row. It is valid from version
// since to the version of the cachedRows.
type cachedValue struct {
	value []byte
	since int64
}

// About what a cached row takes beside its key and value, and a partition beside its rows.
const (
	rowOverhead       = 104
	partitionOverhead = 1024
)

func newCache(limit int) *cache {
	return &cache{limit: limit, recent: list.New(), byName: map[string]*list.Element{}}
}

// find returns the rows of a partition, or nil if there are none.
func (c *cache) find(partition string) *cachedRows {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byName[partition]; e != nil {
		return e.Value.(*cachedRows)
	}
	return nil
}

// take returns the rows of a partition and marks them as used last. It removes the partitions
// used least if the cache is full.
func (c *cache) take(partition string) *cachedRows {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byName[partition]
	if e == nil {
		e = c.recent.PushFront(
			&cachedRows{partition: partition, values: map[string]map[string]cachedValue{}, added: partitionOverhead})
		c.byName[partition] = e
	}

	c.recent.MoveToFront(e)
	rows := e.Value.(*cachedRows)
	added := rows.use(c.distrusts.Load())
	rows.size += added
	c.size += added
	for c.size > c.limit {
		oldest := c.recent.Remove(c.recent.Back()).(*cachedRows)
		delete(c.byName, oldest.partition)
		c.size -= oldest.size
	}

	return rows
}

// distrust makes all rows unused, and the observers forget what they know.
func (c *cache) distrust() { c.distrusts.Add(1) }

// use forgets the rows if the cache has been distrusted since. It returns the bytes that the
// cache has not counted.
func (r *cachedRows) use(distrusts int64) (added int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.distrusts != distrusts {
		r.clear()
		r.version, r.distrusts = 0, distrusts
	}
	added, r.added = r.added, 0
	return added
}

// at returns the version of the rows, and whether there are none.
func (r *cachedRows) at() (version int64, empty bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version, len(r.values) == 0
}

// moveTo brings the rows to a version with the commits that lead to it. If they do not have
// all since the version of the rows, it forgets the rows.
func (r *cachedRows) moveTo(version int64, commits []commit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.version == version {
		return
	}

	complete := len(commits) > 0 && commits[0].version <= r.version+1 && r.version < version
	if !complete {
		r.clear()
	}
	for _, c := range commits {
		if complete && c.version > r.version {
			r.apply(c)
		}
	}

	r.version = version
}

// committed applies a commit of this process, unless the rows have it or lack those before.
func (r *cachedRows) committed(c commit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.version == c.version-1 {
		r.apply(c)
		r.version = c.version
	}
}

// apply sets the rows of a commit. Those that were not cached are set too, because what was
// just written is likely to be read.
func (r *cachedRows) apply(c commit) {
	for _, row := range c.rows {
		var value []byte
		if row.Value != nil {
			value = append([]byte{}, row.Value...)
		}
		r.set(row.Table, row.Key, cachedValue{value, c.version})
	}
}

// get returns the value of a row at a version.
func (r *cachedRows) get(table string, key []byte, version int64) (value []byte, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	found, ok := r.values[table][string(key)]
	return found.value, ok && found.since <= version && version <= r.version
}

// put caches rows as they are at a version, if the cached ones are of that version.
func (r *cachedRows) put(version int64, rows ...store.Row) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.version == version {
		r.apply(commit{version, rows})
	}
}

func (r *cachedRows) set(table string, key []byte, v cachedValue) {
	t := r.values[table]
	if t == nil {
		t = map[string]cachedValue{}
		r.values[table] = t
	}

	old, ok := t[string(key)]
	if !ok {
		r.added += rowOverhead + len(key)
	}

	r.added += len(v.value) - len(old.value)
	t[string(key)] = v
}

func (r *cachedRows) clear() {
	for _, t := range r.values {
		for key, v := range t {
			r.added -= rowOverhead + len(key) + len(v.value)
		}
	}

	r.values = map[string]map[string]cachedValue{}
}
