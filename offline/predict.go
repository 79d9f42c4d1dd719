package offline

import (
	"context"

	"bincard/server/api"
)

// predict has the ledger here do a write as the service will. Before a plain
// service it leaves lots, pieces and units to that: no report tells of them, so
// what is said of them here would be wrong.
func (s *localView) predict(ctx context.Context, req *api.Request) (*api.Response, error) {
	if s.polled {
		if err := api.Check(req.Input); err != nil && req.IdempotencyKey != "" {
			return nil, err
		}
		req = withoutDetails(req)
	}
	return s.ledger.Do(ctx, req)
}

// withoutDetails is a write of goods that are told apart by nothing but what they are.
func withoutDetails(req *api.Request) *api.Request {
	r := *req
	many := func(given *int64, named int) *int64 {
		if n := int64(named); given == nil && n > 0 {
			return &n
		}
		return given
	}
	switch in := req.Input.(type) {
	case *api.ReceiveInboundInput:
		if n := len(in.Serials); n > 0 && int64(n) != in.Quantity {
			return req // and is refused
		}
		r.Input = &api.ReceiveInboundInput{InboundID: in.InboundID, Quantity: in.Quantity, Reason: in.Reason, Metadata: in.Metadata, ReceivedAt: in.ReceivedAt}
	case *api.FulfillOutboundInput:
		all := *in
		all.Quantity = many(in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))
		all.SerialIDs, all.SerialNumbers = nil, nil
		r.Input = &all
	case *api.MoveTransferInput:
		r.Input = &api.MoveTransferInput{TransferID: in.TransferID, Quantity: many(in.Quantity, len(in.SerialIDs)+len(in.SerialNumbers))}
	case *api.MoveStockInput:
		all := *in
		all.LotID, all.LotStrategy, all.SerialIDs, all.SerialNumbers = api.ID{}, "", nil, nil
		all.UnitCode, all.UnitQuantity = "", nil
		r.Input = &all
	}
	return &r
}
