package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/api/apitest"
	"bincard/server/ledger/ledgertest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T) apitest.World { return contract(t, ledgertest.OpenDir(t, t.TempDir())) })
}

func TestContractInMemory(t *testing.T) {
	t.Parallel()
	apitest.Run(t, func(t *testing.T) apitest.World { return contract(t, ledgertest.Open(t)) })
}

// contract is a world as the contract's suite wants one.
func contract(t *testing.T, w *ledgertest.World) apitest.World {
	worlds := [2]*ledgertest.World{w, w.Another("Orchard Goods")}
	return apitest.World{Orgs: [2]api.Organization{worlds[0].Org, worlds[1].Org}, Now: w.Clock.Now, Advance: w.Clock.Advance,
		Limit: func(i int, env api.Environment, limits api.Limits) {
			_, err := w.Ledger.SetPlan(t.Context(), worlds[i].Org.ID, env, limits)
			require.NoError(t, err)
		},
		As: func(i int, env api.Environment, scopes ...api.Scope) api.Service { return worlds[i].As(env, scopes...) }}
}
