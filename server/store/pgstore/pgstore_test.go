package pgstore_test

import (
	"context"
	"encoding/binary"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/store/storetest"
	"bincard/server/testenv"
)

var ctx = context.Background()

func open(t testing.TB, url string) *pgstore.Store {
	t.Helper()
	s, err := pgstore.Open(ctx, url, pgstore.Options{Create: true, MaxConnections: 4})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	runSuite(t, testenv.DatabaseHistories, func(t *testing.T, empty bool) string {
		if empty {
			return pgtest.Database(t)
		}
		return url
	})
}

// runSuite runs the tests of package storetest on databases. They have one in common, because
// each has partitions of its own, except for tests that list partitions.
func runSuite(t *testing.T, histories testenv.Budget, database func(t *testing.T, empty bool) string) {
	var mu sync.Mutex
	urls := map[string]string{}
	storetest.RunDurable(t, histories, func(t *testing.T, name string) store.Store {
		mu.Lock()
		defer mu.Unlock()
		if urls[name] == "" {
			_, test, _ := strings.Cut(t.Name(), "/")
			urls[name] = database(t, test == "partitions_are_listed" || test == "reopened")
		}
		s, err := pgstore.Open(ctx, urls[name], pgstore.Options{Create: true, MaxConnections: 4})
		require.NoError(t, err)
		return s
	})
}

// newDatabase returns a new database of the server of all tests.
func newDatabase(t testing.TB) (server *pgtest.Server, name, url string) {
	server = pgtest.Common(t)
	name = server.NewDatabase(t)
	return server, name, server.URL(name)
}

func partition() store.Partition {
	return store.Partition{Organization: uuid.New(), Environment: "live"}
}

// increment adds one to a counter, which it returns.
func increment(s store.Store, p store.Partition) (n uint64, err error) {
	err = s.Update(ctx, p, func(tx store.Tx) error {
		old, err := tx.Get("counters", []byte("n"))
		if err != nil {
			return err
		}
		n = 1
		if old != nil {
			n += binary.BigEndian.Uint64(old)
		}
		value := binary.BigEndian.AppendUint64(nil, n)
		if err := tx.Put("counters", []byte("n"), value); err != nil {
			return err
		}
		return tx.Put("log", value, []byte("x"))
	})
	return n, err
}

func mustIncrement(t testing.TB, s store.Store, p store.Partition) uint64 {
	t.Helper()
	n, err := increment(s, p)
	require.NoError(t, err)
	return n
}

// requireCount requires that the counter and the number of rows of its log are n.
func requireCount(t testing.TB, s store.Store, p store.Partition, n uint64) {
	t.Helper()
	got, rows := count(t, s, p)
	require.Equal(t, []uint64{n, n}, []uint64{got, rows})
}

// count returns the counter and the number of rows of its log.
func count(t testing.TB, s store.Store, p store.Partition) (n, rows uint64) {
	t.Helper()
	require.NoError(t, s.View(ctx, p, func(r store.Reader) error {
		value, err := r.Get("counters", []byte("n"))
		if err == nil && value != nil {
			n = binary.BigEndian.Uint64(value)
		}
		if err != nil {
			return err
		}
		return r.Scan("log", store.Range{}, func(_, _ []byte) error { rows++; return nil })
	}))
	return n, rows
}

// Several processes change one partition and others; each change happens once, and each
// process sees those of the others.
func TestStores_ShareAPartition(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	const clients = 8
	each := testenv.Increments.Cases(t)
	shared := partition()
	nodes := []*pgstore.Store{open(t, url), open(t, url), open(t, url)}
	var wg sync.WaitGroup
	seen := make(chan uint64, len(nodes)*clients*each)
	for _, node := range nodes {
		for range clients {
			wg.Go(func() {
				own := partition()
				for range each {
					n, err := increment(node, shared)
					if err != nil {
						t.Error(err)
						return
					}
					seen <- n
					if _, err := increment(node, own); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	close(seen)
	distinct := map[uint64]bool{}
	for n := range seen {
		require.False(t, distinct[n], "two clients received %d", n)
		distinct[n] = true
	}
	for _, node := range nodes {
		n, rows := count(t, node, shared)
		require.EqualValues(t, len(nodes)*clients*each, n)
		require.Equal(t, n, rows)
		list, err := node.Partitions(ctx)
		require.NoError(t, err)
		require.Len(t, list, 1+len(nodes)*clients)
	}
}
