package connect_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/cmd/bincard/connect"
	"bincard/server"
	"bincard/server/admin"
	"bincard/server/api"
	"bincard/server/local"
)

// newDir returns a directory with the ledger of one organization.
func newDir(t *testing.T) (dir string, org api.ID) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	s, err := server.Open(server.Config{Dir: dir, NoSync: true, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	o, err := s.Ledger.CreateOrganization(t.Context(), "Harbor Goods")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	return dir, o.ID
}

func open(t *testing.T, dir string) (*connect.SharedLedger, error) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	return connect.OpenShared(t.Context(), connect.SharedOptions{Config: server.Config{Dir: dir, NoSync: true, Log: log}, Logger: log, UserAgent: "test"})
}

// location creates a location under an idempotency key.
func location(ctx context.Context, svc api.Service, code, key string) (*api.Response, error) {
	return svc.Do(ctx, &api.Request{Spec: api.CreateLocation.Spec, IdempotencyKey: key,
		Input: &api.CreateLocationInput{Code: code, Name: code, Type: api.Warehouse}})
}

func TestLedger_OwnerAndClient(t *testing.T) {
	t.Parallel()
	dir, org := newDir(t)
	first, err := open(t, dir)
	require.NoError(t, err)
	second, err := open(t, dir)
	require.NoError(t, err)
	list, err := second.Organizations(t.Context())
	require.NoError(t, err)
	require.Equal(t, org, list[0].ID)
	ada, err := first.Service(connect.Person{Organization: org, Environment: api.Live, Name: "Ada"})
	require.NoError(t, err)
	zoe, err := second.Service(connect.Person{Organization: org, Environment: api.Live, Name: "Zoë Müller"})
	require.NoError(t, err)
	tester, err := second.Service(connect.Person{Organization: org, Environment: api.Test, Name: "Zoë Müller"})
	require.NoError(t, err)

	_, err = location(t.Context(), ada, "WH-1", "k-1")
	require.NoError(t, err)
	_, err = location(t.Context(), zoe, "WH-2", "k-2")
	require.NoError(t, err)
	_, err = location(t.Context(), zoe, "WH-2", "k-3")
	require.True(t, api.HasCode(err, api.AlreadyExists), "%v", err)
	places, err := api.ListLocations.Call(t.Context(), tester, api.ListPlacesInput{})
	require.NoError(t, err)
	require.Empty(t, places.Items, "the environments are apart")
	access, err := api.GetAccess.Call(t.Context(), zoe, api.GetAccessInput{})
	require.NoError(t, err)
	require.Equal(t, "Zoë Müller", access.Actor.Label)
	require.Contains(t, access.Scopes, api.Admin)

	// The next owner has what the last one wrote, and answers with it.
	require.NoError(t, first.Close())
	res, err := location(t.Context(), zoe, "WH-2", "k-2")
	require.NoError(t, err)
	require.True(t, res.Replayed)
	require.NoError(t, second.Close())
	require.False(t, local.Running(t.Context(), dir))
	_, err = location(t.Context(), zoe, "WH-3", "k-4")
	require.Error(t, err)
}

func TestOpen_DirectoryOfService(t *testing.T) {
	t.Parallel()
	dir, _ := newDir(t)
	log := slog.New(slog.DiscardHandler)
	s, err := server.Open(server.Config{Dir: dir, NoSync: true, Log: log})
	require.NoError(t, err)
	defer s.Close()
	owner := admin.Owner{URL: "https://stock.example.com"}
	defer admin.Serve(dir, admin.NewDirectAdmin(s, dir, nil, log), func() admin.Owner { return owner }, log)()
	_, err = open(t, dir)
	var rejected *local.RejectedError
	require.ErrorAs(t, err, &rejected)
	require.ErrorContains(t, err, "--url https://stock.example.com --org ID")
}

func TestService_RejectsLongName(t *testing.T) {
	t.Parallel()
	dir, org := newDir(t)
	l, err := open(t, dir)
	require.NoError(t, err)
	_, err = l.Service(connect.Person{Organization: org, Environment: api.Live, Name: strings.Repeat("a", 400)})
	require.ErrorContains(t, err, "name is too long")
	require.NoError(t, l.Close())
}
