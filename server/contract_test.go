package server_test

import (
	"context"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server"
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/api/apitest"
	"bincard/server/httpapi/openapi/gen"
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
)

// A testService is the service on a socket, with a clock that tests set.
type testService struct {
	t     *testing.T
	srv   *server.Server
	cfg   server.Config
	serve atomic.Pointer[http.Handler]
	url   string
	web   *http.Client // checks every answer against the document
	log   testenv.Output
	clock *ledgertest.Clock
	orgs  [2]api.Organization
}

// open starts a service with two organizations. When the test ends, its ledger
// is verified.
func open(t *testing.T) *testService {
	t.Helper()
	s := &testService{t: t, clock: new(ledgertest.Clock)}
	s.clock.Set(ledgertest.Start)
	var err error
	s.cfg = server.Config{Dir: t.TempDir(), Now: s.clock.Now, Log: slog.New(slog.NewJSONHandler(&s.log, nil)), NoSync: true}
	s.begin()
	t.Cleanup(func() {
		proof, err := s.srv.Ledger.Verify(context.Background())
		require.NoError(t, err)
		require.Empty(t, proof.Faults)
		require.NoError(t, s.srv.Close())
		require.NotRegexp(t, secretText, s.log.String(), "a key's secret is in the log")
	})
	for i, name := range []string{"Harbor Foods", "Orchard Goods"} {
		s.orgs[i], err = s.srv.Ledger.CreateOrganization(context.Background(), name)
		require.NoError(t, err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*s.serve.Load()).ServeHTTP(w, r) }))
	t.Cleanup(web.Close)
	s.url = web.URL
	w, err := newDocumentChecker()
	require.NoError(t, err)
	network := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(network.CloseIdleConnections)
	s.web = &http.Client{Transport: w.wrap(t, network)}
	return s
}

// begin opens the service on its data.
func (s *testService) begin() {
	var err error
	s.srv, err = server.Open(s.cfg)
	require.NoError(s.t, err)
	h := s.srv.Handler()
	s.serve.Store(&h)
}

// restart restarts the service at the same address.
func (s *testService) restart() {
	require.NoError(s.t, s.srv.Close())
	s.begin()
}

// secretText matches the secret part of a key.
const secretText = `bc_(live|test)_[0-9A-Za-z]{8}_[0-9A-Za-z]`

// key creates a key of one of the organizations.
func (s *testService) key(i int, env api.Environment, scopes ...api.Scope) string {
	s.t.Helper()
	if len(scopes) == 0 {
		scopes = api.Scopes
	}
	return s.newKey(account.KeyInput{Organization: s.orgs[i].ID, Environment: env, Scopes: scopes, Label: "Dock"})
}

func (s *testService) newKey(in account.KeyInput) string {
	s.t.Helper()
	secret, _, err := s.srv.Ledger.CreateKey(context.Background(), in)
	require.NoError(s.t, err)
	return secret
}

func (s *testService) client(i int, env api.Environment, scopes ...api.Scope) api.Service {
	s.t.Helper()
	return s.clientOf(i, s.key(i, env, scopes...))
}

// roleClient returns a client with a key that is bound to a role.
func (s *testService) roleClient(i int, env api.Environment, is api.Role) api.Service {
	s.t.Helper()
	return s.clientOf(i, s.newKey(account.KeyInput{Organization: s.orgs[i].ID, Environment: env, Scopes: api.Scopes, Label: "Dock", Role: is}))
}

func (s *testService) clientOf(i int, key string) api.Service {
	s.t.Helper()
	c, err := apiclient.New(apiclient.Config{URL: s.url, Key: key, Organization: s.orgs[i].ID.String(),
		Transport: s.web.Transport})
	require.NoError(s.t, err)
	s.t.Cleanup(c.Close)
	return c
}

func TestContract(t *testing.T) {
	t.Parallel()
	t.Cleanup(func() { checkAllCodesAnswered(t) })
	apitest.Run(t, func(t *testing.T) apitest.World {
		s := open(t)
		return apitest.World{Orgs: s.orgs, As: s.client, AsRole: s.roleClient, Now: s.clock.Now, Advance: s.clock.Advance, Restart: s.restart,
			Limit: func(i int, env api.Environment, limits api.Limits) {
				_, err := s.srv.Ledger.SetPlan(t.Context(), s.orgs[i].ID, env, limits)
				require.NoError(t, err)
			},
			Allow: func(i int, env api.Environment, rules api.Rules) {
				_, err := s.srv.Ledger.SetRules(t.Context(), s.orgs[i].ID, env, rules)
				require.NoError(t, err)
			}}
	})
}

// edgeCodes are the codes that a correct client does not get, or only from an
// overloaded service or a node; other tests have them.
var edgeCodes = []api.Code{api.InvalidJSON, api.IdempotencyKeyRequired, api.Unauthorized, api.MethodNotAllowed, api.NotAcceptable,
	api.PayloadTooLarge, api.UnsupportedMediaType, api.RateLimited, api.InternalError, api.NotImplemented, api.Unavailable,
	api.MalformedRequest, api.ExpectationFailed, api.HeadersTooLarge, api.HTTPVersionNotSupported,
	api.AtRisk, api.Undecided, api.LocationNotAllowed}

// checkAllCodesAnswered requires that the suite provokes each code, once all
// of it has run.
func checkAllCodesAnswered(t *testing.T) {
	if f := flag.Lookup("test.run").Value.String(); t.Failed() || strings.Contains(f, "/") || flag.Lookup("test.skip").Value.String() != "" {
		return // only part of the suite ran
	}
	w, err := newDocumentChecker()
	require.NoError(t, err)
	for _, f := range gen.Faults() {
		if !slices.Contains(edgeCodes, f.Code) {
			require.True(t, w.answered(string(f.Code)), "no contract test gets %s", f.Code)
		}
	}
}
