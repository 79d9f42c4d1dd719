package ledger_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

func signed(q int64) string { return fmt.Sprintf("%+d", q) }

func (d *fixture) transfer(product api.ID, q int64) api.ID {
	d.t.Helper()
	return doTwice(d, api.CreateTransfer, api.CreateTransferInput{ProductID: product, SourceLocationID: d.wh, DestinationLocationID: d.shop, Quantity: q}).Transfer.ID
}

func TestTransfer(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.receive(d.oats, d.wh, 10, "", nil)
	created := doTwice(d, api.CreateTransfer, api.CreateTransferInput{ProductID: d.oats, SourceLocationID: d.wh, DestinationLocationID: d.shop,
		Quantity: 8, ReferenceType: "order", ReferenceID: "T-1", Metadata: api.Metadata(`{"a":1}`)})
	tr := created.Transfer
	require.Equal(t, api.TransferInTransit, tr.Status)
	require.Equal(t, "[]", encoded(t, created.Movements))
	require.EqualValues(t, 8, tr.PendingShipmentQuantity)
	require.Equal(t, "WH", tr.SourceLocation.Code)
	require.Equal(t, "SHOP", tr.DestinationLocation.Code)
	require.EqualValues(t, 10, d.balance(d.oats, d.wh).Available)

	shipped := doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: some(int64(5))})
	require.Equal(t, []string{"transfer_out onHand -5", "transfer_out available -5", "transfer_out incoming +5"}, steps(shipped.Movements))
	require.Equal(t, "T-1", shipped.Movements[0].ReferenceID)
	require.Equal(t, d.wh, shipped.SourceBalance.LocationID)
	require.EqualValues(t, 5, shipped.SourceBalance.OnHand)
	require.EqualValues(t, 3, shipped.Transfer.PendingShipmentQuantity)
	require.EqualValues(t, 5, shipped.Transfer.PendingReceiveQuantity)
	require.NotNil(t, shipped.Transfer.ShippedAt)

	got := doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: some(int64(2))})
	require.Equal(t, []string{"transfer_in incoming -2", "transfer_in onHand +2", "transfer_in available +2"}, steps(got.Movements))
	require.Equal(t, d.shop, got.DestinationBalance.LocationID)
	require.Equal(t, api.TransferInTransit, got.Transfer.Status)
	doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	details := requireRefused(d, api.NothingPending, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	require.Equal(t, api.Details{"quantity": int64(8), "shipped": int64(5), "received": int64(5)}, details)
	doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	done := doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	require.Equal(t, api.TransferReceived, done.Transfer.Status)
	require.NotNil(t, done.Transfer.ReceivedAt)
	require.Equal(t, api.Quantities{OnHand: 2, Available: 2}, d.balance(d.oats, d.wh))
	require.Equal(t, api.Quantities{OnHand: 8, Available: 8}, d.balance(d.oats, d.shop))

	read, err := api.GetTransfer.Call(t.Context(), d.svc, api.TransferInput{TransferID: tr.ID})
	require.NoError(t, err)
	require.Equal(t, encoded(t, done.Transfer), encoded(t, read))
}

func TestTransfer_Rejects(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	unknown := uuid.New()
	in := api.CreateTransferInput{ProductID: d.oats, SourceLocationID: d.wh, DestinationLocationID: d.shop, Quantity: 5}
	for field, spoil := range map[string]func(*api.CreateTransferInput){
		"sourceLocationId":      func(in *api.CreateTransferInput) { in.SourceLocationID = unknown },
		"destinationLocationId": func(in *api.CreateTransferInput) { in.DestinationLocationID = unknown },
		"productId":             func(in *api.CreateTransferInput) { in.ProductID = unknown },
		"ownerId":               func(in *api.CreateTransferInput) { in.OwnerID = unknown },
		"channelId":             func(in *api.CreateTransferInput) { in.ChannelID = unknown },
	} {
		bad := in
		spoil(&bad)
		require.Equal(t, unknown, requireRefused(d, api.NotFound, api.CreateTransfer, bad)[field], field)
	}
	bad := in
	bad.DestinationLocationID = d.wh
	requireRefused(d, api.ValidationError, api.CreateTransfer, bad)
	archived := d.product("GONE", api.TrackNone)
	doTwice(d, api.ArchiveProduct, api.ProductInput{ProductID: archived})
	bad = in
	bad.ProductID = archived
	requireRefused(d, api.ProductArchived, api.CreateTransfer, bad)
	requireRefused(d, api.NotFound, api.ShipTransfer, api.MoveTransferInput{TransferID: unknown})
	_, err := api.GetTransfer.Call(t.Context(), d.svc, api.TransferInput{TransferID: unknown})
	require.True(t, api.HasCode(err, api.NotFound))

	id := d.transfer(d.oats, 5)
	move := api.MoveTransferInput{TransferID: id}
	details := requireRefused(d, api.InsufficientStock, api.ShipTransfer, move)
	require.EqualValues(t, 0, details["current"])
	require.EqualValues(t, 5, details["requested"])
	d.receive(d.oats, d.wh, 10, "", nil)
	move.Quantity = some(int64(6))
	require.Equal(t, api.Details{"pending": int64(5), "requested": int64(6)}, requireRefused(d, api.QuantityExceedsPending, api.ShipTransfer, move))
	move.Quantity = nil
	doTwice(d, api.ShipTransfer, move)
	require.Equal(t, api.Details{"quantity": int64(5), "shipped": int64(5)}, requireRefused(d, api.NothingPending, api.ShipTransfer, move))
	move.Quantity = some(int64(6))
	require.Equal(t, api.Details{"pending": int64(5), "requested": int64(6)}, requireRefused(d, api.QuantityExceedsPending, api.ReceiveTransfer, move))
	move.Quantity = nil
	requireRefused(d, api.VersionConflict, api.ReceiveTransfer, move, api.IfMatch(7))
	doTwice(d, api.ReceiveTransfer, move, api.IfMatch(1))
	for range 2 {
		details = requireRefused(d, api.TransferNotOpen, api.ReceiveTransfer, move)
		require.Equal(t, api.TransferReceived, details["status"])
	}
	requireRefused(d, api.TransferNotOpen, api.ShipTransfer, move)
	requireRefused(d, api.TransferNotOpen, api.CancelTransfer, api.TransferInput{TransferID: id})
	requireRefused(d, api.TransferNotOpen, api.CloseTransfer, api.CloseTransferInput{TransferID: id, Reason: "x"})
	requireRefused(d, api.ValidationError, api.CloseTransfer, api.CloseTransferInput{TransferID: id})
}

