package ledger_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

func TestTransfer_Lots(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.receive(d.milk, d.wh, 2, "OLD", d.in(2))
	late, early := d.receive(d.milk, d.wh, 4, "LATE", d.in(90)), d.receive(d.milk, d.wh, 3, "EARLY", d.in(30))
	d.pass(72 * time.Hour)
	id := d.transfer(d.milk, 8)
	details := requireRefused(d, api.InsufficientStock, api.ShipTransfer, api.MoveTransferInput{TransferID: id})
	require.EqualValues(t, 7, details["current"], "expired stock does not ship")
	old := api.MoveTransferInput{TransferID: id, Quantity: some(int64(1))}
	old.LotID = d.lot("OLD")
	details = requireRefused(d, api.InsufficientStock, api.ShipTransfer, old)
	require.Equal(t, "OLD", details["lotCode"])
	out := doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(5))})
	require.Equal(t, []string{"transfer_out onHand -3 EARLY", "transfer_out onHand -2 LATE", "transfer_out available -3 EARLY",
		"transfer_out available -2 LATE", "transfer_out incoming +3 EARLY", "transfer_out incoming +2 LATE"}, steps(out.Movements))
	details = requireRefused(d, api.InsufficientStock, api.ShipTransfer, api.MoveTransferInput{TransferID: id, LotID: late})
	require.EqualValues(t, 2, details["current"])
	require.EqualValues(t, 3, details["requested"])

	details = requireRefused(d, api.LotMismatch, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, LotID: d.lot("OLD")})
	require.ElementsMatch(t, []api.ID{early, late}, details["inTransit"])
	details = requireRefused(d, api.QuantityExceedsPending, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, LotID: late, Quantity: some(int64(3))})
	require.EqualValues(t, 2, details["pending"])
	got := doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, LotID: late, Quantity: some(int64(1))})
	require.Equal(t, []string{"transfer_in incoming -1 LATE", "transfer_in onHand +1 LATE", "transfer_in available +1 LATE"}, steps(got.Movements))
	got = doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id})
	require.Equal(t, "transfer_in incoming -3 EARLY", steps(got.Movements)[0])
	require.Len(t, got.Movements, 6)
	other := d.product("CREAM", api.TrackLot)
	foreign := d.receive(other, d.wh, 1, "C", nil)
	requireRefused(d, api.LotMismatch, api.ShipTransfer, api.MoveTransferInput{TransferID: id, LotID: foreign})
}

func (d *fixture) lot(code string) api.ID {
	d.t.Helper()
	list, err := api.ListLots.Call(context.Background(), d.svc, api.ListLotsInput{LotCode: code})
	require.NoError(d.t, err)
	require.Len(d.t, list.Items, 1)
	return list.Items[0].ID
}

func TestTransfer_Serials(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	for _, n := range []string{"A", "B", "C", "D"} {
		d.receive(d.phone, d.wh, 1, "", nil, n)
	}
	id := d.transfer(d.phone, 4)
	ship := func(numbers ...string) api.MoveTransferInput {
		return api.MoveTransferInput{TransferID: id, SerialNumbers: numbers}
	}
	bad := ship("A", "B")
	bad.Quantity = some(int64(3))
	require.Equal(t, api.Details{"serials": int64(2), "quantity": int64(3)}, requireRefused(d, api.SerialCountMismatch, api.ShipTransfer, bad))
	requireRefused(d, api.SerialNotAvailable, api.ShipTransfer, ship("NONE"))

	twice := ship("C")
	twice.SerialIDs = []api.ID{d.serial("C").ID} // named twice, counts once
	out := doTwice(d, api.ShipTransfer, twice)
	require.EqualValues(t, 1, out.Transfer.ShippedQuantity)
	require.Equal(t, []string{"transfer_out onHand -1 #C", "transfer_out available -1 #C", "transfer_out incoming +1 #C"}, steps(out.Movements))
	require.Equal(t, api.Packed, d.serial("C").Status)
	require.Equal(t, api.Packed, out.Movements[0].Serials[0].Status)
	details := requireRefused(d, api.SerialNotAvailable, api.ShipTransfer, ship("C"))
	require.Equal(t, "C", details["serialNumber"])
	out = doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(2))})
	require.Equal(t, "transfer_out onHand -2 #A #B", steps(out.Movements)[0], "the oldest go first")

	requireRefused(d, api.SerialNotAvailable, api.ReceiveTransfer, ship("D"))
	doTwice(d, api.ReceiveTransfer, ship("B"))
	require.Equal(t, d.shop, d.serial("B").LocationID)
	require.Equal(t, api.InStock, d.serial("B").Status)
	got := doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(1))})
	require.Equal(t, "transfer_in incoming -1 #C", steps(got.Movements)[0])
	doTwice(d, api.CancelTransfer, api.TransferInput{TransferID: id})
	require.Equal(t, api.InStock, d.serial("A").Status)
	require.Equal(t, d.wh, d.serial("A").LocationID)
	back := doTwice(d, api.CreateTransfer, api.CreateTransferInput{ProductID: d.phone, SourceLocationID: d.shop, DestinationLocationID: d.wh, Quantity: 2})
	doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: back.Transfer.ID, SerialNumbers: []string{"B", "C"}})
	doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: back.Transfer.ID})
	require.Equal(t, api.Quantities{OnHand: 4, Available: 4}, d.balance(d.phone, d.wh))
}

// Of a product with partly numbered stock, stock without serial numbers goes first.
func TestTransfer_PartlyNumberedStock(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	d.receive(d.oats, d.wh, 1, "", nil, "A")
	d.receive(d.oats, d.wh, 1, "", nil, "B")
	d.receive(d.oats, d.wh, 3, "", nil)
	id := d.transfer(d.oats, 5)
	out := doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(3))})
	require.Equal(t, "transfer_out onHand -3", steps(out.Movements)[0])
	out = doTwice(d, api.ShipTransfer, api.MoveTransferInput{TransferID: id})
	require.Equal(t, "transfer_out onHand -2 #A #B", steps(out.Movements)[0])
	got := doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(4))})
	require.Equal(t, "transfer_in incoming -4 #A", steps(got.Movements)[0])
	doTwice(d, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id})
	require.Equal(t, d.shop, d.serial("B").LocationID)
}
