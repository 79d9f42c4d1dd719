package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var clockTests = []test{
	{"clock set back: order is preserved", clockBack},
	{"clock set back: expired stays expired", clockBackExpired},
	{"clock a year ahead", clockYearAhead},
	{"clock set back: new reservation expires by the clock", clockBackReserved},
}

func clockBack(k *fixture) {
	in := k.inbound(k.oats, 9)
	before := k.Now()
	k.Advance(-time.Hour)
	out := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 4})
	require.False(k, out.Inbound.UpdatedAt.Before(before), "a change is not before the creation")
	k.Advance(2 * time.Minute)
	second := k.stock(k.oats, k.wh, 1)
	require.False(k, second.UpdatedAt.Before(out.Balance.UpdatedAt))
	k.Advance(2 * time.Hour)
	k.stock(k.oats, k.wh, 1)
	rows := do(k, api.ReportMovements, api.ReportMovementsInput{}).Items
	require.Len(k, rows, 1+3+2+2)
	for i := 1; i < len(rows); i++ {
		require.False(k, rows[i].CreatedAt.After(rows[i-1].CreatedAt), "newest first is latest first")
	}

	early := do(k, api.ReportMovements, api.ReportMovementsInput{CreatedTo: &before})
	require.Empty(k, early.Items)
	late := do(k, api.ReportMovements, api.ReportMovementsInput{CreatedFrom: &before})
	require.Len(k, late.Items, len(rows))
}

// clockYearAhead sets the clock a year ahead and back again. Until the clock reaches
// that year, changes are dated at the last change made in it.
func clockYearAhead(k *fixture) {
	const year = 366 * 24 * time.Hour
	k.stock(k.oats, k.wh, 5)
	k.Advance(year)
	ahead := k.stock(k.oats, k.wh, 3).UpdatedAt
	k.Advance(-year)
	r := k.reserve(k.oats, 2, time.Hour).Reservation
	require.Equal(k, ahead, r.CreatedAt)
	require.Equal(k, ahead, k.stock(k.oats, k.wh, 1).UpdatedAt)
	require.Equal(k, api.Quantities{OnHand: 9, Available: 7, Reserved: 2}, k.quantities(k.oats, k.wh))
	rows := do(k, api.ReportMovements, api.ReportMovementsInput{}).Items
	for i := 1; i < len(rows); i++ {
		require.False(k, rows[i].CreatedAt.After(rows[i-1].CreatedAt), "newest first is latest first")
	}

	k.Advance(year + 2*time.Hour)
	require.Equal(k, api.ReservationExpired, k.reservation(r.ID).Status)
	after := k.stock(k.oats, k.wh, 1)
	require.True(k, after.UpdatedAt.After(ahead), "the clock has caught up")
	require.Equal(k, api.Quantities{OnHand: 10, Available: 10}, k.quantities(k.oats, k.wh))
}

func clockBackExpired(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	r := k.reserve(k.oats, 3, time.Minute).Reservation
	k.Advance(time.Minute)
	require.Equal(k, api.ReservationExpired, k.reservation(r.ID).Status)
	k.Advance(-time.Hour)
	require.Equal(k, api.ReservationExpired, k.reservation(r.ID).Status)
	mustFail(k, api.ReservationNotPending, api.CommitReservation, api.ReservationInput{ReservationID: r.ID})
	require.Equal(k, api.Quantities{OnHand: 5, Available: 5}, k.quantities(k.oats, k.wh))
}

func clockBackReserved(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	k.Advance(-time.Hour)
	r := k.reserve(k.oats, 3, time.Minute).Reservation
	require.Equal(k, api.ReservationPending, k.reservation(r.ID).Status)
	e := mustFail(k, api.ValidationError, api.CreateReservation, k.reserving(k.oats, 1, 0))
	require.Equal(k, []string{"expiresAt"}, k.invalidFields(e))
	k.Advance(time.Minute)
	require.Equal(k, api.ReservationExpired, k.reservation(r.ID).Status)
	require.Equal(k, api.Quantities{OnHand: 5, Available: 5}, k.quantities(k.oats, k.wh))
}

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
