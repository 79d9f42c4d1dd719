package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var asOfTests = []test{
	{"the snapshot shows balances as of an instant", asOfInstant},
	{"the snapshot of an instant comes in pages and by filters", asOfPaged},
	{"the snapshot of an instant refuses what it cannot answer", asOfRefused},
}

// snapshotAt is the snapshot at an instant, by balance.
func (k *fixture) snapshotAt(in api.ReportSnapshotInput) map[api.ID]api.SnapshotRow {
	k.Helper()
	rows := map[api.ID]api.SnapshotRow{}
	for {
		list := do(k, api.ReportSnapshot, in)
		for _, r := range list.Items {
			require.NotContains(k, rows, r.ID)
			rows[r.ID] = r
		}
		if list.NextCursor == nil {
			return rows
		}
		in.Cursor = *list.NextCursor
	}
}

func asOfInstant(k *fixture) {
	k.Advance(time.Hour)
	type moment struct {
		at   time.Time
		rows map[api.ID]api.SnapshotRow
	}
	var moments []moment
	note := func() {
		moments = append(moments, moment{k.Now(), k.snapshotAt(api.ReportSnapshotInput{})})
		k.Advance(time.Millisecond)
	}
	note() // nothing yet
	for _, round := range []string{"A", "B", "C"} {
		k.createMixed(round)
		note()
		note() // an instant at which nothing happens
		k.stock(k.oats, k.shop, 5)
		k.stock(k.oats, k.wh, -1)
		note()
	}
	for _, m := range moments {
		require.Equal(k, m.rows, k.snapshotAt(api.ReportSnapshotInput{AsOf: &m.at}), "as of %s", m.at)
		require.Equal(k, m.rows, k.snapshotAt(api.ReportSnapshotInput{AsOf: &m.at, Limit: some(int64(2))}), "as of %s", m.at)
	}
	later := k.Now().AddDate(1, 0, 0)
	require.Equal(k, moments[len(moments)-1].rows, k.snapshotAt(api.ReportSnapshotInput{AsOf: &later}))
	before := moments[0].at.AddDate(-1, 0, 0)
	require.Empty(k, k.snapshotAt(api.ReportSnapshotInput{AsOf: &before}))
}

func asOfPaged(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	then := k.Now()
	k.Advance(time.Second)
	k.stock(k.oats, k.wh, -5)
	do(k, api.AdjustStock, adjust(k.oats, k.shop, api.Damaged, 2))
	find := func(in api.ReportSnapshotInput) (out []int64) {
		in.AsOf = &then
		for _, r := range k.snapshotAt(in) {
			out = append(out, r.OnHand)
		}
		return out
	}
	require.Equal(k, []int64{5}, find(api.ReportSnapshotInput{}))
	require.Equal(k, []int64{5}, find(api.ReportSnapshotInput{Status: api.StockIn}))
	require.Equal(k, []int64{5}, find(api.ReportSnapshotInput{InventoryState: api.Available, ProductID: k.oats}))
	require.Empty(k, find(api.ReportSnapshotInput{Status: api.StockOut}))
	require.Empty(k, find(api.ReportSnapshotInput{InventoryState: api.Damaged}))
	require.Empty(k, find(api.ReportSnapshotInput{LocationID: k.shop}))
}

func asOfRefused(k *fixture) {
	e := refuse(k, api.ValidationError, api.ReportSnapshot, api.ReportSnapshotInput{AsOf: some(k.Now()), Operation: api.OpAdjust})
	require.Equal(k, []string{"operation"}, k.broken(e))
}
