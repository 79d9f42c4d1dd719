package apitest

import (
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var idempotencyTests = []test{
	{"idempotency: retry returns the first response", keyReplayed},
	{"idempotency: key of another request is rejected", keyReused},
	{"idempotency: key of a failed write is free", keyFreed},
	{"idempotency: concurrent retries apply once", keyRaced},
	{"idempotency: keys belong to the organization and environment", keyScoped},
}

// doTwice performs a write twice with the same key, calling between in between, and
// requires that the second response is a replay.
func doTwice[I, O any](k *fixture, op api.Operation[I, O], in I, between func()) O {
	k.Helper()
	key := api.NewKey()
	first, err := op.Do(k.ctx, k.svc, in, api.Key(key))
	require.NoError(k, err)
	require.False(k, first.Replayed)
	k.Advance(time.Hour)
	between()
	second, err := op.Do(k.ctx, k.svc, in, api.Key(key))
	require.NoError(k, err)
	require.True(k, second.Replayed, op.Spec.ID)
	require.Equal(k, k.text(first.Output), k.text(second.Output), op.Spec.ID)
	return *first.Output.(*O)
}

func keyReplayed(k *fixture) {
	more := func() { k.stock(k.oats, k.wh, 10) }
	doTwice(k, api.CreateProduct, api.CreateProductInput{SKU: "A", Name: "A"}, more)
	doTwice(k, api.CreateLocation, api.CreateLocationInput{Code: "A", Name: "A", Type: api.Shop}, more)
	in := doTwice(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 9}, more).Inbound
	doTwice(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 4, NewLot: api.NewLot{LotCode: "L"}}, more)
	doTwice(k, api.CloseInbound, api.CloseInboundInput{InboundID: in.ID}, more)
	doTwice(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -3), more)
	doTwice(k, api.MoveStock, move(k.oats, k.wh, 2, api.Available, api.Damaged), more)
	tr := doTwice(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 4}, more).Transfer
	doTwice(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID}, more)
	doTwice(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID}, more)
	o := doTwice(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(5))}, more).Outbound
	doTwice(k, api.PickOutbound, api.HandleOutboundInput{OutboundID: o.ID}, more)
	doTwice(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: o.ID, Quantity: ptr(int64(2))}, more)
	doTwice(k, api.CancelOutbound, api.OutboundInput{OutboundID: o.ID}, more)
	doTwice(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: "4006381333931"}, more)
	doTwice(k, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: k.oats, Barcode: "4006381333931", Reason: "wrong product"}, more)
	doTwice(k, api.ArchiveProduct, api.ProductInput{ProductID: k.oats}, func() {})
	require.EqualValues(k, 16*10+4-3-4-2, k.quantities(k.oats, k.wh).OnHand, "each was applied once")
}

func keyReused(k *fixture) {
	key := api.Key("delivery-7")
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 3), key)
	mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 4), key)
	mustFail(k, api.IdempotencyKeyReused, api.MoveStock, move(k.oats, k.wh, 1, api.Available, api.Damaged), key)
	long := adjust(k.oats, k.wh, api.OnHand, 3)
	long.Metadata = api.Metadata(`{"order":1234567890123456789}`)
	do(k, api.AdjustStock, long, api.Key("long"))
	long.Metadata = api.Metadata(`{"order":1234567890123456788}`)
	mustFail(k, api.IdempotencyKeyReused, api.AdjustStock, long, api.Key("long"))
	in := k.inbound(k.oats, 5)
	do(k, api.CloseInbound, api.CloseInboundInput{InboundID: in.ID}, api.Key("close"))
	mustFail(k, api.IdempotencyKeyReused, api.CloseInbound, api.CloseInboundInput{InboundID: k.inbound(k.oats, 5).ID}, api.Key("close"))
	require.EqualValues(k, 6, k.quantities(k.oats, k.wh).Available)
}

func keyFreed(k *fixture) {
	key := api.Key("once")
	mustFail(k, api.InsufficientStock, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -2), key)
	k.stock(k.oats, k.wh, 5)
	res, err := api.AdjustStock.Do(k.ctx, k.svc, adjust(k.oats, k.wh, api.OnHand, -2), key)
	require.NoError(k, err)
	require.False(k, res.Replayed)
	mustFail(k, api.ValidationError, api.AdjustStock, adjust(k.oats, k.wh, "lost", 1), api.Key("again"))
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1), api.Key("again"))
	require.EqualValues(k, 4, k.quantities(k.oats, k.wh).OnHand)
}

func keyRaced(k *fixture) {
	const tries = 16
	answers := make([]*api.Response, tries)
	errs := make([]error, tries)
	var wg sync.WaitGroup
	for i := range tries {
		wg.Go(func() {
			answers[i], errs[i] = api.AdjustStock.Do(k.ctx, k.svc, adjust(k.oats, k.wh, api.OnHand, 3), api.Key("one"))
		})
	}
	wg.Wait()
	applied := 0
	for i := range tries {
		require.NoError(k, errs[i])
		require.Equal(k, k.text(answers[0].Output), k.text(answers[i].Output))
		if !answers[i].Replayed {
			applied++
		}
	}
	require.Equal(k, 1, applied)
	require.EqualValues(k, 3, k.quantities(k.oats, k.wh).OnHand)
}

func keyScoped(k *fixture) {
	in := api.CreateLocationInput{Code: "L", Name: "L", Type: api.Shop}
	first := do(k, api.CreateLocation, in, api.Key("same"))
	again, err := api.CreateLocation.Do(k.ctx, k.As(0, api.Live, api.InventoryWrite), in, api.Key("same"))
	require.NoError(k, err)
	require.True(k, again.Replayed, "another API key of the same environment")
	require.Equal(k, k.text(first), k.text(again.Output))
	for _, svc := range []api.Service{k.As(0, api.Test), k.As(1, api.Live)} {
		other, err := api.CreateLocation.Do(k.ctx, svc, in, api.Key("same"))
		require.NoError(k, err)
		require.False(k, other.Replayed)
		require.NotEqual(k, first.ID, other.Output.(*api.Place).ID)
	}
}
