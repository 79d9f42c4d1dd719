package ledger_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/api/apitest"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
	"bincard/server/store/pgstore/pgtest"
)

// inTurn gives each request to the next service.
type inTurn struct {
	services []api.Service
	requests atomic.Uint64
}

func (s *inTurn) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	return s.services[s.requests.Add(1)%uint64(len(s.services))].Do(ctx, req)
}

// Two processes, each of which gets every other request, behave like one, except that they
// know each other's requests a second later if the plan had no limit. A restart is one of the
// second process, which then has only what the database has; only its own tests have it.
func TestContract_Siblings(t *testing.T) {
	t.Parallel()
	pgtest.Common(t)
	apitest.RunSample(t, func(t *testing.T) apitest.World {
		url := pgtest.Database(t)
		w := ledgertest.OpenStore(t, func() store.Store { return openDatabase(t, url) })
		out := contract(t, &w)

		var st store.Store
		var sibling *ledger.Ledger
		start := func() {
			st = openDatabase(t, url)
			sibling = ledger.New(st, ledger.Options{Now: w.Clock.Now, Log: slog.New(slog.DiscardHandler)})
		}
		end := func() {
			sibling.Close()
			require.NoError(t, st.Close())
		}
		start()
		t.Cleanup(func() { end() })
		if strings.Contains(t.Name(), "/restart") { // it takes three connections
			out.Restart = func() { end(); start() }
		}

		as := out.As
		out.As = func(i int, env api.Environment, scopes ...api.Scope) api.Service {
			other := current(func() api.Service {
				node := *w
				node.Ledger, node.Org = sibling, out.Orgs[i]
				return node.As(env, scopes...)
			})
			return &inTurn{services: []api.Service{as(i, env, scopes...), other}}
		}
		return out
	}, apitest.Plans)
}
