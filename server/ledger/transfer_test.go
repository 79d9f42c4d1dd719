package ledger_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

func signed(q int64) string { return fmt.Sprintf("%+d", q) }

func (f *fixture) transfer(product api.ID, q int64) api.ID {
	f.t.Helper()
	return doTwice(f, api.CreateTransfer, api.CreateTransferInput{ProductID: product, SourceLocationID: f.wh, DestinationLocationID: f.shop, Quantity: q}).Transfer.ID
}

// The contract has the movements and balances of a transfer.
func TestTransfer_Progress(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 10, "", nil)
	tr := doTwice(f, api.CreateTransfer, api.CreateTransferInput{ProductID: f.oats, SourceLocationID: f.wh, DestinationLocationID: f.shop,
		Quantity: 8, Reference: api.Reference{ReferenceType: "order", ReferenceID: "T-1"}}).Transfer
	shipped := doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: some(int64(5))})
	require.Equal(t, "T-1", shipped.Movements[0].ReferenceID)
	require.EqualValues(t, 5, shipped.SourceBalance.OnHand)
	require.EqualValues(t, 3, shipped.Transfer.PendingShipmentQuantity)
	require.EqualValues(t, 5, shipped.Transfer.PendingReceiveQuantity)

	doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	details := requireRefused(f, api.NothingPending, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	require.Equal(t, api.Details{"quantity": int64(8), "shipped": int64(5), "received": int64(5)}, details)

	doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: some(int64(2))})
	done := doTwice(f, api.CancelTransfer, api.TransferInput{TransferID: tr.ID}).Transfer
	require.EqualValues(t, 7, done.ShippedQuantity)
	require.Zero(t, done.PendingShipmentQuantity)
	require.Zero(t, done.PendingReceiveQuantity)

	list, err := api.ListTransfers.Call(t.Context(), f.Service, api.ListTransfersInput{ProductID: f.oats, Page: api.Page{Limit: some(int64(1))}})
	require.NoError(t, err)
	require.Equal(t, encoded(t, done), encoded(t, list.Items[0]))
	require.NotNil(t, list.Items[0].SourceLocation)
}

func TestTransfer_Rejects(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	unknown := uuid.New()
	in := api.CreateTransferInput{ProductID: f.oats, SourceLocationID: f.wh, DestinationLocationID: f.shop, Quantity: 5}
	for field, spoil := range map[string]func(*api.CreateTransferInput){
		"sourceLocationId":      func(in *api.CreateTransferInput) { in.SourceLocationID = unknown },
		"destinationLocationId": func(in *api.CreateTransferInput) { in.DestinationLocationID = unknown },
		"productId":             func(in *api.CreateTransferInput) { in.ProductID = unknown },
		"ownerId":               func(in *api.CreateTransferInput) { in.OwnerID = unknown },
		"channelId":             func(in *api.CreateTransferInput) { in.ChannelID = unknown },
	} {
		bad := in
		spoil(&bad)
		require.Equal(t, unknown, requireRefused(f, api.NotFound, api.CreateTransfer, bad)[field], field)
	}
	requireRefused(f, api.NotFound, api.ShipTransfer, api.MoveTransferInput{TransferID: unknown})
	_, err := api.GetTransfer.Call(t.Context(), f.Service, api.TransferInput{TransferID: unknown})
	require.True(t, api.HasCode(err, api.NotFound))

	move := api.MoveTransferInput{TransferID: f.transfer(f.oats, 5)}
	f.receive(f.oats, f.wh, 10, "", nil)
	doTwice(f, api.ShipTransfer, move)
	require.Equal(t, api.Details{"quantity": int64(5), "shipped": int64(5)}, requireRefused(f, api.NothingPending, api.ShipTransfer, move))
	requireRefused(f, api.VersionConflict, api.ReceiveTransfer, move, api.IfMatch(7))
	doTwice(f, api.ReceiveTransfer, move, api.IfMatch(1))
	require.Equal(t, api.TransferReceived, requireRefused(f, api.TransferNotOpen, api.ReceiveTransfer, move)["status"])
}

func TestCloseTransfer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, n := range []string{"A", "B", "C"} {
		f.receive(f.phone, f.wh, 1, "", nil, n)
	}
	id := f.transfer(f.phone, 3)
	doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: id})
	doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, SerialNumbers: []string{"B"}})
	out := doTwice(f, api.CloseTransfer, api.CloseTransferInput{TransferID: id, Reason: "fell off"})
	require.Equal(t, []string{"transfer_close incoming -2 #A #C"}, steps(out.Movements))
	require.Equal(t, "fell off", out.Movements[0].Reason)
	require.Equal(t, "fell off", out.Transfer.CloseReason)
	require.Equal(t, api.TransferClosed, out.Transfer.Status)
	require.NotNil(t, out.Transfer.ClosedAt)
	require.Zero(t, out.Transfer.PendingReceiveQuantity)
	require.Equal(t, f.shop, out.DestinationBalance.LocationID)
	require.Equal(t, api.WrittenOff, f.serial("A").Status)
	require.Equal(t, api.InStock, f.serial("B").Status)
	require.Equal(t, api.Quantities{OnHand: 1, Available: 1}, f.balance(f.phone, f.shop))
}

// The contract has the other filters.
func TestListTransfers_Filters(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	cancelled, second, third := f.transfer(f.oats, 5), f.transfer(f.oats, 5), f.transfer(f.oats, 5)
	milk := f.transfer(f.milk, 1)
	doTwice(f, api.CancelTransfer, api.TransferInput{TransferID: cancelled})
	for name, x := range map[string]struct {
		in   api.ListTransfersInput
		want []api.ID
	}{
		"in transit": {api.ListTransfersInput{Status: api.TransferInTransit}, []api.ID{milk, third, second}},
		"product":    {api.ListTransfersInput{ProductID: f.oats}, []api.ID{third, second, cancelled}},
	} {
		for _, limit := range []int64{1, 2, 100} {
			var got []api.ID
			for in, more := x.in, true; more; {
				in.Limit = &limit
				page := ledgertest.Do(f.World, api.ListTransfers, in)
				for _, tr := range page.Items {
					require.NotNil(t, tr.SourceLocation)
					got = append(got, tr.ID)
				}
				if more = page.NextCursor != nil; more {
					in.Cursor = *page.NextCursor
				}
			}
			require.Equal(t, x.want, got, "%s, %d a page", name, limit)
		}
	}
}
