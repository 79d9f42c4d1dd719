package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// An error about a document that is not open names who changed it last, and when.
func TestNotOpen_NamesWhoFinished(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.receive(f.oats, f.wh, 10, "", nil)
	at := api.StockKey{ProductID: f.oats, LocationID: f.wh}
	in := doTwice(f, api.CreateInbound, api.CreateInboundInput{StockKey: at, ExpectedQuantity: 4}).Inbound
	tr := f.transfer(f.oats, 2)
	out := doTwice(f, api.CreateOutbound, api.CreateOutboundInput{ProductID: f.oats, LocationID: f.wh, RequestedQuantity: some(int64(1))}).Outbound
	held := doTwice(f, api.CreateReservation, api.CreateReservationInput{StockKey: at, Quantity: 1,
		ExpiresAt: some(f.Clock.Now().Add(24 * time.Hour))}).Reservation
	ben := api.By("Ben")
	ledgertest.Do(f.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 4}, ben)
	ledgertest.Do(f.World, api.CancelTransfer, api.TransferInput{TransferID: tr}, ben)
	ledgertest.Do(f.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: out.ID}, ben)
	ledgertest.Do(f.World, api.ReleaseReservation, api.ReservationInput{ReservationID: held.ID}, ben)
	when := f.Clock.Now().UTC().Format(time.RFC3339)
	f.Clock.Advance(time.Hour)

	for _, details := range []api.Details{
		requireRefused(f, api.InboundNotOpen, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1}),
		requireRefused(f, api.TransferNotOpen, api.ShipTransfer, api.MoveTransferInput{TransferID: tr}),
		requireRefused(f, api.OutboundNotOpen, api.PickOutbound, api.HandleOutboundInput{OutboundID: out.ID}),
		requireRefused(f, api.ReservationNotPending, api.CommitReservation, api.ReservationInput{ReservationID: held.ID}),
	} {
		require.Equal(t, "Ben", details["changedBy"])
		require.Equal(t, when, details["changedAt"])
	}
}
