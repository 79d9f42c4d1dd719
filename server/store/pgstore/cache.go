package pgstore

import (
	"container/list"
	"sync"
	"sync/atomic"

	"bincard/server/store"
)

// A cache has rows of partitions, each partition at one version. The group of a partition
// uses its rows only while it holds the partition's lock.
type cache struct {
	limit     int          // bytes
	distrusts atomic.Int64 // how often all rows were distrusted

	mu     sync.Mutex
	size   int
	recent *list.List // of *cachedRows, the last used first
	byName map[string]*list.Element
}

// cachedRows are rows of a partition that were read or written.
type cachedRows struct {
	partition string
	version   int64
	distrusts int64                        // of the cache when they were empty
	values    map[string]map[string][]byte // by table and key; nil for a missing row
	size      int                          // as far as the cache has counted it
	added     int                          // bytes since then
}

// rowOverhead is about what a cached row takes beside its key and value.
const rowOverhead = 96

func newCache(limit int) *cache {
	return &cache{limit: limit, recent: list.New(), byName: map[string]*list.Element{}}
}

// take returns the rows of a partition and marks them as used last.
func (c *cache) take(partition string) *cachedRows {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byName[partition]
	if e == nil {
		e = c.recent.PushFront(&cachedRows{partition: partition, values: map[string]map[string][]byte{}})
		c.byName[partition] = e
	}
	c.recent.MoveToFront(e)
	r := e.Value.(*cachedRows)
	if now := c.distrusts.Load(); r.distrusts != now {
		r.clear()
		r.distrusts = now
	}
	return r
}

// distrust makes all rows unused. A new connection may be to another database, which has lost
// the latest commits and made others.
func (c *cache) distrust() { c.distrusts.Add(1) }

// apply applies a commit, and removes the partitions used least if the cache is full.
func (c *cache) apply(partition string, version int64, changes []store.Row) {
	rows := c.take(partition)
	rows.apply(changes)
	rows.version = version
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += rows.added
	rows.size, rows.added = rows.size+rows.added, 0
	for c.size > c.limit {
		e := c.recent.Back()
		oldest := e.Value.(*cachedRows)
		c.recent.Remove(e)
		delete(c.byName, oldest.partition)
		c.size -= oldest.size
	}
}

// moveTo brings the rows to a version with the commits that lead to it. If they do not have
// all since the version of the rows, it forgets the rows.
func (r *cachedRows) moveTo(version int64, commits []commit) {
	complete := r.version == version || len(commits) > 0 && commits[0].version <= r.version+1 && r.version < version
	if !complete {
		r.clear()
	}
	for _, c := range commits {
		if complete && c.version > r.version {
			r.apply(c.rows)
		}
	}
	r.version = version
}

// apply sets rows. Rows that were neither read nor written are set too, because what was
// just written is likely to be read.
func (r *cachedRows) apply(rows []store.Row) {
	for _, row := range rows {
		var value []byte
		if row.Value != nil {
			value = append([]byte{}, row.Value...)
		}
		r.set(row.Table, row.Key, value)
	}
}

func (r *cachedRows) get(table string, key []byte) (value []byte, ok bool) {
	value, ok = r.values[table][string(key)]
	return value, ok
}

func (r *cachedRows) set(table string, key, value []byte) {
	t := r.values[table]
	if t == nil {
		t = map[string][]byte{}
		r.values[table] = t
	}
	old, ok := t[string(key)]
	if !ok {
		r.added += rowOverhead + len(key)
	}
	r.added += len(value) - len(old)
	t[string(key)] = value
}

func (r *cachedRows) clear() {
	r.values, r.version = map[string]map[string][]byte{}, 0
	r.added = -r.size
}
