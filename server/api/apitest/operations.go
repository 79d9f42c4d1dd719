package apitest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var operationTests = []test{
	{"every movement operation is reported", operationsReported},
	{"ship outbound", outboundShipped},
}

func operationsReported(k *fixture) {
	basket, milk := k.basket("")
	k.inboundsHappen()
	k.transfersHappen()
	k.outboundsHappen()
	k.reservationsHappen()
	k.stock(milk, k.wh, 9)
	do(k, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: basket, LocationID: k.wh}, Quantity: 2})
	do(k, api.DisassembleStock, k.kits(basket, 1))
	do(k, api.MoveStock, move(k.oats, k.wh, 1, api.Available, api.Damaged))
	one := ptr(int64(1))
	do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: one})
	do(k, api.ReturnStock, api.ReturnStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: one})
	do(k, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: one})
	do(k, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: one, InventoryState: "damaged", Reason: "wet"})
	do(k, api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.shop}, CountedQuantity: ptr(int64(77))})

	require.Len(k, api.MovementOperations, 30)
	for _, op := range api.MovementOperations {
		rows := do(k, api.ReportMovements, api.ReportMovementsInput{Operation: op}).Items
		require.NotEmpty(k, rows, "%s did not happen", op)
		for _, r := range rows {
			require.Equal(k, op, r.Operation)
			require.Equal(k, r.BalanceBefore+r.Quantity, r.BalanceAfter)
		}
		found := do(k, api.ReportSnapshot, api.ReportSnapshotInput{Operation: op}).Items
		require.NotEmpty(k, found, "no balance has a movement %s", op)
	}

	seen := map[api.MovementOperation]bool{}
	in := api.ReportMovementsInput{Limit: ptr(int64(500))}
	for _, r := range do(k, api.ReportMovements, in).Items {
		seen[r.Operation] = true
	}

	require.Len(k, seen, 31, "with reservation_create, which filters do not accept")
	for _, b := range do(k, api.ListBalances, api.ListBalancesInput{Page: api.Page{Limit: ptr(int64(100))}}).Items {
		require.Equal(k, b.Quantities, do(k, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: b.ID}).Totals)
	}
}

func (k *fixture) inboundsHappen() {
	k.stock(k.oats, k.wh, 40) // adjust
	in := k.inbound(k.oats, 9)
	do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 6})
	do(k, api.CloseInbound, api.CloseInboundInput{InboundID: in.ID})
	do(k, api.CancelInbound, api.InboundInput{InboundID: k.inbound(k.oats, 2).ID})
}

func (k *fixture) transfersHappen() {
	two := ptr(int64(2))
	back, short := k.transfer(2), k.transfer(4)
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: back.ID})
	do(k, api.CancelTransfer, api.TransferInput{TransferID: back.ID})
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: short.ID})
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: short.ID, Quantity: two})
	do(k, api.CloseTransfer, api.CloseTransferInput{TransferID: short.ID, Reason: "lost"})
}

func (k *fixture) outboundsHappen() {
	order := func() api.HandleOutboundInput {
		in := api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(3))}
		return api.HandleOutboundInput{OutboundID: do(k, api.CreateOutbound, in).Outbound.ID}
	}
	h := order()
	do(k, api.PickOutbound, h)
	do(k, api.UnpickOutbound, h)
	do(k, api.PickOutbound, h)
	do(k, api.PackOutbound, h)
	do(k, api.ShipOutbound, h)
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: h.OutboundID})
	do(k, api.CancelOutbound, api.OutboundInput{OutboundID: order().OutboundID})
}

func (k *fixture) reservationsHappen() {
	reserve := func() api.ReservationInput {
		return api.ReservationInput{ReservationID: k.reserve(k.oats, 1, time.Minute).Reservation.ID}
	}
	kept := reserve()
	do(k, api.CommitReservation, kept)
	do(k, api.ReleaseReservation, kept)
	do(k, api.CancelReservation, reserve())
	reserve()
	k.Advance(time.Minute)
}

