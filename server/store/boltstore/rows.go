package boltstore

import (
	"context"
	"maps"
	"slices"

	"bincard/server/store"
)

// Rows calls fn for each row of the store at one point in time, ordered by partition, table
// and key. The row's slices are only valid during the call, and a file that must grow waits
// for the end.
func (s *Store) Rows(ctx context.Context, fn func(store.Partition, store.Row) error) error {
	return s.guard(func() error {
		snap, err := s.snapshot()
		if err != nil {
			return err
		}

		defer snap.Close()
		all, err := snap.tables()
		if err != nil {
			return err
		}

		for _, p := range slices.SortedFunc(maps.Keys(all), store.Partition.Compare) {
			r, err := snap.Reader(p)
			if err != nil {
				return err
			}

			r = store.Cancelable(ctx, r)
			slices.Sort(all[p])
			for _, table := range slices.Compact(all[p]) {
				err := r.Scan(table, store.Range{}, func(key, value []byte) error {
					return fn(p, store.Row{Table: table, Key: key, Value: value})
				})
				if err != nil {
					return err
				}
			}
		}

		return nil
	})
}
