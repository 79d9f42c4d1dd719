package ledger_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

func TestTransfer_Lots(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.milk, f.wh, 2, "OLD", f.in(2))
	late, early := f.receive(f.milk, f.wh, 4, "LATE", f.in(90)), f.receive(f.milk, f.wh, 3, "EARLY", f.in(30))
	f.Clock.Advance(72 * time.Hour)
	id := f.transfer(f.milk, 8)
	details := requireRefused(f, api.InsufficientStock, api.ShipTransfer, api.MoveTransferInput{TransferID: id})
	require.EqualValues(t, 7, details["current"], "expired stock does not ship")
	old := api.MoveTransferInput{TransferID: id, Quantity: some(int64(1))}
	old.LotID = f.lot("OLD")
	details = requireRefused(f, api.InsufficientStock, api.ShipTransfer, old)
	require.Equal(t, "OLD", details["lotCode"])
	out := doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(5))})
	require.Equal(t, []string{"transfer_out onHand -3 EARLY", "transfer_out onHand -2 LATE", "transfer_out available -3 EARLY",
		"transfer_out available -2 LATE", "transfer_out incoming +3 EARLY", "transfer_out incoming +2 LATE"}, steps(out.Movements))
	details = requireRefused(f, api.InsufficientStock, api.ShipTransfer, api.MoveTransferInput{TransferID: id, LotID: late})
	require.EqualValues(t, 2, details["current"])
	require.EqualValues(t, 3, details["requested"])

	details = requireRefused(f, api.LotMismatch, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, LotID: f.lot("OLD")})
	require.ElementsMatch(t, []api.ID{early, late}, details["inTransit"])
	requireRefused(f, api.NotFound, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, LotID: uuid.New()})
	details = requireRefused(f, api.QuantityExceedsPending, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, LotID: late, Quantity: some(int64(3))})
	require.EqualValues(t, 2, details["pending"])
	got := doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, LotID: late, Quantity: some(int64(1))})
	require.Equal(t, []string{"transfer_in incoming -1 LATE", "transfer_in onHand +1 LATE", "transfer_in available +1 LATE"}, steps(got.Movements))
	got = doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id})
	require.Equal(t, "transfer_in incoming -3 EARLY", steps(got.Movements)[0])
	require.Len(t, got.Movements, 6)
	other := f.Product("CREAM", api.TrackLot).ID
	foreign := f.receive(other, f.wh, 1, "C", nil)
	requireRefused(f, api.LotMismatch, api.ShipTransfer, api.MoveTransferInput{TransferID: id, LotID: foreign})
}

func (f *fixture) lot(code string) api.ID {
	f.t.Helper()
	list := ledgertest.Do(f.World, api.ListLots, api.ListLotsInput{LotCode: code})
	require.Len(f.t, list.Items, 1)
	return list.Items[0].ID
}

func TestTransfer_Serials(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, n := range []string{"A", "B", "C", "D"} {
		f.receive(f.phone, f.wh, 1, "", nil, n)
	}
	id := f.transfer(f.phone, 4)
	ship := func(numbers ...string) api.MoveTransferInput {
		return api.MoveTransferInput{TransferID: id, SerialNumbers: numbers}
	}
	bad := ship("A", "B")
	bad.Quantity = some(int64(3))
	require.Equal(t, api.Details{"serials": int64(2), "quantity": int64(3)}, requireRefused(f, api.SerialCountMismatch, api.ShipTransfer, bad))
	requireRefused(f, api.SerialNotAvailable, api.ShipTransfer, ship("NONE"))

	twice := ship("C")
	twice.SerialIDs = []api.ID{f.serial("C").ID} // named twice, counts once
	out := doTwice(f, api.ShipTransfer, twice)
	require.EqualValues(t, 1, out.Transfer.ShippedQuantity)
	require.Equal(t, []string{"transfer_out onHand -1 #C", "transfer_out available -1 #C", "transfer_out incoming +1 #C"}, steps(out.Movements))
	require.Equal(t, api.Packed, f.serial("C").Status)
	require.Equal(t, api.Packed, out.Movements[0].Serials[0].Status)
	details := requireRefused(f, api.SerialNotAvailable, api.ShipTransfer, ship("C"))
	require.Equal(t, "C", details["serialNumber"])
	out = doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(2))})
	require.Equal(t, "transfer_out onHand -2 #A #B", steps(out.Movements)[0], "the oldest go first")

	requireRefused(f, api.SerialNotAvailable, api.ReceiveTransfer, ship("D"))
	doTwice(f, api.ReceiveTransfer, ship("B"))
	require.Equal(t, f.shop, f.serial("B").LocationID)
	require.Equal(t, api.InStock, f.serial("B").Status)
	got := doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(1))})
	require.Equal(t, "transfer_in incoming -1 #C", steps(got.Movements)[0])
	doTwice(f, api.CancelTransfer, api.TransferInput{TransferID: id})
	require.Equal(t, api.InStock, f.serial("A").Status)
	require.Equal(t, f.wh, f.serial("A").LocationID)
	back := doTwice(f, api.CreateTransfer, api.CreateTransferInput{ProductID: f.phone, SourceLocationID: f.shop, DestinationLocationID: f.wh, Quantity: 2})
	doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: back.Transfer.ID, SerialNumbers: []string{"B", "C"}})
	doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: back.Transfer.ID})
	require.Equal(t, api.Quantities{OnHand: 4, Available: 4}, f.balance(f.phone, f.wh))
}

// Of a product with partly numbered stock, stock without serial numbers goes first.
func TestTransfer_PartlyNumberedStock(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 1, "", nil, "A")
	f.receive(f.oats, f.wh, 1, "", nil, "B")
	f.receive(f.oats, f.wh, 3, "", nil)
	id := f.transfer(f.oats, 5)
	out := doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(3))})
	require.Equal(t, "transfer_out onHand -3", steps(out.Movements)[0])
	out = doTwice(f, api.ShipTransfer, api.MoveTransferInput{TransferID: id})
	require.Equal(t, "transfer_out onHand -2 #A #B", steps(out.Movements)[0])
	got := doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id, Quantity: some(int64(4))})
	require.Equal(t, "transfer_in incoming -4 #A", steps(got.Movements)[0])
	doTwice(f, api.ReceiveTransfer, api.MoveTransferInput{TransferID: id})
	require.Equal(t, f.shop, f.serial("B").LocationID)
}
