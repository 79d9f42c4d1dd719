package ledger

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
)

func bindTransfers(b map[string]binding) {
	writes(b, api.CreateTransfer, (*writeTx).createTransfer, stored.ShowTransfer)
	writes(b, api.ShipTransfer, (*writeTx).shipTransfer, stored.ShowTransferSource)
	writes(b, api.ReceiveTransfer, (*writeTx).receiveTransfer, stored.ShowTransferDestination)
	writes(b, api.CancelTransfer, (*writeTx).cancelTransfer, stored.ShowTransferSource)
	writes(b, api.CloseTransfer, (*writeTx).closeTransfer, stored.ShowTransferDestination)
	reads(b, api.GetTransfer, (*stored.Tx).GetTransfer)
	reads(b, api.ListTransfers, (*stored.Tx).ListTransfers)
}

// openTransfer reads the transfer of a write, which must be open.
func (c *writeTx) openTransfer(id api.ID) (*stored.Transfer, error) {
	doc, err := stored.Transfers.Get(c.Reader, id[:])
	switch {
	case err != nil:
		return nil, err
	case doc == nil:
		return nil, stored.NotFound("transfer", "transferId", id)
	case doc.Status != api.TransferInTransit:
		return nil, api.Fail(api.TransferNotOpen,
			api.Details{"status": doc.Status, "quantity": doc.Quantity, "shipped": doc.ShippedQuantity, "received": doc.ReceivedQuantity},
			"The transfer is %v (%d of %d shipped, %d received) and cannot change.",
			doc.Status, doc.ShippedQuantity, doc.Quantity, doc.ReceivedQuantity)
	}
	return doc, nil
}

// saveTransfer stores the document, also in the journal entry.
func (c *writeTx) saveTransfer(doc *stored.Transfer) error {
	doc.UpdatePending()
	doc.UpdatedAt = c.Now
	c.setReference(doc.ReferenceType, doc.ReferenceID, "transfer", doc.ID)
	return saveDocument(c, stored.Transfers, journal.TransferKind, doc.ID, doc)
}
