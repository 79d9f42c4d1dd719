package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// Two processes that use an organization for the first time at once agree on the epoch, and
// both know of a new one at once.
func TestSiblings_Epoch(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	both := []*ledgertest.World{a, b}
	var got [8]string
	together(len(got), func(i int) {
		got[i] = ledgertest.Do(both[i%2], api.ListChanges, api.ListChangesInput{}).Epoch
	})
	for _, epoch := range got {
		require.Equal(t, got[0], epoch)
	}
	for i := range 4 {
		require.NoError(t, both[i%2].Ledger.NewEpoch(t.Context()))
		replaced := ledgertest.Do(both[i%2], api.ListChanges, api.ListChangesInput{}).Epoch
		require.NotEqual(t, got[0], replaced)
		require.Equal(t, replaced, ledgertest.Do(both[(i+1)%2], api.ListChanges, api.ListChangesInput{}).Epoch)
		require.Equal(t, replaced, ledgertest.Do(both[(i+1)%2], api.GetSnapshot, api.SnapshotInput{}).Epoch)
		ledgertest.Refused(both[(i+1)%2], api.ChangesGone, api.ListChanges, api.ListChangesInput{Epoch: got[0]})
		got[0] = replaced
	}
}

// The journal is one chain when two processes write in turn and at once, and both see the
// same head. Each ledger is verified at the end.
func TestSiblings_Chain(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	both := []*ledgertest.World{a, b}
	product, at := a.Product("OAT-1L", api.TrackNone).ID, a.Location("WH-1").ID
	head := func(w *ledgertest.World) (api.Head, int64) {
		changes := ledgertest.Do(w, api.ListChanges, api.ListChangesInput{})
		balances := ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{})
		return api.Head{Seq: changes.Latest, Hash: changes.Hash}, balances.Items[0].Quantities.OnHand
	}
	for i := range 20 { // a write answered by one is visible at the other
		both[i%2].Stock(product, at, 1)
		here, stock := head(both[i%2])
		there, same := head(both[(i+1)%2])
		require.Equal(t, here, there)
		require.EqualValues(t, i+1, stock)
		require.Equal(t, stock, same)
	}
	together(16, func(i int) {
		for range 5 {
			both[i%2].Stock(product, at, 1)
		}
	})
	here, stock := head(a)
	there, _ := head(b)
	require.Equal(t, here, there)
	require.EqualValues(t, 100, stock)
	require.EqualValues(t, 102, here.Seq)

	after, last := int64(0), ""
	for after < here.Seq {
		page := ledgertest.Do(both[after%2], api.ListChanges, api.ListChangesInput{After: &after, Hash: last, Limit: new(int64(7))})
		after, last = page.Items[len(page.Items)-1].Seq, page.Items[len(page.Items)-1].Hash
	}
	require.Equal(t, here, api.Head{Seq: after, Hash: last})
}

// Every process lists the nodes that report to any.
func TestSiblings_Nodes(t *testing.T) {
	t.Parallel()
	a, b := siblings(t)
	admin := func(w *ledgertest.World) api.Service { return w.As(api.Live, api.Admin, api.InventoryRead) }
	r := api.NodeReport{ID: api.ID{7}, Label: "Süd", Kind: api.NodeEdge, Version: "1.4"}
	for i, w := range []*ledgertest.World{a, b, a, a, b} {
		r.Pending = int64(i)
		ledgertest.Call(t, admin(w), api.ListChanges, api.ListChangesInput{}, api.ReportedBy(r))
		for _, w := range []*ledgertest.World{a, b} {
			list := ledgertest.Call(t, admin(w), api.ListNodes, api.ListNodesInput{})
			require.Len(t, list.Items, 1)
			require.Equal(t, r, list.Items[0].NodeReport)
		}
	}
}
