package apitest

import (
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var raceTests = []test{
	{"race: adjust the last unit", raceAdjust},
	{"race: allocate the last unit", raceAllocate},
	{"race: receive an inbound", raceReceive},
	{"race: cancel or receive a transfer", raceTransfer},
	{"race: create a SKU", raceSKU},
}

const raceClients = 12

// race calls fn concurrently and returns the errors.
func race(fn func(i int) error) []error {
	errs := make([]error, raceClients)
	var wg sync.WaitGroup
	for i := range raceClients {
		wg.Go(func() { errs[i] = fn(i) })
	}
	wg.Wait()
	return errs
}

// requireOneSuccess requires that exactly one call succeeded and the others failed with
// one of the codes.
func (k *fixture) requireOneSuccess(errs []error, codes ...api.Code) {
	k.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.Contains(k, codes, api.AsError(err).Code, err.Error())
	}

	require.Equal(k, 1, won)
}

func raceAdjust(k *fixture) {
	k.stock(k.oats, k.wh, 1)
	k.requireOneSuccess(race(func(int) error {
		_, err := api.AdjustStock.Call(k.ctx, k.svc, adjust(k.oats, k.wh, api.OnHand, -1))
		return err
	}), api.InsufficientStock)
	require.Equal(k, api.Quantities{}, k.quantities(k.oats, k.wh))
}

func raceAllocate(k *fixture) {
	k.stock(k.oats, k.wh, 1)
	outs := make([]api.OutboundResult, raceClients)
	for _, err := range race(func(i int) (err error) {
		outs[i], err = api.CreateOutbound.Call(k.ctx, k.svc, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(1))})
		return err
	}) {
		require.NoError(k, err)
	}

	allocated := 0
	for _, o := range outs {
		if o.Outbound.Status == api.OutboundAllocated {
			allocated++
		} else {
			require.Equal(k, api.OutboundBackordered, o.Outbound.Status)
		}
	}

	require.Equal(k, 1, allocated)
	require.Equal(k, api.Quantities{OnHand: 1, Committed: 1}, k.quantities(k.oats, k.wh))
}

func raceReceive(k *fixture) {
	id := k.inbound(k.oats, 3).ID
	k.requireOneSuccess(race(func(int) error {
		_, err := api.ReceiveInbound.Call(k.ctx, k.svc, api.ReceiveInboundInput{InboundID: id, Quantity: 3})
		return err
	}), api.InboundNotOpen)
	require.Equal(k, api.Quantities{OnHand: 3, Available: 3}, k.quantities(k.oats, k.wh))
}

func raceTransfer(k *fixture) {
	k.stock(k.oats, k.wh, 4)
	id := k.transfer(4).ID
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: id})
	k.requireOneSuccess(race(func(i int) error {
		if i%2 == 0 {
			_, err := api.CancelTransfer.Call(k.ctx, k.svc, api.TransferInput{TransferID: id})
			return err
		}
		_, err := api.ReceiveTransfer.Call(k.ctx, k.svc, api.MoveTransferInput{TransferID: id})
		return err
	}), api.TransferNotOpen)

	require.EqualValues(k, 4, k.quantities(k.oats, k.wh).OnHand+k.quantities(k.oats, k.shop).OnHand)
}

func raceSKU(k *fixture) {
	k.requireOneSuccess(race(func(int) error {
		_, err := api.CreateProduct.Call(k.ctx, k.svc, api.CreateProductInput{SKU: "NEW", Name: "New", Barcodes: []string{"4006381333931"}})
		return err
	}), api.AlreadyExists)
	require.Len(k, do(k, api.ListProducts, api.ListProductsInput{TextFilter: api.TextFilter{Query: "NEW"}}).Items, 1)
}

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
