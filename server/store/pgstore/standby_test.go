package pgstore_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// The primary fails, and its synchronous standby becomes the primary.
func TestStore_StandbyIsPromoted(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	primary.Database(t)
	standby := primary.Standby(t)
	url := primary.EitherURL(standby, "d1")
	done, stop := load(t, open(t, url), open(t, url))
	wait(t, done, int64(testenv.WritesBetweenFaults.Cases(t)))
	primary.Kill()
	standby.Promote(t)
	wait(t, done, int64(testenv.WritesBetweenFaults.Cases(t)))
	stop()
}

// The administrator cancels a commit that waits for the standby. The primary then has it,
// and would lose it if it failed, so it is not acknowledged before the standby has it.
func TestStore_WaitForStandbyIsCanceled(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	url := primary.Database(t)
	standby := primary.Standby(t)
	s, err := pgstore.Open(ctx, url, pgstore.Options{Create: true, Patience: time.Hour})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	p := partition()
	mustIncrement(t, s, p)

	standby.Kill()
	result := make(chan error, 1)
	go func() {
		_, err := increment(s, p)
		result <- err
	}()
	conn, err := pgx.Connect(ctx, primary.URL("postgres"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(ctx) })
	for range 5 {
		require.Eventually(t, func() bool {
			var canceled int
			err := conn.QueryRow(ctx, "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'").Scan(&canceled)
			return err == nil && canceled > 0
		}, time.Minute, 10*time.Millisecond)
		select {
		case err := <-result:
			require.Fail(t, "acknowledged", "%v", err)
		default:
		}
	}
	standby.Restart(t)
	require.NoError(t, <-result)
	primary.Kill()
	standby.Promote(t)
	again := open(t, standby.URL("d1"))
	requireCount(t, again, p, 2)
}

// A standby that lacked the latest commit became the primary and made another one, with the
// same version.
func TestStore_StandbyHadAnotherHistory(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	s, p := open(t, server.Database(t)), partition()
	c := observe(s)
	for range 2 {
		mustIncrement(t, s, p)
	}
	server.Exec(t, "d1", `UPDATE bincard.rows SET value = '\x0000000000000007' WHERE tbl = 'counters'`)
	server.Kill()
	server.Restart(t)
	require.EqualValues(t, 8, mustIncrement(t, s, p))
	_, unknown := c.get()
	require.Equal(t, 1, unknown)
}
