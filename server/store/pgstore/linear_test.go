package pgstore_test

import (
	"cmp"
	"encoding/binary"
	"sync"
	"testing"

	"bincard/server/store"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// What one process has answered is visible to the next read of another, each read sees one
// point in time, and a read leaves nothing wrong in the cache for the updates after it.
func TestStores_ReadsAreLinearizable(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	nodes := []*pgstore.Store{open(t, url), open(t, url)}
	p := partition()
	each := testenv.Increments.Cases(t)
	var wg sync.WaitGroup
	for i := range 16 {
		here, there := nodes[i%2], nodes[(i+1)%2]
		wg.Go(func() {
			for range each {
				n, err := increment(here, p)
				if err != nil {
					t.Error(err)
					return
				}
				for _, s := range []*pgstore.Store{there, here} {
					if read, same := readTwice(t, s, p); read < n || !same {
						t.Errorf("read %d after the answer %d; the same throughout: %t", read, n, same)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	for _, s := range nodes {
		if n, rows := count(t, s, p); n != 16*uint64(each) || rows != n {
			t.Errorf("the counter is %d, and its log has %d rows", n, rows)
		}
	}
}

// readTwice reads the counter and whether the rows of its log agree with it, also of those
// that were cached before it and after it.
func readTwice(t *testing.T, s *pgstore.Store, p store.Partition) (n uint64, same bool) {
	err := s.View(ctx, p, func(r store.Reader) error {
		value, err := r.Get("counters", []byte("n"))
		if err != nil {
			return err
		}
		n = binary.BigEndian.Uint64(value)
		last, err := r.Get("log", value)
		if err != nil {
			return err
		}
		next, err := r.Get("log", binary.BigEndian.AppendUint64(nil, n+1))
		if err != nil {
			return err
		}
		rows := uint64(0)
		err = r.Scan("log", store.Range{}, func(_, _ []byte) error { rows++; return nil })
		again, getErr := r.Get("counters", []byte("n"))
		same = last != nil && next == nil && rows == n && string(again) == string(value)
		return cmp.Or(err, getErr)
	})
	if err != nil {
		t.Error(err)
	}
	return n, same
}
