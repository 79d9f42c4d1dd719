package pgstore_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/store/storetest"
)

// PgBouncer gives each transaction another connection, and loses all of them.
func TestStore_Pooler(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	server.Database(t)
	url := server.Pooler(t, "d1")
	done, stop := load(t, open(t, url), open(t, url))
	for range 10 {
		wait(t, done, 40)
		server.Exec(t, "postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'd1'")
	}
	stop()
}

func TestStore_PoolerSuite(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.Pooler(t, "postgres")
	var mu sync.Mutex
	databases := map[string]string{}
	storetest.RunDurable(t, func(t *testing.T, name string) store.Store {
		mu.Lock()
		defer mu.Unlock()
		if databases[name] == "" {
			own, err := pgx.ParseConfig(server.Database(t))
			require.NoError(t, err)
			databases[name] = strings.Replace(url, "/postgres?", "/"+own.Database+"?", 1)
		}
		s, err := pgstore.Open(ctx, databases[name], pgstore.Options{Create: true, MaxConnections: 4})
		require.NoError(t, err)
		return s
	})
}

// The administrator limits how long a statement may take, while another process holds the
// lock for longer.
func TestStore_StatementTimeout(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	url := server.Database(t)
	server.Exec(t, "postgres", "ALTER DATABASE d1 SET statement_timeout = '50ms'")
	s, p := open(t, url), partition()
	_, err := increment(s, p)
	require.NoError(t, err)

	connect := func() *pgx.Conn {
		conn, err := pgx.Connect(ctx, url)
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close(ctx) })
		return conn
	}
	tx, err := connect().Begin(ctx)
	require.NoError(t, err)
	_, err = tx.Exec(ctx, "SELECT FROM bincard.partitions FOR UPDATE")
	require.NoError(t, err)
	result := make(chan error, 1)
	go func() {
		_, err := increment(s, p)
		result <- err
	}()
	statistics := connect()
	require.Eventually(t, func() bool { // the update is tried again
		var canceled int
		err := statistics.QueryRow(ctx, "SELECT xact_rollback FROM pg_stat_database WHERE datname = 'd1'").Scan(&canceled)
		return err == nil && canceled > 2
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, tx.Rollback(ctx))
	require.NoError(t, <-result)
	n, rows := count(t, s, p)
	require.EqualValues(t, 2, n)
	require.EqualValues(t, 2, rows)
}
