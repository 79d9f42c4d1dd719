package offline_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/api/apitest"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// A nodeSet is a service with a node for each organization and environment.
type nodeSet struct {
	t      *testing.T
	clock  *ledgertest.Clock
	ledger *ledger.Ledger
	orgs   [2]api.Organization
	online bool

	mu    sync.Mutex
	nodes map[tenant]*offline.Node
}

type tenant struct {
	org int
	env api.Environment
}

func newNodeSet(t *testing.T, online bool) *nodeSet {
	s := &nodeSet{t: t, clock: &ledgertest.Clock{}, online: online, nodes: map[tenant]*offline.Node{}}
	s.clock.Set(ledgertest.Start)
	st := store.NewMemory()
	s.ledger = ledger.New(st, ledger.Options{Now: s.clock.Now, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		proof, err := s.ledger.Verify(context.Background())
		require.NoError(t, err)
		require.Empty(t, proof.Faults)
		s.ledger.Close()
		require.NoError(t, st.Close())
	})
	for i, name := range []string{"Harbor Foods", "Orchard Goods"} {
		org, err := s.ledger.CreateOrganization(t.Context(), name)
		require.NoError(t, err)
		s.orgs[i] = org
	}
	return s
}

func (s *nodeSet) caller(w tenant, scopes ...api.Scope) api.Caller {
	if len(scopes) == 0 {
		scopes = api.Scopes
	}
	return api.Caller{Organization: s.orgs[w.org].ID, Environment: w.env, Scopes: scopes,
		Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Test key"}}
}

// node returns the node of an organization and environment, synced.
func (s *nodeSet) node(w tenant) *offline.Node {
	if s.nodes[w] == nil {
		set := &replicas.Memory{}
		n := s.open(w, offline.Config{Replicas: set, Folder: &journal.Memory{}})
		s.t.Cleanup(func() {
			require.NoError(s.t, n.Close())
			require.NoError(s.t, set.Close())
		})
	}
	return s.nodes[w]
}

// open opens the node of an organization and environment, and syncs it.
func (s *nodeSet) open(w tenant, cfg offline.Config) *offline.Node {
	s.t.Helper()
	cfg.Upstream, cfg.Caller = upstream{s.ledger, s.caller(w)}, s.caller(w)
	cfg.Now, cfg.Log = s.clock.Now, slog.New(slog.DiscardHandler)
	cfg.Owner = outbox.Header{Organization: s.orgs[w.org].ID.String(), Environment: string(w.env)}
	n, damage, err := offline.Open(context.Background(), cfg)
	require.NoError(s.t, err)
	require.Nil(s.t, damage)
	s.nodes[w] = n
	s.sync(w)
	return n
}

// sync sends and reads until nothing is left.
func (s *nodeSet) sync(w tenant) {
	n, up := s.nodes[w], upstream{s.ledger, s.caller(w)}
	for sent := true; sent; {
		sent = sendBatch(s.t, n, up)
		readChanges(s.t, n, up)
	}
}

// An upstream is the service as the node's key sees it.
type upstream struct {
	svc    api.Service
	caller api.Caller
}

func (u upstream) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	r := *req
	if r.Caller == nil {
		r.Caller = &u.caller
	}
	return u.svc.Do(ctx, &r)
}

// A serviceFunc is a service.
type serviceFunc func(context.Context, *api.Request) (*api.Response, error)

func (f serviceFunc) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	return f(ctx, req)
}

// A worker uses a node, which is synced before and after each request if the
// set is online.
type worker struct {
	s      *nodeSet
	w      tenant
	scopes []api.Scope
	role   api.Role
}

func (k worker) caller() api.Caller {
	c := k.s.caller(k.w, k.scopes...)
	c.Role = k.role
	return c
}

func (k worker) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	if req.Spec == api.ListChanges.Spec { // may wait for changes
		return upstream{k.s.ledger, k.caller()}.Do(ctx, req)
	}
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	n := k.s.node(k.w)
	if k.s.online {
		k.s.sync(k.w)
	}
	res, err := api.As(n, k.caller(), "").Do(ctx, req)
	if k.s.online {
		k.s.sync(k.w)
	}
	if k.s.online && err == nil && res.CommittedBy == offline.ByNode {
		// The service chooses the ids of the movements.
		confirmed, err := api.As(n, k.caller(), "").Do(ctx, req)
		require.NoError(k.s.t, err)
		res.Output = confirmed.Output
	}
	return res, err
}

func (s *nodeSet) world() apitest.World {
	return apitest.World{Orgs: s.orgs, Now: s.clock.Now, Advance: s.clock.Advance,
		Allow: func(i int, env api.Environment, rules api.Rules) {
			_, err := s.ledger.SetRules(s.t.Context(), s.orgs[i].ID, env, rules)
			require.NoError(s.t, err)
		},
		AsRole: func(i int, env api.Environment, is api.Role) api.Service {
			return worker{s, tenant{i, env}, nil, is}
		},
		As: func(i int, env api.Environment, scopes ...api.Scope) api.Service {
			return worker{s, tenant{i, env}, scopes, ""}
		}}
}

// TestContract_Offline requires that a node without a connection behaves like
// the ledger.
func TestContract_Offline(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T) apitest.World { return newNodeSet(t, false).world() },
		apitest.Plans, apitest.Origins, apitest.Feed, apitest.Keys)
}

// TestContract_Online requires that a node that is always in sync behaves like
// its service.
func TestContract_Online(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T) apitest.World { return newNodeSet(t, true).world() }, apitest.Plans, apitest.Origins)
}
