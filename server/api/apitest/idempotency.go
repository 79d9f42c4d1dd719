package apitest

import (
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var idempotencyTests = []test{
	{"idempotency: key of another request is rejected", keyReused},
	{"idempotency: key of a failed write is free", keyFreed},
	{"idempotency: concurrent retries apply once", keyRaced},
	{"idempotency: keys belong to the organization and environment", keyScoped},
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
	answers := make([]*api.Response, raceClients)
	errs := race(func(i int) (err error) {
		answers[i], err = api.AdjustStock.Do(k.ctx, k.svc, adjust(k.oats, k.wh, api.OnHand, 3), api.Key("one"))
		return err
	})
	applied := 0
	for i := range answers {
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
