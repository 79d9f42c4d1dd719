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
// returns nil if the database no longer has all of them.
func readCommits(ctx context.Context, conn *pgx.Conn, partition string, after, to int64) ([]commit, error) {
	if to-after > keptCommits || to <= after {
		return nil, nil
	}
	found, err := conn.Query(ctx, "SELECT version, changes FROM bincard.commits WHERE partition = $1 AND version > $2 AND version <= $3 ORDER BY version",
		partition, after, to)
	if err != nil {
		return nil, fmt.Errorf("cannot read the changes of other processes: %w", err)
	}
	commits, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (c commit, err error) {
		var data []byte
		if err := row.Scan(&c.version, &data); err != nil {
			return c, err
		}
		w := wire.Reader{Data: data}
		c.rows = store.ReadRows(&w)
		return c, w.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("cannot read the changes of other processes: %w", err)
	}
	if int64(len(commits)) != to-after {
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
}

// OnChange implements store.Shared.
func (s *Store) OnChange(fn func(p store.Partition, rows []store.Row)) {
	s.observers.mu.Lock()
	defer s.observers.mu.Unlock()
	s.observers.fns = append(s.observers.fns[:len(s.observers.fns):len(s.observers.fns)], fn)
}

// of returns the observation of a partition, nil if there are no observers.
func (o *observers) of(name string) *observation {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.fns) == 0 {
		return nil
	}
	found := o.partitions[name]
	if found == nil {
		p, err := parsePartition(name)
		if err != nil {
			return nil
		}
		if o.partitions == nil {
			o.partitions = map[string]*observation{}
		}
		found = &observation{partition: p, version: -1}
		o.partitions[name] = found
	}
	return found
}

// tell calls the observers with the commits up to a version, nil if they are not known. The
// caller holds seen.mu.
func (o *observers) tell(seen *observation, version int64, commits []commit) {
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

// catchUp tells the observers what was committed up to a version that a transaction sees.
func (s *Store) catchUp(ctx context.Context, conn *pgx.Conn, partition string, version int64) error {
	seen := s.observers.of(partition)
	if seen == nil {
		return nil
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	switch {
	case seen.version < 0:
		seen.version = version
	case seen.version < version:
		commits, err := readCommits(ctx, conn, partition, seen.version, version)
		if err != nil {
			return err
		}
		s.observers.tell(seen, version, commits)
	}
	return nil
}

// catchUpLocked brings the cache and the observers to the version of a partition that is
// locked, and reports whether they were there before. It reads the commits of other
// processes once for both.
func (s *Store) catchUpLocked(ctx context.Context, conn *pgx.Conn, partition string, version int64) (rows *cachedRows, current bool, err error) {
	seen := s.observers.of(partition)
	rows = s.cache.take(partition)
	current = rows.version == version
	after := version
	if len(rows.values) > 0 {
		after = min(after, rows.version)
	}
	if seen != nil {
		seen.mu.Lock()
		defer seen.mu.Unlock()
		if seen.version >= 0 {
			after = min(after, seen.version)
		}
		current = current && seen.version == version
	}
	commits, err := readCommits(ctx, conn, partition, after, version)
	if err != nil {
		return nil, false, err
	}
	rows.moveTo(version, commits)
	switch {
	case seen == nil:
	case seen.version < 0:
		seen.version = version
	case seen.version > version: // the database has lost commits, such as in a failover
		s.observers.tell(seen, version, nil)
	case seen.version < version:
		s.observers.tell(seen, version, commits)
	}
	return rows, current, nil
}

// committed notes a commit of this process, of which the observers need not be told.
func (o *observers) committed(partition string, version int64) {
	if seen := o.of(partition); seen != nil {
		seen.mu.Lock()
		defer seen.mu.Unlock()
		if seen.version == version-1 {
			seen.version = version
		}
	}
}
