package pgstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// PgBouncer gives each transaction another connection, and loses all of them.
func TestStore_Pooler(t *testing.T) {
	t.Parallel()
	server := pgtest.Common(t)
	name := server.NewDatabase(t)
	url := server.Pooler(t, name)
	done, stop := load(t, open(t, url), open(t, url))
	for range testenv.PoolerTerminations.Cases(t) {
		wait(t, done, 40)
		server.Exec(t, "postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name+"'")
	}
	stop()
}

func TestStore_PoolerSuite(t *testing.T) {
	t.Parallel()
	server := pgtest.Common(t)
	name := server.NewDatabase(t)
	url := server.Pooler(t, name)
	runSuite(t, testenv.PoolerHistories, func(t *testing.T, empty bool) string {
		if empty {
			return strings.Replace(url, "/"+name+"?", "/"+server.NewDatabase(t)+"?", 1)
		}
		return url
	})
}

// The administrator limits how long a statement may take, while another process holds the
// lock for longer.
func TestStore_StatementTimeout(t *testing.T) {
	t.Parallel()
	server, name, url := newDatabase(t)
	server.Exec(t, "postgres", "ALTER DATABASE "+name+" SET statement_timeout = '300ms'")
	s, p := open(t, url), partition()
	mustIncrement(t, s, p)

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
		err := statistics.QueryRow(ctx, "SELECT xact_rollback FROM pg_stat_database WHERE datname = $1", name).Scan(&canceled)
		return err == nil && canceled > 2
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, tx.Rollback(ctx))
	require.NoError(t, <-result)
	requireCount(t, s, p, 2)
}
