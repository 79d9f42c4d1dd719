package ledger_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

func signed(q int64) string { return fmt.Sprintf("%+d", q) }

func (f *fixture) transfer(product api.ID, q int64) api.ID {
	f.t.Helper()
	return doTwice(f, api.CreateTransfer, api.CreateTransferInput{ProductID: product, SourceLocationID: f.wh, DestinationLocationID: f.shop, Quantity: q}).Transfer.ID
}

func TestTransfer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 10, "", nil)
	created := doTwice(f, api.CreateTransfer, api.CreateTransferInput{ProductID: f.oats, SourceLocationID: f.wh, DestinationLocationID: f.shop,
		Quantity: 8, Reference: api.Reference{ReferenceType: "order", ReferenceID: "T-1"}, Metadata: api.Metadata(`{"a":1}`)})
	tr := created.Transfer
	require.Equal(t, api.TransferInTransit, tr.Status)
	require.Equal(t, "[]", encoded(t, created.Movements))
	require.EqualValues(t, 8, tr.PendingShipmentQuantity)
	require.Equal(t, "WH", tr.SourceLocation.Code)
	require.Equal(t, "SHOP", tr.DestinationLocation.Code)
	require.EqualValues(t, 10, f.balance(f.oats, f.wh).Available)

	shipped := doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: some(int64(5))})
	require.Equal(t, []string{"transfer_out onHand -5", "transfer_out available -5", "transfer_out incoming +5"}, steps(shipped.Movements))
	require.Equal(t, "T-1", shipped.Movements[0].ReferenceID)
	require.Equal(t, f.wh, shipped.SourceBalance.LocationID)
	require.EqualValues(t, 5, shipped.SourceBalance.OnHand)
	require.EqualValues(t, 3, shipped.Transfer.PendingShipmentQuantity)
	require.EqualValues(t, 5, shipped.Transfer.PendingReceiveQuantity)
	require.NotNil(t, shipped.Transfer.ShippedAt)

	got := doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: some(int64(2))})
	require.Equal(t, []string{"transfer_in incoming -2", "transfer_in onHand +2", "transfer_in available +2"}, steps(got.Movements))
	require.Equal(t, f.shop, got.DestinationBalance.LocationID)
	require.Equal(t, api.TransferInTransit, got.Transfer.Status)
	doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	details := requireRefused(f, api.NothingPending, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	require.Equal(t, api.Details{"quantity": int64(8), "shipped": int64(5), "received": int64(5)}, details)
	doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	done := doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	require.Equal(t, api.TransferReceived, done.Transfer.Status)
	require.NotNil(t, done.Transfer.ReceivedAt)
	require.Equal(t, api.Quantities{OnHand: 2, Available: 2}, f.balance(f.oats, f.wh))
	require.Equal(t, api.Quantities{OnHand: 8, Available: 8}, f.balance(f.oats, f.shop))

	read, err := api.GetTransfer.Call(t.Context(), f.svc, api.TransferInput{TransferID: tr.ID})
	require.NoError(t, err)
	require.Equal(t, encoded(t, done.Transfer), encoded(t, read))
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
	bad := in
	bad.DestinationLocationID = f.wh
	requireRefused(f, api.ValidationError, api.CreateTransfer, bad)
	archived := f.product("GONE", api.TrackNone)
	doTwice(f, api.ArchiveProduct, api.ProductInput{ProductID: archived})
	bad = in
	bad.ProductID = archived
	requireRefused(f, api.ProductArchived, api.CreateTransfer, bad)
	requireRefused(f, api.NotFound, api.ShipTransfer, api.MoveTransferInput{TransferID: unknown})
	_, err := api.GetTransfer.Call(t.Context(), f.svc, api.TransferInput{TransferID: unknown})
	require.True(t, api.HasCode(err, api.NotFound))

	id := f.transfer(f.oats, 5)
	move := api.MoveTransferInput{TransferID: id}
	details := requireRefused(f, api.InsufficientStock, api.ShipTransfer, move)
	require.EqualValues(t, 0, details["current"])
	require.EqualValues(t, 5, details["requested"])
	f.receive(f.oats, f.wh, 10, "", nil)
	move.Quantity = some(int64(6))
	require.Equal(t, api.Details{"pending": int64(5), "requested": int64(6)}, requireRefused(f, api.QuantityExceedsPending, api.ShipTransfer, move))
	move.Quantity = nil
	doTwice(f, api.ShipTransfer, move)
	require.Equal(t, api.Details{"quantity": int64(5), "shipped": int64(5)}, requireRefused(f, api.NothingPending, api.ShipTransfer, move))
	move.Quantity = some(int64(6))
	require.Equal(t, api.Details{"pending": int64(5), "requested": int64(6)}, requireRefused(f, api.QuantityExceedsPending, api.ReceiveTransfer, move))
	move.Quantity = nil
	requireRefused(f, api.VersionConflict, api.ReceiveTransfer, move, api.IfMatch(7))
	doTwice(f, api.ReceiveTransfer, move, api.IfMatch(1))
	for range 2 {
		details = requireRefused(f, api.TransferNotOpen, api.ReceiveTransfer, move)
		require.Equal(t, api.TransferReceived, details["status"])
	}
	requireRefused(f, api.TransferNotOpen, api.ShipTransfer, move)
	requireRefused(f, api.TransferNotOpen, api.CancelTransfer, api.TransferInput{TransferID: id})
	requireRefused(f, api.TransferNotOpen, api.CloseTransfer, api.CloseTransferInput{TransferID: id, Reason: "x"})
	requireRefused(f, api.ValidationError, api.CloseTransfer, api.CloseTransferInput{TransferID: id})
}

