package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/store"
	"bincard/server/store/boltstore"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
)

// targets opens empty targets of each kind.
func targets(t *testing.T, run func(t *testing.T, to server.CopyTarget)) {
	t.Run("bbolt", func(t *testing.T) {
		t.Parallel()
		run(t, newDirectory(t))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		st, err := pgstore.Open(t.Context(), pgtest.Database(t), pgstore.Options{Create: true, MaxConnections: 2})
		require.NoError(t, err)
		t.Cleanup(func() { _ = st.Close() })
		run(t, st)
	})
}

func newDirectory(t *testing.T) *boltstore.Store {
	t.Helper()
	st, err := boltstore.Open(t.TempDir(), boltstore.Options{NoSync: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = st.Close() })
	return st
}

// A write is a row of a partition.
type write struct {
	p   store.Partition
	row store.Row
}

// rows returns all rows of a store.
func rows(t *testing.T, st server.CopySource) (list []write) {
	t.Helper()
	require.NoError(t, st.Rows(t.Context(), func(p store.Partition, row store.Row) error {
		list = append(list, write{p, store.Row{Table: row.Table, Key: bytes.Clone(row.Key), Value: append([]byte{}, row.Value...)}})
		return nil
	}))
	return list
}

// source returns a store with rows that take several writes to copy, and the partitions.
func source(t *testing.T) (*boltstore.Store, []store.Partition) {
	t.Helper()
	st := newDirectory(t)
	parts := []store.Partition{{}, {Organization: uuid.New(), Environment: "live"}, {Organization: uuid.New(), Environment: "test"}}
	for i, p := range parts {
		require.NoError(t, st.Update(t.Context(), p, func(tx store.Tx) error {
			for k := range 40 {
				table := fmt.Sprintf("t%d", k%3)
				if err := tx.Put(table, []byte{byte(i), 0, byte(k)}, bytes.Repeat([]byte{byte(k)}, 100)); err != nil {
					return err
				}
			}
			return errors.Join(tx.Put("empty", []byte("k"), []byte{}), tx.Put("meta", []byte("format"), []byte{4}))
		}))
	}
	return st, parts
}

func options() server.CopyOptions {
	return server.CopyOptions{From: "the source", BatchBytes: 1000, Last: func(p store.Partition, row store.Row) bool {
		return p == store.Partition{} && row.Table == "meta"
	}}
}

func TestCopy(t *testing.T) {
	t.Parallel()
	targets(t, func(t *testing.T, to server.CopyTarget) {
		from, _ := source(t)
		verified := false
		opts := options()
		opts.Verify = func() error {
			verified = true
			unfinished := (*server.UnfinishedCopyError)(nil)
			require.ErrorAs(t, server.CheckCopyFinished(t.Context(), to), &unfinished)
			return nil
		}
		result, err := server.CopyStore(t.Context(), from, to, opts)
		require.NoError(t, err)
		require.True(t, verified)
		require.EqualValues(t, 3*42, result.Rows)
		require.Equal(t, rows(t, from), rows(t, to))
		require.NoError(t, server.CheckCopyFinished(t.Context(), to))
		_, err = server.CopyStore(t.Context(), from, to, opts)
		require.ErrorIs(t, err, server.ErrTargetNotEmpty)
		require.Equal(t, rows(t, from), rows(t, to))
	})
}

var errInterrupted = errors.New("interrupted")

// An interruptedTarget fails after some writes, the last of which it performs or not.
type interruptedTarget struct {
	server.CopyTarget
	left    int
	perform bool
}

func (i *interruptedTarget) interrupt(write func() error) error {
	i.left--
	if i.left > 0 || i.left == 0 && i.perform {
		if err := write(); err != nil {
			return err
		}
	}
	if i.left <= 0 {
		return errInterrupted
	}
	return nil
}

func (i *interruptedTarget) Update(ctx context.Context, p store.Partition, fn func(store.Tx) error) error {
	return i.interrupt(func() error { return i.CopyTarget.Update(ctx, p, fn) })
}

// A loadingTarget is an interruptedTarget with Load.
type loadingTarget struct {
	*interruptedTarget
	st *pgstore.Store
}

func (l loadingTarget) Load(ctx context.Context, p store.Partition, rows []store.Row) error {
	return l.interrupt(func() error { return l.st.Load(ctx, p, rows) })
}

func (l loadingTarget) Clear(ctx context.Context, p store.Partition) error {
	return l.interrupt(func() error { return l.st.Clear(ctx, p) })
}

// interrupted returns a target that fails at the nth write.
func interrupted(to server.CopyTarget, n int, perform bool) server.CopyTarget {
	i := &interruptedTarget{to, n, perform}
	if st, ok := to.(*pgstore.Store); ok {
		return loadingTarget{i, st}
	}
	return i
}

// A copy that is interrupted at any of its writes continues from there.
func TestCopy_Resumes(t *testing.T) {
	t.Parallel()
	targets(t, func(t *testing.T, to server.CopyTarget) {
		from, _ := source(t)
		for n := 2; ; n++ { // each run makes at least one write more than the one before
			result, err := server.CopyStore(t.Context(), from, interrupted(to, n, n%2 == 0), options())
			if err == nil || errors.Is(err, server.ErrTargetNotEmpty) { // the last write was performed
				require.Equal(t, err == nil, result.Resumed)
				break
			}
			require.ErrorIs(t, err, errInterrupted)
			if n == 4 {
				other := options()
				other.From = "another"
				_, err = server.CopyStore(t.Context(), from, to, other)
				require.ErrorContains(t, err, "this is an unfinished copy of the source. Repeat the command that copied it")
			}
		}
		require.Equal(t, rows(t, from), rows(t, to))
	})
}

// Between two runs the source changes: where it is copied already, where not, and a partition
// is removed.
func TestCopy_SourceChanges(t *testing.T) {
	t.Parallel()
	targets(t, func(t *testing.T, to server.CopyTarget) {
		for _, n := range []int{3, 8, 13, 16} {
			from, parts := source(t)
			_, err := server.CopyStore(t.Context(), from, interrupted(to, n, true), options())
			require.ErrorIs(t, err, errInterrupted)
			for _, p := range parts[:2] {
				require.NoError(t, from.Update(t.Context(), p, func(tx store.Tx) error {
					return errors.Join(tx.Put("t0", []byte{0}, []byte("new")), tx.Put("t1", []byte{1, 0, 1}, []byte("changed")), tx.Delete("t2", []byte{1, 0, 2}))
				}))
			}
			require.NoError(t, from.Update(t.Context(), parts[2], func(tx store.Tx) error {
				for k := range 40 {
					if err := tx.Delete(fmt.Sprintf("t%d", k%3), []byte{2, 0, byte(k)}); err != nil {
						return err
					}
				}
				return errors.Join(tx.Delete("empty", []byte("k")), tx.Delete("meta", []byte("format")))
			}))
			if _, err = server.CopyStore(t.Context(), from, to, options()); err != nil {
				require.ErrorContains(t, err, "the copy differs from its source in 1 partitions")
				_, err = server.CopyStore(t.Context(), from, to, options())
			}
			require.NoError(t, err)
			require.Equal(t, rows(t, from), rows(t, to))
			for _, p := range parts {
				require.NoError(t, to.Update(t.Context(), p, func(tx store.Tx) error {
					for _, w := range rows(t, from) {
						if w.p == p {
							if err := tx.Delete(w.row.Table, w.row.Key); err != nil {
								return err
							}
						}
					}
					return nil
				}))
			}
			require.Empty(t, rows(t, to))
		}
	})
}
