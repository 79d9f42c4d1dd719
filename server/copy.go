package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"maps"
	"slices"

	"bincard/server/store"
)

// A CopySource is a store whose rows can be listed.
type CopySource interface {
	// Rows calls fn for each row at one point in time, ordered by partition, table and key.
	Rows(ctx context.Context, fn func(store.Partition, store.Row) error) error
}

// A CopyTarget is a store that can be compared with the source.
type CopyTarget interface {
	store.Store
	CopySource
}

// A bulkLoader is a store with faster ways to write many rows and to delete a partition.
type bulkLoader interface {
	Load(ctx context.Context, p store.Partition, rows []store.Row) error
	Clear(ctx context.Context, p store.Partition) error
}

// CopyOptions are the options of CopyStore.
type CopyOptions struct {
	// From names the source. An unfinished copy is continued only from the same one.
	From string
	// Last says which rows are written only when the copy is complete; may be nil.
	Last func(store.Partition, store.Row) bool
	// Verify verifies the target before the copy is complete; may be nil.
	Verify func() error
	// Progress receives the number of bytes that were read; may be nil.
	Progress func(bytes int64)
	// NoCompare omits the comparison of the target with what was read.
	NoCompare bool
	// BatchBytes is about how much is written together; 1 MB if 0.
	BatchBytes int
}

// CopyResult describes a copy.
type CopyResult struct {
	Rows, Bytes int64
	Resumed     bool
}

const (
	// batchRows is how many rows are written together at most.
	batchRows         = 4000
	defaultBatchBytes = 1 << 20
)

// A copier copies to a target.
type copier struct {
	ctx    context.Context
	to     CopyTarget
	opts   CopyOptions
	result CopyResult
	last   []store.Row // those for which Last is true, of the system's partition
	sums   map[store.Partition]*copyProgress
}

// CopyStore copies all rows of one store to another, of any kind. It can be repeated after a
// failure.
//
// The target records the progress of each partition in the transaction that writes its rows,
// so an interrupted copy continues where it stopped: what was copied is read again from
// the source and compared by its digest, and copied again if the source has changed. Until
// the copy is complete and compared, the target is marked, and CheckCopyFinished returns an error
// for it.
func CopyStore(ctx context.Context, from CopySource, to CopyTarget, opts CopyOptions) (CopyResult, error) {
	c := &copier{ctx: ctx, to: to, opts: opts}
	if c.opts.Last == nil {
		c.opts.Last = func(store.Partition, store.Row) bool { return false }
	}
	if c.opts.BatchBytes == 0 {
		c.opts.BatchBytes = defaultBatchBytes
	}

	var err error
	c.result.Resumed, err = CheckCopyTarget(ctx, to, opts.From)
	if err != nil {
		return c.result, err
	}

	if !c.result.Resumed {
		err = to.Update(ctx, store.Partition{},
			func(tx store.Tx) error { return tx.Put(copyTable, fromKey, []byte(opts.From)) })
		if err != nil {
			return c.result, err
		}
	}

	for {
		var changed *changedError
		err = c.copyRows(from)
		if !errors.As(err, &changed) {
			break
		}
		if err := c.clear(changed.partition); err != nil {
			return c.result, err
		}
	}

	if err == nil && !opts.NoCompare {
		err = c.compare()
	}
	if err == nil && opts.Verify != nil {
		err = opts.Verify()
	}
	if err == nil {
		err = c.finish()
	}

	return c.result, err
}

// A changedError means that a partition of the source has changed since it was copied.
type changedError struct{ partition store.Partition }

func (e *changedError) Error() string { return "the source has changed since it was copied" }

// copyRows copies the rows that the target does not have.
func (c *copier) copyRows(from CopySource) error {
	c.result.Rows, c.result.Bytes, c.last, c.sums = 0, 0, nil, map[store.Partition]*copyProgress{}
	var part *partitionCopier
	err := from.Rows(c.ctx, func(p store.Partition, row store.Row) error {
		if part == nil || part.partition != p {
			if err := part.end(); err != nil {
				return err
			}
			done, err := readProgress(c.ctx, c.to, p)
			if err != nil {
				return err
			}
			part = &partitionCopier{copier: c, partition: p, done: done, hash: sha256.New()}
		}

		c.result.Rows++
		c.result.Bytes += int64(len(row.Key) + len(row.Value))
		if c.opts.Progress != nil {
			c.opts.Progress(c.result.Bytes)
		}

		return part.add(row)
	})
	if err != nil {
		return err
	}

	return part.end()
}

// A partitionCopier copies one partition.
type partitionCopier struct {
	*copier
	partition store.Partition
	done      copyProgress // of an earlier run
	rows      int64        // so far
	hash      hash.Hash
	batch     []store.Row
	size      int
}

