package predict

import "bincard/server/api"

// withoutDetails returns a write without its lots, serials and units.
func withoutDetails(req *api.Request) *api.Request {
	r := *req
	quantity := func(given *int64, serials int) *int64 {
		if n := int64(serials); given == nil && n > 0 {
			return &n
		}
		return given
	}

	switch in := req.Input.(type) {
	case *api.ReceiveInboundInput:
		if n := len(in.Serials); n > 0 && int64(n) != in.Quantity {
			return req // which the ledger rejects
		}

		r.Input = &api.ReceiveInboundInput{
			InboundID:  in.InboundID,
			Quantity:   in.Quantity,
			Reason:     in.Reason,
			Metadata:   in.Metadata,
			ReceivedAt: in.ReceivedAt,
		}

	case *api.FulfillOutboundInput:
		all := *in
		all.Quantity = quantity(in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
		all.SerialIDs, all.SerialNumbers, all.Lots, all.Lines = nil, nil, nil, nil
		r.Input = &all
	case *api.MoveTransferInput:
		r.Input = &api.MoveTransferInput{
			TransferID: in.TransferID,
			Quantity:   quantity(in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers)),
		}
	case *api.MoveStockInput:
		all := *in
		all.LotID, all.LotStrategy, all.SerialIDs, all.SerialNumbers = api.NoID, "", nil, nil
		all.UnitCode, all.UnitQuantity = "", nil
		r.Input = &all
	}

	return &r
}
