package proof_test

import (
	"context"
	"errors"

	"bincard/server/api"
)

// ask sends the request to the ledger and reads the answer.
func (c *crowd) ask(ctx context.Context, in ask) seen {
	at := c.stock[in.balance]
	key := api.Key(in.key)
	switch in.kind {
	case look:
		return answer(ctx, c, api.GetBalance, api.GetBalanceInput{BalanceID: at.balance}, key,
			func(out api.Balance) seen { return seen{at: standing(out)} })
	case adjust:
		return answer(ctx, c, api.AdjustStock, api.AdjustStockInput{ProductID: at.product, LocationID: at.location,
			InventoryState: api.Available, QuantityDelta: in.quantity, Reason: "count"}, key,
			func(out api.StockResult) seen { return seen{at: standing(out.Balance)} })
	case order:
		return answer(ctx, c, api.CreateOutbound, api.CreateOutboundInput{ProductID: at.product, LocationID: at.location,
			RequestedQuantity: &in.quantity}, key, func(out api.OutboundResult) seen {
			return seen{at: standing(out.Balance), allocated: out.Outbound.Status == api.OutboundAllocated}
		})
	case reserve:
		return answer(ctx, c, api.CreateReservation, api.CreateReservationInput{ProductID: at.product, LocationID: at.location,
			Quantity: in.quantity, ExpiresAt: &c.until}, key, func(out api.ReservationResult) seen {
			return seen{at: standing(out.Balance), reservation: out.Reservation.ID}
		})
	}
	return answer(ctx, c, api.ReleaseReservation, api.ReservationInput{ReservationID: in.reservation}, key,
		func(out api.ReservationResult) seen { return seen{at: standing(out.Balance)} })
}

func answer[I, O any](ctx context.Context, c *crowd, op api.Operation[I, O], in I, key api.Option, read func(O) seen) seen {
	res, err := op.Do(ctx, c.svc, in, key)
	if errors.Is(err, context.Canceled) {
		return seen{givenUp: true}
	}
	if err != nil {
		return seen{refused: api.AsError(err).Code}
	}
	out := read(*res.Output.(*O))
	out.replayed = res.Replayed
	return out
}

func standing(b api.Balance) stand {
	return stand{b.OnHand, b.Available, b.Reserved, b.Committed, b.Version}
}
