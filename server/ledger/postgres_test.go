package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/api/apitest"
	"bincard/server/ledger"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
	"bincard/server/store/pgstore"
	"bincard/server/store/pgstore/pgtest"
	"bincard/server/testenv"
)

// openDatabase opens the store of a new database, or of one that exists.
func openDatabase(t testing.TB, url string) *pgstore.Store {
	t.Helper()
	st, err := pgstore.Open(context.Background(), url, pgstore.Options{Create: true, MaxConnections: 4})
	require.NoError(t, err)
	return st
}

// Two processes know each other's requests late if the plan had no limit, so that the tests
// of plans need one process. TestContract_Siblings runs the others.
func TestContract_PlansOnPostgreSQL(t *testing.T) {
	t.Parallel()
	pgtest.Common(t)
	apitest.RunPart(t, func(t *testing.T) apitest.World {
		url := pgtest.Database(t)
		w := ledgertest.OpenStore(t, func() store.Store { return openDatabase(t, url) })
		out := contract(t, &w)
		out.Restart = func() { w = w.Reopen() }
		return out
	}, apitest.Plans)
}

func TestOracle_PostgreSQL(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	testenv.OracleOnDatabase.Check(t, func(r *rapid.T) {
		world := ledgertest.OpenStore(r, func() store.Store { return openDatabase(t, url) })
		runTrial(r, world.NewOrganization("Dock"))
	})
}

// Reading a database of an older format leaves it to the version that wrote it.
func TestCheckFormat_ReadingKeepsFormat3OfDatabase(t *testing.T) {
	t.Parallel()
	pgtest.Common(t)
	url := pgtest.Database(t)
	w := ledgertest.OpenStore(t, func() store.Store { return openDatabase(t, url) })
	setFormat(t, w.Store, 3, "")
	st, err := ledger.CheckFormat(t.Context(), w.Store, "1.0")
	require.NoError(t, err)
	format, _ := formatOf(t, st)
	require.EqualValues(t, 3, format)
	require.Implements(t, (*store.Shared)(nil), st)
	require.NoError(t, st.Update(t.Context(), store.Partition{}, func(store.Tx) error { return nil }))
	format, _ = formatOf(t, st)
	require.EqualValues(t, ledger.Format, format)
}
