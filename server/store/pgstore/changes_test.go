package pgstore_test

import (
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// counted is what one process keeps in memory of a counter that others increment.
type counted struct {
	mu      sync.Mutex
	rows    int // of the log that OnChange reported
	unknown int // times that the changes were not known
}

func observe(s *pgstore.Store) *counted {
	c := &counted{}
	s.OnChange(func(_ store.Partition, rows []store.Row) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if rows == nil {
			c.unknown++
		}
		for _, row := range rows {
			if row.Table == "log" {
				c.rows++
			}
		}
	})
	return c
}

func (c *counted) get() (rows, unknown int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows, c.unknown
}

// OnChange reports what others committed before a transaction runs on it, and does not report
// its own commits.
func TestOnChange_BeforeTransactions(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	a, b := open(t, url), open(t, url)
	p := partition()
	c := observe(b)
	_, before := count(t, b, p)
	require.Zero(t, before)
	for n := 1; n <= 5; n++ {
		mustIncrement(t, a, p)
		require.NoError(t, b.View(ctx, p, func(store.Reader) error {
			told, _ := c.get()
			require.Equal(t, n, told)
			return nil
		}))
		mustIncrement(t, b, partition())
	}
	mustIncrement(t, a, p)
	told := 0
	require.NoError(t, b.Update(ctx, p, func(store.Tx) error {
		told, _ = c.get()
		return nil
	}))
	require.Equal(t, 6, told, "when it ran last")
	mustIncrement(t, b, p)
	require.NoError(t, b.Refresh(ctx, p))
	told, unknown := c.get()
	require.Equal(t, 6, told, "its own commit is not told")
	require.Zero(t, unknown)
}

// OnChange reports that the changes are unknown to a process that is too far behind.
func TestOnChange_TooFarBehind(t *testing.T) {
	t.Parallel()
	server, name, url := newDatabase(t)
	a, b := open(t, url), open(t, url)
	p := partition()
	c := observe(b)
	count(t, b, p)
	for range 3 {
		mustIncrement(t, a, p)
	}
	server.Exec(t, name, "DELETE FROM bincard.commits WHERE version = 2")
	require.NoError(t, b.Refresh(ctx, p))
	told, unknown := c.get()
	require.Zero(t, told)
	require.Equal(t, 1, unknown)
	mustIncrement(t, a, p)
	require.NoError(t, b.Refresh(ctx, p))
	told, _ = c.get()
	require.Equal(t, 1, told)
}

// OnChange reports unknown changes to a process that cannot read what another committed.
// The process reads the rows instead.
func TestOnChange_UnreadableChanges(t *testing.T) {
	t.Parallel()
	server, name, url := newDatabase(t)
	a, b := open(t, url), open(t, url)
	p := partition()
	c := observe(b)
	for n := range uint64(3) {
		mustIncrement(t, a, p)
		server.Exec(t, name, `UPDATE bincard.commits SET changes = '\xff'`)
		read, rows := count(t, b, p)
		require.Equal(t, []uint64{n + 1, n + 1}, []uint64{read, rows})
	}
	_, unknown := c.get()
	require.Equal(t, 2, unknown, "not before its first transaction")
	require.EqualValues(t, 4, mustIncrement(t, b, p))
}

// Close ends a look at the database that takes long.
func TestRefresh_Closed(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	s := open(t, url)
	p := partition()
	count(t, s, p)
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(ctx)) }()
	_, err = conn.Exec(ctx, "BEGIN")
	require.NoError(t, err)
	_, err = conn.Exec(ctx, "LOCK TABLE bincard.partitions IN ACCESS EXCLUSIVE MODE")
	require.NoError(t, err)
	result := make(chan error, 1)
	go func() { result <- s.Refresh(ctx, p) }()
	require.Eventually(t, func() bool {
		waiting := 0
		err := conn.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()").Scan(&waiting)
		return err == nil && waiting == 1
	}, time.Minute, time.Millisecond)
	require.NoError(t, s.Close())
	require.ErrorIs(t, <-result, store.ErrClosed)
}

// After a write is answered by one process, Refresh on another tells of it, also with many
// writers and readers at once.
func TestRefresh_TellsOfAnsweredWrites(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	a, b := open(t, url), open(t, url)
	p := partition()
	c := observe(b)
	count(t, b, p)
	each := testenv.Increments.Cases(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range each {
				n, err := increment(a, p)
				if err == nil {
					err = b.Refresh(ctx, p, partition())
				}
				if told, _ := c.get(); err != nil || told < int(n) {
					t.Errorf("told of %d rows after row %d: %v", told, n, err)
					return
				}
			}
		})
	}
	wg.Wait()
	told, unknown := c.get()
	require.Equal(t, 8*each, told, "each once")
	require.Zero(t, unknown)
	require.NoError(t, b.Close())
	require.ErrorIs(t, b.Refresh(ctx, p), store.ErrClosed)
}
