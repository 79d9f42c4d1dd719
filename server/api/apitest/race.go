package apitest

import (
	"sync"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var raceTests = []test{
	{"one unit goes to exactly one of many who adjust it away", raceAdjust},
	{"one unit is allocated to exactly one of many outbounds", raceAllocate},
	{"what is pending is received once", raceReceive},
	{"a transfer is cancelled or received, not both", raceTransfer},
	{"a SKU is taken once", raceSKU},
}

const raceClients = 12

// race runs fn many times at once and answers the errors.
func race(fn func(i int) error) []error {
	errs := make([]error, raceClients)
	var wg sync.WaitGroup
	for i := range raceClients {
		wg.Go(func() { errs[i] = fn(i) })
	}
	wg.Wait()
	return errs
}

// requireOneSuccess holds that exactly one came through and the rest failed with one of the codes.
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
	require.Equal(k, api.Quantities{}, k.held(k.oats, k.wh))
}

func raceAllocate(k *fixture) {
	k.stock(k.oats, k.wh, 1)
	outs := make([]api.OutboundResult, raceClients)
	for _, err := range race(func(i int) (err error) {
		outs[i], err = api.CreateOutbound.Call(k.ctx, k.svc, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: some(int64(1))})
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
	require.Equal(k, api.Quantities{OnHand: 1, Committed: 1}, k.held(k.oats, k.wh))
}

func raceReceive(k *fixture) {
	id := k.inbound(k.oats, 3).ID
	k.requireOneSuccess(race(func(int) error {
		_, err := api.ReceiveInbound.Call(k.ctx, k.svc, api.ReceiveInboundInput{InboundID: id, Quantity: 3})
		return err
	}), api.InboundNotOpen)
	require.Equal(k, api.Quantities{OnHand: 3, Available: 3}, k.held(k.oats, k.wh))
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
	require.EqualValues(k, 4, k.held(k.oats, k.wh).OnHand+k.held(k.oats, k.shop).OnHand)
}

func raceSKU(k *fixture) {
	k.requireOneSuccess(race(func(int) error {
		_, err := api.CreateProduct.Call(k.ctx, k.svc, api.CreateProductInput{SKU: "NEW", Name: "New", Barcodes: []string{"4006381333931"}})
		return err
	}), api.AlreadyExists)
	require.Len(k, do(k, api.ListProducts, api.ListProductsInput{Query: "NEW"}).Items, 1)
}