func outboundShipped(k *fixture) {
	k.stock(k.oats, k.wh, 6)
	doc := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(6))}).Outbound
	h := api.HandleOutboundInput{OutboundID: doc.ID}
	mustFail(k, api.NothingPending, api.ShipOutbound, h)
	do(k, api.PickOutbound, h)
	h.Quantity = ptr(int64(5))
	do(k, api.PackOutbound, h)
	h.Quantity = ptr(int64(6))
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.ShipOutbound, h), "pending", 5, "requested", 6)
	h.Quantity = ptr(int64(2))
	out := do(k, api.ShipOutbound, h)
	require.Equal(k, []string{"outbound_ship committed +0"}, legs(out.Movements))
	require.JSONEq(k, `{"shipped":2,"lineId":"`+doc.Lines[0].ID.String()+`"}`, string(out.Movements[0].Metadata))
	require.Equal(k, api.OutboundPartiallyPacked, out.Outbound.Status, "shipping does not change the status")
	require.Equal(k, api.Quantities{OnHand: 6, Committed: 6}, out.Balance.Quantities)
	do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: doc.ID, Quantity: ptr(int64(4))})
	h.Quantity = nil
	out = do(k, api.ShipOutbound, h)
	require.JSONEq(k, `{"shipped":1,"lineId":"`+doc.Lines[0].ID.String()+`"}`, string(out.Movements[0].Metadata), "the rest of the packed quantity")
	mustFail(k, api.NothingPending, api.ShipOutbound, h)

	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 2, "", nil, "A", "B")
	h = api.HandleOutboundInput{OutboundID: do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: drill, LocationID: k.wh, RequestedQuantity: ptr(int64(2))}).Outbound.ID}
	h.SerialNumbers = []string{"A", "B"}
	do(k, api.PickOutbound, h)
	mustFail(k, api.NothingPending, api.ShipOutbound, h)
	do(k, api.PackOutbound, h)
	h.SerialNumbers = []string{"B"}
	require.Equal(k, "B", do(k, api.ShipOutbound, h).Movements[0].Serials[0].SerialNumber)
	mustFail(k, api.SerialNotAvailable, api.ShipOutbound, h)
	h.SerialNumbers = nil
	m := do(k, api.ShipOutbound, h).Movements[0]
	require.Len(k, m.Serials, 1)
	require.Equal(k, "A", m.Serials[0].SerialNumber)
}

var tableTests = []test{
	{"every operation requires its scope", scopesRequired},
	{"every operation is implemented", operationsImplemented},
}

func scopesRequired(k *fixture) {
	seen := map[string]bool{}
	for _, spec := range api.Operations() {
		require.NotEmpty(k, spec.ID)
		require.NotEmpty(k, spec.Summary, spec.ID)
		require.Contains(k, spec.Scope.Values(), string(spec.Scope), "%s needs a scope", spec.ID)
		for _, name := range []string{spec.ID, spec.Method + " " + spec.Path} {
			require.False(k, seen[name], "%s is in the table twice", name)
			seen[name] = true
		}

		others := slices.DeleteFunc(slices.Clone(append(api.Scopes, api.Admin)), func(s api.Scope) bool { return s == spec.Scope })
		_, err := k.As(0, api.Live, others...).Do(k.ctx, &api.Request{Spec: spec, Input: spec.NewInput(), IdempotencyKey: api.NewKey()})
		require.True(k, api.HasCode(err, api.InsufficientScope), "%s without %s: %v", spec.ID, spec.Scope, err)
		k.requireDetails(api.AsError(err), "requiredScope", spec.Scope)
		_, err = k.As(0, api.Live, spec.Scope).Do(k.ctx, &api.Request{Spec: spec, Input: spec.NewInput(), IdempotencyKey: api.NewKey()})
		require.False(k, api.HasCode(err, api.InsufficientScope), "%s with %s: %v", spec.ID, spec.Scope, err)
	}
}

func operationsImplemented(k *fixture) {
	for _, spec := range api.Operations() {
		_, err := k.svc.Do(k.ctx, &api.Request{Spec: spec, Input: spec.NewInput(), IdempotencyKey: api.NewKey()})
		if err != nil {
			require.NotContains(k, []api.Code{api.NotImplemented, api.InternalError}, api.AsError(err).Code, "%s: %v", spec.ID, err)
		}
	}
}
