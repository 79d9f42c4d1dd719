package server_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
	"bincard/server/store"
)

func TestOpen_LocksTheDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := server.Open(server.Config{Dir: dir})
	require.NoError(t, err)
	org, err := s.Ledger.CreateOrganization(context.Background(), "Harbor Foods")
	require.NoError(t, err)

	_, err = server.Open(server.Config{Dir: dir})
	var locked *store.LockedError
	require.True(t, errors.As(err, &locked), "only one process can open the data: %v", err)

	rec := httptest.NewRecorder()
	s.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/readyz", nil))
	require.Equal(t, http.StatusOK, rec.Code)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	rec = httptest.NewRecorder()
	s.Handler().ServeHTTP(rec, httptest.NewRequest("GET", "/readyz", nil))
	require.Equal(t, http.StatusServiceUnavailable, rec.Code)

	s, err = server.Open(server.Config{Dir: dir})
	require.NoError(t, err)
	list, err := s.Ledger.Organizations(context.Background())
	require.NoError(t, err)
	require.Equal(t, []api.Organization{org}, list)
	proof, err := s.Ledger.Verify(context.Background())
	require.NoError(t, err)
	require.Empty(t, proof.Faults)
	require.NoError(t, s.Close())
}
