package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var transferTests = []test{
	{"create transfer", transferCreated},
	{"ship and receive transfer in parts", transferMoved},
	{"cancel transfer after a partial receipt", transferCancelled},
	{"close transfer short", transferClosed},
	{"ended transfer rejects changes", transferEnded},
	{"list transfers: filters", transfersListed},
	{"transfer preserves lots", transferLots},
}

func (k *fixture) transfer(q int64) api.Transfer {
	k.Helper()
	return do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: q}).Transfer
}

func transferCreated(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	out := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop,
		Quantity: 8, Reference: api.Reference{ReferenceType: "order", ReferenceID: "T-1"}, Metadata: api.Metadata(`{"van":2}`)})
	require.Equal(k, []api.Movement{}, out.Movements)
	tr := out.Transfer
	require.Equal(k, api.TransferInTransit, tr.Status)
	require.Equal(k, []int64{8, 0, 0, 8, 0}, []int64{tr.Quantity, tr.ShippedQuantity, tr.ReceivedQuantity, tr.PendingShipmentQuantity, tr.PendingReceiveQuantity})
	require.Equal(k, []string{"WH-1", "SHOP-1", "OAT-1L"}, []string{tr.SourceLocation.Code, tr.DestinationLocation.Code, tr.Product.SKU})
	require.Equal(k, k.text(tr), k.text(do(k, api.GetTransfer, api.TransferInput{TransferID: tr.ID})))
	require.Equal(k, api.Quantities{OnHand: 5, Available: 5}, k.quantities(k.oats, k.wh))
	shipped := do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(1))})
	require.Equal(k, "T-1", shipped.Movements[0].ReferenceID)
	e := mustFail(k, api.ValidationError, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.wh, Quantity: 1})
	require.Equal(k, []string{"destinationLocationId"}, k.invalidFields(e))
}

func transferMoved(k *fixture) {
	k.stock(k.oats, k.wh, 10)
	tr := k.transfer(8)
	shipped := do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(5))})
	require.Equal(k, []string{"transfer_out onHand -5", "transfer_out available -5", "transfer_out incoming +5"}, legs(shipped.Movements))
	require.Equal(k, k.wh, shipped.SourceBalance.LocationID)
	require.Equal(k, k.shop, shipped.Movements[2].LocationID)
	require.Equal(k, k.Now(), *shipped.Transfer.ShippedAt)
	require.EqualValues(k, 3, shipped.Transfer.PendingShipmentQuantity)
	require.EqualValues(k, 5, shipped.Transfer.PendingReceiveQuantity)
	got := do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(2))})
	require.Equal(k, []string{"transfer_in incoming -2", "transfer_in onHand +2", "transfer_in available +2"}, legs(got.Movements))
	require.Equal(k, k.shop, got.DestinationBalance.LocationID)
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(4))}), "pending", 3, "requested", 4)
	k.requireDetails(mustFail(k, api.QuantityExceedsPending, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(4))}), "pending", 3, "requested", 4)
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	e := mustFail(k, api.NothingPending, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	k.requireDetails(e, "quantity", 8, "shipped", 5, "received", 5)
	require.EqualValues(k, 3, -do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID}).Movements[0].Quantity, "all that is pending")
	e = mustFail(k, api.NothingPending, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	k.requireDetails(e, "quantity", 8, "shipped", 8)
	done := do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID}).Transfer
	require.Equal(k, api.TransferReceived, done.Status)
	require.Equal(k, k.Now(), *done.ReceivedAt)
	require.Equal(k, api.Quantities{OnHand: 2, Available: 2}, k.quantities(k.oats, k.wh))
	require.Equal(k, api.Quantities{OnHand: 8, Available: 8}, k.quantities(k.oats, k.shop))
	e = mustFail(k, api.InsufficientStock, api.ShipTransfer, api.MoveTransferInput{TransferID: k.transfer(3).ID})
	k.requireDetails(e, "current", 2, "requested", 3, "locationCode", "WH-1")
}

func transferCancelled(k *fixture) {
	k.stock(k.oats, k.wh, 10)
	tr := k.transfer(8)
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(6))})
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(2))})
	out := do(k, api.CancelTransfer, api.TransferInput{TransferID: tr.ID})
	require.Equal(k, []string{"transfer_cancel onHand +4", "transfer_cancel available +4", "transfer_cancel incoming -4"}, legs(out.Movements))
	require.Equal(k, api.TransferCancelled, out.Transfer.Status)
	require.Equal(k, k.Now(), *out.Transfer.CancelledAt)
	require.EqualValues(k, 6, out.Transfer.ShippedQuantity)
	require.Zero(k, out.Transfer.PendingShipmentQuantity+out.Transfer.PendingReceiveQuantity)
	listed := do(k, api.ListTransfers, api.ListTransfersInput{Page: api.Page{Limit: ptr(int64(1))}}).Items[0]
	require.Equal(k, k.text(out.Transfer), k.text(listed))
	require.Equal(k, k.wh, out.SourceBalance.LocationID)
	require.Equal(k, api.Quantities{OnHand: 8, Available: 8}, k.quantities(k.oats, k.wh))
	require.Equal(k, api.Quantities{OnHand: 2, Available: 2}, k.quantities(k.oats, k.shop))
	require.Empty(k, do(k, api.CancelTransfer, api.TransferInput{TransferID: k.transfer(1).ID}).Movements, "nothing was in transit")
}

