package ledger_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/api/apitest"
	"bincard/server/ledger/ledgertest"
	"bincard/server/testenv"
)

// The contract tests of package server run the same over HTTP.
func TestContract(t *testing.T) {
	t.Parallel()
	testenv.ContractOnDisk.Cases(t)
	apitest.Run(t, func(t *testing.T) apitest.World {
		w := ledgertest.OpenDir(t, t.TempDir())
		out := contract(t, &w)
		out.Restart = func() { w = w.Reopen() }
		return out
	})
}

func TestContractInMemory(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T) apitest.World {
		w := ledgertest.Open(t)
		return contract(t, &w)
	})
}

// contract adapts a world to the contract tests. A restart may replace the world that
// w points to.
func contract(t *testing.T, w **ledgertest.World) apitest.World {
	orgs := [2]api.Organization{(*w).Org, (*w).NewOrganization("Orchard Goods").Org}
	return apitest.World{Orgs: orgs, Now: func() time.Time { return (*w).Clock.Now() },
		Advance: func(d time.Duration) { (*w).Clock.Advance(d) },
		Limit: func(i int, env api.Environment, limits api.Limits) {
			_, err := (*w).Ledger.SetPlan(t.Context(), orgs[i].ID, env, limits)
			require.NoError(t, err)
		},
		Allow: func(i int, env api.Environment, rules api.Rules) {
			_, err := (*w).Ledger.SetRules(t.Context(), orgs[i].ID, env, rules)
			require.NoError(t, err)
		},
		AsRole: func(i int, env api.Environment, is api.Role) api.Service {
			return current(func() api.Service {
				of := **w
				of.Org = orgs[i]
				return of.AsRole(env, is)
			})
		},
		As: func(i int, env api.Environment, scopes ...api.Scope) api.Service {
			return current(func() api.Service {
				of := **w
				of.Org = orgs[i]
				return of.As(env, scopes...)
			})
		}}
}

// current is a service that looks up its implementation for each request.
type current func() api.Service

func (now current) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	return now().Do(ctx, req)
}
