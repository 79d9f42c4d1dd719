package server_test

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/store"
	"bincard/server/store/pgstore/pgtest"
)

func TestDatabase_ReadinessAndMetrics(t *testing.T) {
	t.Parallel()
	pg := pgtest.Start(t)
	url := pg.Database(t)
	open := func() *server.Server {
		s, err := server.Open(server.Config{Database: url, CreateTables: true, Log: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		return s
	}
	s, other := open(), open()
	h := s.Handler()
	get := func(path string) (int, string) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
		return rec.Code, rec.Body.String()
	}
	code, body := get("/readyz")
	require.Equal(t, 200, code)
	require.Regexp(t, `^{"status":"ready","store":{"role":"primary","reads":{"used":\d+,"open":\d+,"max":16},"commits":{"used":0,"open":\d+,"max":16},"lag":0}}\n?$`, body)
	for _, s := range []*server.Server{s, other, s} {
		_, err := s.Ledger.CreateOrganization(t.Context(), "Harbor Goods")
		require.NoError(t, err)
	}
	_, body = get("/metrics")
	for _, metric := range []string{`round_trips_total [1-9]\d*`, `cache_reads_total{result="hit"} \d+`, `cache_reads_total{result="miss"} \d+`,
		`updates_total \d+`, `batches_total \d+`, `restaged_batches_total [1-9]`, `failed_commits_total 0`, `lock_wait_seconds_total \d`,
		`connections{state="idle",use="commit"} 1`, `connections{state="used",use="commit"} 0`, `connections_max{use="read"} 16`} {
		require.Regexp(t, "(?m)^bincard_store_"+metric, body)
	}
	require.Contains(t, body, `bincard_balances{environment="live"} 0`)

	ahead, err := server.Open(server.Config{Database: url, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return time.Now().Add(time.Hour) }})
	require.NoError(t, err)
	t.Cleanup(func() { ahead.Close() })
	h = ahead.Handler()
	_, body = get("/metrics")
	require.NotContains(t, body, "bincard_store_clock_offset_seconds", "it is not known yet")
	require.NoError(t, ahead.Database.Refresh(t.Context(), store.Partition{}))
	_, body = get("/metrics")
	require.Regexp(t, `(?m)^bincard_store_clock_offset_seconds 3(599|600)\.`, body)
	h = s.Handler()

	// A load balancer needs an answer in time, also while all connections are in use.
	narrow, err := server.Open(server.Config{Database: url + "&pool_max_conns=1", Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { narrow.Close() })
	h = narrow.Handler()
	require.NoError(t, narrow.Database.View(t.Context(), store.Partition{}, func(store.Reader) error {
		code, body = get("/readyz")
		return nil
	}))
	require.Equal(t, 503, code)
	require.Contains(t, body, "The service is not ready: the database did not answer in time.")
	code, _ = get("/readyz")
	require.Equal(t, 200, code)
	h = s.Handler()

	pg.BecomeStandby(t)
	code, body = get("/readyz")
	require.Equal(t, 503, code)
	require.Contains(t, body, "The service is not ready: the database is a standby; connect to the primary.")
	pg.Kill()
	code, body = get("/readyz")
	require.Equal(t, 503, code)
	require.Contains(t, body, "The service is not ready: the database cannot be reached; see the log.")
}