func TestCancelTransfer(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	id := d.transfer(d.oats, 5)
	out := doTwice(d, api.CancelTransfer, api.TransferInput{TransferID: id})
	require.Equal(t, api.TransferCancelled, out.Transfer.Status)
	require.Equal(t, d.wh, out.SourceBalance.LocationID)
	require.Equal(t, "[]", encoded(t, out.Movements))
	require.Zero(t, out.Transfer.PendingShipmentQuantity)

	d.receive(d.oats, d.wh, 10, "", nil)
	id = d.transfer(d.oats, 8)
	doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(6))})
	doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(2))})
	out = doTwice(d, api.CancelTransfer, api.TransferInput{TransferID: id})
	require.Equal(t, []string{"transfer_cancel onHand +4", "transfer_cancel available +4", "transfer_cancel incoming -4"}, steps(out.Movements))
	require.EqualValues(t, 8, out.SourceBalance.OnHand)
	require.Zero(t, out.Transfer.PendingReceiveQuantity)
	require.Zero(t, out.Transfer.PendingShipmentQuantity)
	require.EqualValues(t, 6, out.Transfer.ShippedQuantity)
	require.NotNil(t, out.Transfer.CancelledAt)
	require.Equal(t, api.Quantities{OnHand: 2, Available: 2}, d.balance(d.oats, d.shop))
}

func TestCloseTransfer(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	for _, n := range []string{"A", "B", "C"} {
		d.receive(d.phone, d.wh, 1, "", nil, n)
	}
	id := d.transfer(d.phone, 3)
	doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: id})
	doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, SerialNumbers: []string{"B"}})
	out := doTwice(d, api.CloseTransfer, api.CloseTransferInput{TransferID: id, Reason: "fell off"})
	require.Equal(t, []string{"transfer_close incoming -2 #A #C"}, steps(out.Movements))
	require.Equal(t, "fell off", out.Movements[0].Reason)
	require.Equal(t, "fell off", out.Transfer.CloseReason)
	require.Equal(t, api.TransferClosed, out.Transfer.Status)
	require.NotNil(t, out.Transfer.ClosedAt)
	require.Zero(t, out.Transfer.PendingReceiveQuantity)
	require.Equal(t, d.shop, out.DestinationBalance.LocationID)
	require.Equal(t, api.WrittenOff, d.serial("A").Status)
	require.Equal(t, api.InStock, d.serial("B").Status)
	require.Equal(t, api.Quantities{OnHand: 1, Available: 1}, d.balance(d.phone, d.shop))
}

func TestListTransfers(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	var ids []api.ID
	for range 3 {
		ids = append(ids, d.transfer(d.oats, 5))
	}
	milk := doTwice(d, api.CreateTransfer, api.CreateTransferInput{ProductID: d.milk, SourceLocationID: d.shop, DestinationLocationID: d.wh,
		Quantity: 1, ReferenceType: "order", ReferenceID: "T-9"}).Transfer
	doTwice(d, api.CancelTransfer, api.TransferInput{TransferID: ids[0]})
	list := func(in api.ListTransfersInput) (out []api.ID) {
		for {
			page, err := api.ListTransfers.Call(t.Context(), d.svc, in)
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
	require.Equal(t, all, list(api.ListTransfersInput{Limit: some(int64(1))}))
	require.Equal(t, all[1:], list(api.ListTransfersInput{ProductID: d.oats, Limit: some(int64(2))}))
	require.Equal(t, all[:1], list(api.ListTransfersInput{SourceLocationID: d.shop}))
	require.Equal(t, all[:1], list(api.ListTransfersInput{DestinationLocationID: d.wh}))
	require.Equal(t, all[1:], list(api.ListTransfersInput{DestinationLocationID: d.shop}))
	require.Equal(t, all[:3], list(api.ListTransfersInput{Status: api.TransferInTransit}))
	require.Equal(t, all[3:], list(api.ListTransfersInput{Status: api.TransferCancelled}))
	require.Equal(t, all[:1], list(api.ListTransfersInput{ReferenceType: "order", ReferenceID: "T-9"}))
	require.Equal(t, all, list(api.ListTransfersInput{OwnerID: d.org.DefaultOwnerID, ChannelID: d.org.DefaultChannelID}))
	require.Empty(t, list(api.ListTransfersInput{OwnerID: uuid.New()}))
	require.Equal(t, all[:1], list(api.ListTransfersInput{CreatedFrom: &milk.CreatedAt}))
	require.Equal(t, all[1:], list(api.ListTransfersInput{CreatedTo: &milk.CreatedAt}))
}
