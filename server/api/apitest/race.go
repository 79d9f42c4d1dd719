package apitest

import (
	"sync"

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
