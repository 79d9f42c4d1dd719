package proof_test

import (
	"context"
	"errors"

	"bincard/server/api"
)

// send sends a request to the ledger and returns the response.
func (c *clients) send(ctx context.Context, in request) response {
	at := c.balances[in.balance]
	key := api.Key(in.key)
	switch in.operation {
	case read:
		return call(ctx, c, api.GetBalance, api.GetBalanceInput{BalanceID: at.balance}, key,
			func(out api.Balance) response { return response{balance: balanceStateOf(out)} })
	case adjust:
		return call(ctx, c, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: at.product, LocationID: at.location},
			InventoryState: api.Available, QuantityDelta: in.quantity, Reason: "count"}, key,
			func(out api.StockResult) response { return response{balance: balanceStateOf(out.Balance)} })
	case order:
		return call(ctx, c, api.CreateOutbound, api.CreateOutboundInput{ProductID: at.product, LocationID: at.location,
			RequestedQuantity: &in.quantity}, key, func(out api.OutboundResult) response {
			return response{balance: balanceStateOf(out.Balance), allocated: out.Outbound.Status == api.OutboundAllocated}
		})
	case reserve:
		return call(ctx, c, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: at.product, LocationID: at.location},
			Quantity: in.quantity, ExpiresAt: &c.until}, key, func(out api.ReservationResult) response {
			return response{balance: balanceStateOf(out.Balance), reservation: out.Reservation.ID}
		})
	}
	return call(ctx, c, api.ReleaseReservation, api.ReservationInput{ReservationID: in.reservation}, key,
		func(out api.ReservationResult) response { return response{balance: balanceStateOf(out.Balance)} })
}

func call[I, O any](ctx context.Context, c *clients, op api.Operation[I, O], in I, key api.Option, convert func(O) response) response {
	res, err := op.Do(ctx, c.svc, in, key)
	if errors.Is(err, context.Canceled) {
		return response{canceled: true}
	}
	if err != nil {
		return response{rejected: api.AsError(err).Code}
	}
	out := convert(*res.Output.(*O))
	out.replayed = res.Replayed
	return out
}

func balanceStateOf(b api.Balance) balanceState {
	return balanceState{b.OnHand, b.Available, b.Reserved, b.Committed, b.Version}
}
