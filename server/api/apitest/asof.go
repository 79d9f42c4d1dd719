package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var asOfTests = []test{
	{"snapshot as of a time", snapshotAsOf},
	{"snapshot as of a time: filters and pages", snapshotAsOfFiltered},
	{"snapshot as of a time: rejects operation filter", snapshotAsOfRejected},
}

// snapshotAt returns all rows of a snapshot report by balance.
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

func snapshotAsOf(k *fixture) {
	k.Advance(time.Hour)
	type moment struct {
		at   time.Time
		rows map[api.ID]api.SnapshotRow
	}
	var moments []moment
	record := func() {
		moments = append(moments, moment{k.Now(), k.snapshotAt(api.ReportSnapshotInput{})})
		k.Advance(time.Millisecond)
	}
	record() // nothing yet
	for _, round := range []string{"A", "B", "C"} {
		k.createMixed(round)
		record()
		record() // a time at which nothing changes
		k.stock(k.oats, k.shop, 5)
		k.stock(k.oats, k.wh, -1)
		record()
	}
	for _, m := range moments {
		require.Equal(k, m.rows, k.snapshotAt(api.ReportSnapshotInput{AsOf: &m.at}), "as of %s", m.at)
		require.Equal(k, m.rows, k.snapshotAt(api.ReportSnapshotInput{AsOf: &m.at, Limit: ptr(int64(2))}), "as of %s", m.at)
	}
	later := k.Now().AddDate(1, 0, 0)
	require.Equal(k, moments[len(moments)-1].rows, k.snapshotAt(api.ReportSnapshotInput{AsOf: &later}))
	before := moments[0].at.AddDate(-1, 0, 0)
	require.Empty(k, k.snapshotAt(api.ReportSnapshotInput{AsOf: &before}))
}

func snapshotAsOfFiltered(k *fixture) {
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
	require.Equal(k, []int64{5}, find(api.ReportSnapshotInput{InventoryState: api.Available, StockFilter: api.StockFilter{ProductID: k.oats}}))
	require.Empty(k, find(api.ReportSnapshotInput{Status: api.StockOut}))
	require.Empty(k, find(api.ReportSnapshotInput{InventoryState: api.Damaged}))
	require.Empty(k, find(api.ReportSnapshotInput{StockFilter: api.StockFilter{LocationID: k.shop}}))
}

func snapshotAsOfRejected(k *fixture) {
	e := mustFail(k, api.ValidationError, api.ReportSnapshot, api.ReportSnapshotInput{AsOf: ptr(k.Now()), Operation: api.OpAdjust})
	require.Equal(k, []string{"operation"}, k.invalidFields(e))
}