func transferClosed(k *fixture) {
	k.stock(k.oats, k.wh, 10)
	tr := k.transfer(8)
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(5))})
	require.Equal(k, []string{"reason"}, k.invalidFields(mustFail(k, api.ValidationError, api.CloseTransfer, api.CloseTransferInput{TransferID: tr.ID})))
	out := do(k, api.CloseTransfer, api.CloseTransferInput{TransferID: tr.ID, Reason: "lost"})
	require.Equal(k, []string{"transfer_close incoming -3"}, legs(out.Movements))
	require.Equal(k, api.TransferClosed, out.Transfer.Status)
	require.Equal(k, []string{"lost", "lost"}, []string{out.Transfer.CloseReason, out.Movements[0].Reason})
	require.Equal(k, k.Now(), *out.Transfer.ClosedAt)
	require.Zero(k, out.Transfer.PendingReceiveQuantity)
	require.Equal(k, api.Quantities{OnHand: 5, Available: 5}, out.DestinationBalance.Quantities)
}

func transferEnded(k *fixture) {
	k.stock(k.oats, k.wh, 10)
	cancelled, closed, received := k.transfer(1), k.transfer(1), k.transfer(1)
	do(k, api.CancelTransfer, api.TransferInput{TransferID: cancelled.ID})
	do(k, api.CloseTransfer, api.CloseTransferInput{TransferID: closed.ID, Reason: "no"})
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: received.ID})
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: received.ID})
	for id, status := range map[api.ID]api.TransferStatus{cancelled.ID: api.TransferCancelled, closed.ID: api.TransferClosed, received.ID: api.TransferReceived} {
		k.requireDetails(mustFail(k, api.TransferNotOpen, api.ShipTransfer, api.MoveTransferInput{TransferID: id}), "status", status)
		mustFail(k, api.TransferNotOpen, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id})
		mustFail(k, api.TransferNotOpen, api.CancelTransfer, api.TransferInput{TransferID: id})
		mustFail(k, api.TransferNotOpen, api.CloseTransfer, api.CloseTransferInput{TransferID: id, Reason: "x"})
	}
}

func transfersListed(k *fixture) {
	a := k.transfer(1).ID
	k.Advance(time.Minute)
	noon := k.Now()
	b := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.product("MILK"), SourceLocationID: k.shop, DestinationLocationID: k.wh,
		Quantity: 1, Reference: api.Reference{ReferenceType: "order", ReferenceID: "T-1"}}).Transfer.ID
	do(k, api.CancelTransfer, api.TransferInput{TransferID: b})
	for name, x := range map[string]struct {
		in   api.ListTransfersInput
		want []api.ID
	}{
		"all":                     {api.ListTransfersInput{}, []api.ID{b, a}},
		"cancelled":               {api.ListTransfersInput{Status: api.TransferCancelled}, []api.ID{b}},
		"in transit":              {api.ListTransfersInput{Status: api.TransferInTransit}, []api.ID{a}},
		"product":                 {api.ListTransfersInput{ProductID: k.oats}, []api.ID{a}},
		"cancelled, of a product": {api.ListTransfersInput{Status: api.TransferCancelled, ProductID: k.oats}, nil},
		"source":                  {api.ListTransfersInput{SourceLocationID: k.shop}, []api.ID{b}},
		"destination":             {api.ListTransfersInput{DestinationLocationID: k.shop}, []api.ID{a}},
		"reference":               {api.ListTransfersInput{ReferenceID: "T-1", ReferenceType: "order"}, []api.ID{b}},
		"from":                    {api.ListTransfersInput{CreatedFrom: &noon}, []api.ID{b}},
		"to":                      {api.ListTransfersInput{CreatedTo: &noon}, []api.ID{a}},
		"owner":                   {api.ListTransfersInput{OwnerID: k.Orgs[0].DefaultOwnerID, ChannelID: k.Orgs[0].DefaultChannelID}, []api.ID{b, a}},
		"none":                    {api.ListTransfersInput{OwnerID: newID()}, nil},
	} {
		for _, limit := range []int64{1, 100} {
			var got []api.ID
			for in, more := x.in, true; more; {
				in.Limit = &limit
				page := do(k, api.ListTransfers, in)
				for _, tr := range page.Items {
					got = append(got, tr.ID)
				}
				if more = page.NextCursor != nil; more {
					in.Cursor = *page.NextCursor
				}
			}

			require.Equal(k, x.want, got, "%s, %d a page", name, limit)
		}
	}
}

func transferLots(k *fixture) {
	k.receiveLot(k.oats, 3, "A", ptr(k.Now().Add(time.Hour)))
	k.receiveLot(k.oats, 3, "B", ptr(k.Now().Add(100*time.Hour)))
	tr := k.transfer(5)
	require.Equal(k, []string{"A 3", "B 1"}, lotsTaken(do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(4))}).Movements))
	k.Advance(2 * time.Hour)
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(3))})
	do(k, api.CancelTransfer, api.TransferInput{TransferID: tr.ID})
	in := move(k.oats, k.shop, 3, api.Available, api.Damaged)
	in.LotStrategy = api.FEFO
	require.Equal(k, []string{"A 3"}, lotsTaken(do(k, api.MoveStock, in).Movements))
	k.requireDetails(mustFail(k, api.InsufficientStock, api.ShipTransfer, api.MoveTransferInput{TransferID: k.transfer(4).ID}), "current", 3, "requested", 4)
}
