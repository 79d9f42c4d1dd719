package server_test

import (
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server"
)

func TestHealth_ReportsBackupsAndVerifications(t *testing.T) {
	t.Parallel()
	s, err := server.Open(server.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	h := s.Handler()
	get := func(path string) (int, string) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
		return rec.Code, rec.Body.String()
	}
	code, body := get("/readyz")
	require.Equal(t, 200, code)
	require.JSONEq(t, `{"status":"ready"}`, body)
	_, body = get("/metrics")
	require.NotContains(t, body, "bincard_proof_", "tasks never done have no metrics")

	// A failed backup is a warning with the time of the last good one.
	s.Health.BackedUpBefore(time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC))
	s.Health.BackedUp(time.Now(), errors.New("no space left on /backup"))
	code, body = get("/readyz")
	require.Equal(t, 200, code)
	require.Regexp(t, `"warnings":\["the backup of .* UTC failed; last backup: 2026-03-31 14:00 UTC; see the log"\]`, body)
	_, body = get("/metrics")
	require.Contains(t, body, "bincard_backup_last_ok 0\n")
	require.Contains(t, body, "bincard_backup_last_success_timestamp_seconds 1.7749656e+09\n")
	s.Health.BackedUp(time.Now(), nil)
	_, body = get("/readyz")
	require.JSONEq(t, `{"status":"ready"}`, body)

	// A verification that finds problems makes the service unready until one finds none.
	s.Health.Verified(time.Now(), 3, nil)
	s.Health.Verified(time.Now(), 0, errors.New("no space for a copy"))
	code, body = get("/readyz")
	require.Equal(t, 503, code)
	require.Contains(t, body, "the last verification found 3 problems")
	_, body = get("/metrics")
	require.Contains(t, body, "bincard_proof_problems 3\n")
	require.Contains(t, body, "bincard_proof_last_ok 0\n")
	require.NotContains(t, body, "bincard_proof_last_success")
	s.Health.Verified(time.Now(), 0, nil)
	code, _ = get("/readyz")
	require.Equal(t, 200, code)
	_, body = get("/metrics")
	require.Contains(t, body, "bincard_proof_problems 0\n")
	require.Contains(t, body, "bincard_proof_last_ok 1\n")

	require.NoError(t, s.Close())
	code, body = get("/readyz")
	require.Equal(t, 503, code)
	require.Contains(t, body, "the store has stopped: the service is shutting down")
}
