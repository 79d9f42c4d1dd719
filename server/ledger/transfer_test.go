package ledger_test

import (
	"fmt"
	"testing"

	"bincard/server/api"
)

func signed(q int64) string { return fmt.Sprintf("%+d", q) }

func (f *fixture) transfer(product api.ID, q int64) api.ID {
	f.t.Helper()
	return doTwice(f, api.CreateTransfer, api.CreateTransferInput{ProductID: product, SourceLocationID: f.wh, DestinationLocationID: f.shop, Quantity: q}).Transfer.ID
}

// The contract rejects versions of balances and inbounds.
func TestTransfer_Version(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	move := api.MoveTransferInput{TransferID: f.transfer(f.oats, 5)}
	f.receive(f.oats, f.wh, 10, "", nil)
	doTwice(f, api.ShipTransfer, move)
	requireRefused(f, api.VersionConflict, api.ReceiveTransfer, move, api.IfMatch(7))
	doTwice(f, api.ReceiveTransfer, move, api.IfMatch(1))
}
