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