func TestCancelTransfer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.transfer(f.oats, 5)
	out := doTwice(f, api.CancelTransfer, api.TransferInput{TransferID: id})
	require.Equal(t, api.TransferCancelled, out.Transfer.Status)
	require.Equal(t, f.wh, out.SourceBalance.LocationID)
	require.Equal(t, "[]", encoded(t, out.Movements))
	require.Zero(t, out.Transfer.PendingShipmentQuantity)

	f.receive(f.oats, f.wh, 10, "", nil)
	id = f.transfer(f.oats, 8)
	doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(6))})
	doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(2))})
	out = doTwice(f, api.CancelTransfer, api.TransferInput{TransferID: id})
	require.Equal(t, []string{"transfer_cancel onHand +4", "transfer_cancel available +4", "transfer_cancel incoming -4"}, steps(out.Movements))
	require.EqualValues(t, 8, out.SourceBalance.OnHand)
	require.Zero(t, out.Transfer.PendingReceiveQuantity)
	require.Zero(t, out.Transfer.PendingShipmentQuantity)
	require.EqualValues(t, 6, out.Transfer.ShippedQuantity)
	require.NotNil(t, out.Transfer.CancelledAt)
	require.Equal(t, api.Quantities{OnHand: 2, Available: 2}, f.balance(f.oats, f.shop))
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

func TestListTransfers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var ids []api.ID
	for range 3 {
		ids = append(ids, f.transfer(f.oats, 5))
	}
	milk := doTwice(f, api.CreateTransfer, api.CreateTransferInput{ProductID: f.milk, SourceLocationID: f.shop, DestinationLocationID: f.wh,
		Quantity: 1, Reference: api.Reference{ReferenceType: "order", ReferenceID: "T-9"}}).Transfer
	doTwice(f, api.CancelTransfer, api.TransferInput{TransferID: ids[0]})
	list := func(in api.ListTransfersInput) (out []api.ID) {
		for {
			page, err := api.ListTransfers.Call(t.Context(), f.svc, in)
			require.NoError(t, err)
			for _, x := range page.Items {
				require.NotNil(t, x.SourceLocation)
				out = append(out, x.ID)
			}
			if page.NextCursor == nil {
				return out
			}
			in.Cursor = *page.NextCursor
		}
	}
	all := []api.ID{milk.ID, ids[2], ids[1], ids[0]}
	require.Equal(t, all, list(api.ListTransfersInput{}))
	require.Equal(t, all, list(api.ListTransfersInput{Page: api.Page{Limit: some(int64(1))}}))
	require.Equal(t, all[1:], list(api.ListTransfersInput{ProductID: f.oats, Page: api.Page{Limit: some(int64(2))}}))
	require.Equal(t, all[:1], list(api.ListTransfersInput{SourceLocationID: f.shop}))
	require.Equal(t, all[:1], list(api.ListTransfersInput{DestinationLocationID: f.wh}))
	require.Equal(t, all[1:], list(api.ListTransfersInput{DestinationLocationID: f.shop}))
	require.Equal(t, all[:3], list(api.ListTransfersInput{Status: api.TransferInTransit}))
	require.Equal(t, all[3:], list(api.ListTransfersInput{Status: api.TransferCancelled}))
	require.Equal(t, all[:1], list(api.ListTransfersInput{ReferenceType: "order", ReferenceID: "T-9"}))
	require.Equal(t, all, list(api.ListTransfersInput{OwnerID: f.org.DefaultOwnerID, ChannelID: f.org.DefaultChannelID}))
	require.Empty(t, list(api.ListTransfersInput{OwnerID: uuid.New()}))
	require.Equal(t, all[:1], list(api.ListTransfersInput{CreatedFrom: &milk.CreatedAt}))
	require.Equal(t, all[1:], list(api.ListTransfersInput{CreatedTo: &milk.CreatedAt}))
}
