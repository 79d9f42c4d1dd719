package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var restartTests = []test{
	{"restart preserves all data", restartSame},
	{"restart: due reservations have expired", restartExpired},
	{"restart preserves idempotency keys", restartKeys},
}

// restart restarts the service if the world supports it.
func (k *fixture) restart() {
	if k.Restart != nil {
		k.Restart()
	}
}

// listAll returns the JSON of all lists and explanations.
func (k *fixture) listAll() (out []string) {
	k.Helper()
	most := ptr(int64(100))
	see := func(v any) { out = append(out, k.text(v)) }
	see(do(k, api.ListProducts, api.ListProductsInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListLocations, api.ListPlacesInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListOwners, api.ListPlacesInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListChannels, api.ListPlacesInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListInbounds, api.ListInboundsInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListOutbounds, api.ListOutboundsInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListTransfers, api.ListTransfersInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListReservations, api.ListReservationsInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListLots, api.ListLotsInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ListSerials, api.ListSerialsInput{Page: api.Page{Limit: most}}))
	see(do(k, api.ReportMovements, api.ReportMovementsInput{Limit: ptr(int64(500))}))
	see(do(k, api.ReportSnapshot, api.ReportSnapshotInput{Limit: ptr(int64(500))}))
	see(k.follow(0, 500))
	balances := do(k, api.ListBalances, api.ListBalancesInput{Page: api.Page{Limit: most}})
	see(balances)
	for _, b := range balances.Items {
		see(do(k, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID}))
	}
	return out
}

func restartSame(k *fixture) {
	k.createMixed("A")
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 2, "L9", nil, "SN-1", "SN-2")
	k.reserve(k.oats, 1, time.Hour)
	before := k.listAll()
	k.restart()
	require.Equal(k, before, k.listAll())
}

func restartExpired(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	r := k.reserve(k.oats, 3, time.Minute).Reservation
	k.Advance(time.Hour)
	k.restart()
	list := do(k, api.ReportSnapshot, api.ReportSnapshotInput{}).Items
	require.Equal(k, api.Quantities{OnHand: 5, Available: 5}, list[0].Quantities)
	require.Equal(k, api.ReservationExpired, k.reservation(r.ID).Status)
	k.restart()
	require.Len(k, do(k, api.ReportMovements, api.ReportMovementsInput{Operation: api.OpExpire}).Items, 2, "it expired once")
}

func restartKeys(k *fixture) {
	key := api.Key("delivery-7")
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 3), key)
	k.restart()
	res, err := api.AdjustStock.Do(k.ctx, k.svc, adjust(k.oats, k.wh, api.OnHand, 3), key)
	require.NoError(k, err)
	require.True(k, res.Replayed)
	mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 4), key)
	mustFail(k, api.IdempotencyKeyReused, api.MoveStock, move(k.oats, k.wh, 1, api.Available, api.Damaged), key)
	require.EqualValues(k, 3, k.quantities(k.oats, k.wh).OnHand)
}