func (c *partitionCopier) add(row store.Row) error {
	row.Key, row.Value = bytes.Clone(row.Key), append([]byte{}, row.Value...)
	if c.opts.Last(c.partition, row) {
		c.last = append(c.last, row)
		return nil
	}

	hashRow(c.hash, row)
	if c.rows++; c.rows <= c.done.rows {
		if c.rows == c.done.rows && !bytes.Equal(c.hash.Sum(nil), c.done.digest) {
			return &changedError{c.partition}
		}
		return nil
	}

	c.batch = append(c.batch, row)
	if c.size += len(row.Key) + len(row.Value); len(c.batch) >= batchRows || c.size >= c.opts.BatchBytes {
		return c.flush()
	}

	return nil
}

// flush writes the batch and the progress.
func (c *partitionCopier) flush() error {
	at := copyProgress{c.rows, c.hash.Sum(nil)}
	rows := append(c.batch, at.row())
	c.batch, c.size = c.batch[:0], 0
	if l, ok := c.to.(bulkLoader); ok {
		return l.Load(c.ctx, c.partition, rows)
	}

	return c.to.Update(c.ctx, c.partition, func(tx store.Tx) error {
		for _, row := range rows {
			if err := tx.Put(row.Table, row.Key, row.Value); err != nil {
				return err
			}
		}

		return nil
	})
}

// end completes the partition. c may be nil.
func (c *partitionCopier) end() error {
	if c == nil {
		return nil
	}
	if c.rows < c.done.rows {
		return &changedError{c.partition}
	}
	c.sums[c.partition] = &copyProgress{c.rows, c.hash.Sum(nil)}
	return c.flush()
}

// hashRow adds a row to a digest.
func hashRow(h hash.Hash, row store.Row) {
	var lengths [24]byte
	binary.BigEndian.PutUint64(lengths[0:], uint64(len(row.Table)))
	binary.BigEndian.PutUint64(lengths[8:], uint64(len(row.Key)))
	binary.BigEndian.PutUint64(lengths[16:], uint64(len(row.Value)))
	h.Write(lengths[:])
	h.Write([]byte(row.Table))
	h.Write(row.Key)
	h.Write(row.Value)
}

// compare reads the target and compares it with what was read from the source.
func (c *copier) compare() error {
	type sum struct {
		rows int64
		hash hash.Hash
	}
	sums := map[store.Partition]*sum{}
	err := c.to.Rows(c.ctx, func(p store.Partition, row store.Row) error {
		s := sums[p]
		if s == nil {
			s = &sum{hash: sha256.New()}
			sums[p] = s
		}
		if row.Table != copyTable {
			s.rows++
			hashRow(s.hash, row)
		}

		return nil
	})
	if err != nil {
		return err
	}
	for p := range c.sums {
		if sums[p] == nil {
			sums[p] = &sum{hash: sha256.New()}
		}
	}

	different := 0
	for p, s := range sums {
		want := c.sums[p]
		if want == nil && p == (store.Partition{}) {
			want = &copyProgress{0, sha256.New().Sum(nil)}
		}
		if want != nil && s.rows == want.rows && bytes.Equal(s.hash.Sum(nil), want.digest) {
			continue
		}

		different++
		if err := c.clear(p); err != nil {
			return err
		}
	}

	if different > 0 {
		return fmt.Errorf(
			"the copy differs from its source in %d partitions, perhaps because the source has changed; they were removed from the copy. Repeat the command",
			different,
		)
	}

	return nil
}

// clear deletes the rows of a partition of the target, but the mark that it is a copy.
func (c *copier) clear(p store.Partition) error {
	if l, ok := c.to.(bulkLoader); ok && p != (store.Partition{}) {
		return l.Clear(c.ctx, p)
	}

	for {
		var rows []store.Row
		err := c.to.Rows(c.ctx, func(at store.Partition, row store.Row) error {
			switch {
			case at != p, row.Table == copyTable && bytes.Equal(row.Key, fromKey):
				return nil
			case len(rows) == batchRows:
				return store.ErrStop
			}

			rows = append(rows, store.Row{Table: row.Table, Key: bytes.Clone(row.Key)})
			return nil
		})
		if err != nil && !errors.Is(err, store.ErrStop) || len(rows) == 0 {
			return err
		}

		err = c.to.Update(c.ctx, p, func(tx store.Tx) error {
			for _, row := range rows {
				if err := tx.Delete(row.Table, row.Key); err != nil {
					return err
				}
			}

			return nil
		})
		if err != nil {
			return err
		}
	}
}

// finish removes the marks, that of the whole copy last.
func (c *copier) finish() error {
	parts := slices.SortedFunc(maps.Keys(c.sums), store.Partition.Compare)
	for _, p := range slices.Backward(parts) {
		if p == (store.Partition{}) {
			continue
		}
		if err := c.to.Update(c.ctx, p,
			func(tx store.Tx) error { return tx.Delete(copyTable, progressKey) }); err != nil {
			return err
		}
	}

	return c.to.Update(c.ctx, store.Partition{}, func(tx store.Tx) error {
		for _, row := range c.last {
			if err := tx.Put(row.Table, row.Key, row.Value); err != nil {
				return err
			}
		}

		return errors.Join(tx.Delete(copyTable, progressKey), tx.Delete(copyTable, fromKey))
	})
}
