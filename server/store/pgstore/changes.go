package pgstore

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"

	"bincard/server/store"
	"bincard/server/store/wire"
)

// keptCommits is the number of lists of changes that a partition keeps.
const keptCommits = 1024

// A commit is what one commit changed.
type commit struct {
	version int64
	rows    []store.Row
}

// readCommits returns the commits of a partition after one version up to another. It
// returns nil if the database no longer has all of them, or if they cannot be read, such as
// those of a newer version.
func readCommits(ctx context.Context, conn *pgx.Conn, partition string, after, to int64) ([]commit, error) {
	if to-after > keptCommits || to <= after {
		return nil, nil
	}

	found, err := conn.Query(
		ctx,
		"SELECT version, changes FROM bincard.commits WHERE partition = $1 AND version > $2 AND version <= $3 ORDER BY version",
		partition,
		after,
		to,
	)
	if err != nil {
		return nil, fmt.Errorf("cannot read the changes of other processes: %w", err)
	}

	readable := true
	commits, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (c commit, err error) {
		var data []byte
		if err := row.Scan(&c.version, &data); err != nil {
			return c, err
		}
		w := wire.Reader{Data: data}
		c.rows = store.ReadRows(&w)
		readable = readable && w.Err() == nil
		return c, nil
	})
	if err != nil {
		return nil, fmt.Errorf("cannot read the changes of other processes: %w", err)
	}
	if !readable || int64(len(commits)) != to-after {
		return nil, nil
	}

	return commits, nil
}

// observers are the functions given to OnChange, and how much they know.
type observers struct {
	mu         sync.Mutex
	fns        []func(store.Partition, []store.Row)
	partitions map[string]*observation
}

// An observation is the version of a partition that the observers know.
type observation struct {
	partition store.Partition
	mu        sync.Mutex
	version   int64 // -1 until its first transaction
	distrusts int64 // of the cache, as far as the observers know
	sent      *sentCommit
}

// A sentCommit is a commit of this process whose result has not arrived.
type sentCommit struct {
	version int64
	done    chan struct{}
}

// send notes that this process commits a version, until done is called.
func (o *observers) send(partition string, version int64) (done func()) {
	seen, sent := o.of(partition), &sentCommit{version: version, done: make(chan struct{})}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	seen.sent = sent
	return func() { close(sent.done) }
}

// await waits for the result of this process's commit if that leads to a version: to read it
// from the database would take longer. It locks seen.mu.
func (seen *observation) await(ctx context.Context, version int64) {
	seen.mu.Lock()
	if sent := seen.sent; sent != nil && sent.version == version && seen.version < version {
		seen.mu.Unlock()
		select {
		case <-sent.done:
		case <-ctx.Done():
		}
		seen.mu.Lock()
	}
}

// OnChange implements store.Shared.
func (s *Store) OnChange(fn func(p store.Partition, rows []store.Row)) {
	s.observers.mu.Lock()
	defer s.observers.mu.Unlock()
	s.observers.fns = append(s.observers.fns[:len(s.observers.fns):len(s.observers.fns)], fn)
}

// of returns the observation of a partition.
func (o *observers) of(name string) *observation {
	o.mu.Lock()
	defer o.mu.Unlock()
	found := o.partitions[name]
	if found == nil {
		p, _ := parsePartition(name) // it is from partitionName
		if o.partitions == nil {
			o.partitions = map[string]*observation{}
		}
		found = &observation{partition: p, version: -1}
		o.partitions[name] = found
	}

	return found
}

// notify calls the observers with the commits up to a version, or nil if they are not known. The
// caller holds seen.mu.
func (o *observers) notify(seen *observation, version int64, commits []commit) {
	o.mu.Lock()
	fns := o.fns
	o.mu.Unlock()
	for _, fn := range fns {
		if commits == nil {
			fn(seen.partition, nil)
		}
		for _, c := range commits {
			if c.version > seen.version {
				fn(seen.partition, c.rows)
			}
		}
	}

	seen.version = version
}

// catchUp brings the observers, and rows of the cache unless they are nil, to the version of a
// partition that a transaction sees. It reads the commits of other processes once for both.
// If locked is true, there is no later version. catchUp reports whether both were current
// before.
func (s *Store) catchUp(
	ctx context.Context,
	conn *pgx.Conn,
	rows *cachedRows,
	partition string,
	version int64,
	locked bool,
) (current bool, err error) {
	seen := s.observers.of(partition)
	seen.await(ctx, version)
	defer seen.mu.Unlock()
	cached, after := version, version
	if rows != nil {
		empty := false
		if cached, empty = rows.at(); !empty && version-cached <= keptCommits {
			after = min(after, cached)
		}
	}

	if now := s.cache.distrusts.Load(); seen.distrusts != now {
		seen.distrusts = now
		if seen.version >= 0 {
			s.observers.notify(seen, version, nil)
		}
	}

	if seen.version < 0 {
		seen.version = version
	}

	switch {
	case cached == version && seen.version == version:
		return true, nil
	case !locked && cached >= version && seen.version >= version:
		return false, nil
	}

	after = min(after, seen.version)
	commits, err := readCommits(ctx, conn, partition, after, version)
	if err != nil {
		return false, err
	}

	// The observers are first: an update that runs on the new rows relies on what they know.
	switch {
	case seen.version < version:
		s.observers.notify(seen, version, commits)
	case locked && seen.version > version: // the database has lost commits, such as in a failover
		s.observers.notify(seen, version, nil)
	}

	if rows != nil && (cached < version || locked) {
		rows.moveTo(version, commits)
	}

	return false, nil
}

// committed notes a commit of this process, of which the observers need not be told.
func (o *observers) committed(partition string, version int64) {
	seen := o.of(partition)
	seen.mu.Lock()
	defer seen.mu.Unlock()
	if seen.version == version-1 {
		seen.version = version
	}
}
