package apitest

import (
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var serialTests = []test{
	{"receive serials", serialReceived},
	{"serial number is unique per product", serialUnique},
	{"number of serials must equal the quantity", serialCount},
	{"move serials between states", serialMoved},
	{"fulfill serials", serialShipped},
	{"transfer serials", serialTransferred},
	{"list serials", serialsListed},
}

func serialReceived(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	out := k.receiveLot(drill, 2, "L1", nil, "SN-1", "SN-2")
	s := out.Movements[1].Serials
	require.Len(k, s, 2)
	require.Equal(k, api.Serial{ID: s[0].ID, SerialNumber: "SN-1", Status: api.InStock, ProductID: drill, LocationID: k.wh,
		OwnerID: k.Orgs[0].DefaultOwnerID, ChannelID: k.Orgs[0].DefaultChannelID, LotID: out.Movements[1].LotID}, s[0])
	require.Equal(k, s, out.Movements[2].Serials)
	require.Equal(k, api.Quantities{OnHand: 2, Available: 2}, out.Balance.Quantities)
}

func serialUnique(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 1, "", nil, "SN-1")
	in := api.ReceiveInboundInput{InboundID: k.inbound(drill, 2).ID, Quantity: 1, Serials: []api.SerialInput{{SerialNumber: "SN-1"}}}
	k.requireDetails(mustFail(k, api.SerialExists, api.ReceiveInbound, in), "serialNumber", "SN-1", "status", api.InStock)
	in.Quantity, in.Serials = 2, []api.SerialInput{{SerialNumber: "SN-2"}, {SerialNumber: "SN-2"}}
	_, err := api.ReceiveInbound.Call(k.ctx, k.svc, in)
	require.Error(k, err, "twice in one request")
	require.EqualValues(k, 1, k.quantities(drill, k.wh).OnHand)
	k.receiveLot(k.tracked("SAW", api.TrackSerial), 1, "", nil, "SN-1")
}

func serialCount(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	in := api.ReceiveInboundInput{InboundID: k.inbound(drill, 3).ID, Quantity: 2, Serials: []api.SerialInput{{SerialNumber: "SN-1"}}}
	k.requireDetails(mustFail(k, api.SerialCountMismatch, api.ReceiveInbound, in), "serials", 1, "quantity", 2)
	in.Serials = nil
	mustFail(k, api.SerialCountMismatch, api.ReceiveInbound, in)
	mustFail(k, api.SerialCountMismatch, api.AdjustStock, adjust(drill, k.wh, api.OnHand, 1))
	k.receiveLot(drill, 2, "", nil, "SN-1", "SN-2")
	mustFail(k, api.SerialCountMismatch, api.AdjustStock, adjust(drill, k.wh, api.OnHand, -1))
	mustFail(k, api.SerialCountMismatch, api.MoveStock, move(drill, k.wh, 1, api.Available, api.Damaged))
	require.Equal(k, api.Quantities{OnHand: 2, Available: 2, Incoming: 3}, k.quantities(drill, k.wh))
}

func serialMoved(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	made := k.receiveLot(drill, 3, "", nil, "SN-1", "SN-2", "SN-3").Movements[1].Serials
	in := move(drill, k.wh, 2, api.Available, api.Damaged)
	in.SerialNumbers, in.SerialIDs = []string{"SN-2"}, []api.ID{made[0].ID}
	out := do(k, api.MoveStock, in)
	require.Equal(k, []string{"move_state available -2", "move_state damaged +2"}, legs(out.Movements))
	require.Len(k, out.Movements[0].Serials, 2)
	k.requireDetails(mustFail(k, api.SerialNotAvailable, api.MoveStock, in), "inventoryState", api.Damaged)
	in.SerialIDs, in.SerialNumbers = nil, []string{"SN-3", "SN-9"}
	mustFail(k, api.SerialNotAvailable, api.MoveStock, in)
	in.SerialNumbers = []string{"SN-3"}
	mustFail(k, api.SerialCountMismatch, api.MoveStock, in)
	back := move(drill, k.wh, 1, api.Damaged, api.Available)
	back.SerialNumbers = []string{"SN-2"}
	require.Equal(k, api.Quantities{OnHand: 3, Available: 2, Damaged: 1}, do(k, api.MoveStock, back).Balance.Quantities)
}

// status returns the status and location of a serial.
func (k *fixture) status(product api.ID, number string) (api.SerialStatus, api.ID) {
	k.Helper()
	list := do(k, api.ListSerials, api.ListSerialsInput{ProductID: product, SerialNumber: number}).Items
	require.Len(k, list, 1)
	return list[0].Status, list[0].LocationID
}

func serialShipped(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 2, "", nil, "SN-1", "SN-2")
	doc := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: drill, LocationID: k.wh, RequestedQuantity: ptr(int64(2))}).Outbound
	handle := api.HandleOutboundInput{OutboundID: doc.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-2"}}}
	for _, step := range []struct {
		op   api.Operation[api.HandleOutboundInput, api.OutboundResult]
		want api.SerialStatus
	}{{api.PickOutbound, api.Picked}, {api.PackOutbound, api.Packed}} {
		out := do(k, step.op, handle)
		require.Len(k, out.Outbound.Lines[0].Serials, 1)
		is, _ := k.status(drill, "SN-2")
		require.Equal(k, step.want, is)
	}

	out := do(k, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: doc.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-2"}}})
	require.Equal(k, api.OutboundPartiallyFulfilled, out.Outbound.Status)
	is, _ := k.status(drill, "SN-2")
	require.Equal(k, api.Consumed, is)
	require.NotNil(k, out.Outbound.Lines[0].Serials[0].ShippedAt)
	mustFail(k, api.SerialNotAvailable, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: doc.ID, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-2"}}})
	require.Equal(k, api.Quantities{OnHand: 1, Committed: 1}, k.quantities(drill, k.wh))
}

func serialTransferred(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 2, "", nil, "SN-1", "SN-2")
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: drill, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1}).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, SerialNumbers: []string{"SN-2"}})
	is, _ := k.status(drill, "SN-2")
	require.Equal(k, api.Packed, is)
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	is, at := k.status(drill, "SN-2")
	require.Equal(k, api.InStock, is)
	require.Equal(k, k.shop, at)
	_, at = k.status(drill, "SN-1")
	require.Equal(k, k.wh, at)

	lost := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: drill, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1}).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: lost.ID})
	closed := do(k, api.CloseTransfer, api.CloseTransferInput{TransferID: lost.ID, Reason: "fell off"})
	require.Equal(k, "SN-1", closed.Movements[0].Serials[0].SerialNumber)
	is, _ = k.status(drill, "SN-1")
	require.Equal(k, api.WrittenOff, is)
}

func serialsListed(k *fixture) {
	drill, saw := k.tracked("DRILL", api.TrackSerial), k.tracked("SAW", api.TrackSerial)
	k.receiveLot(drill, 1, "", nil, "SN-1")
	k.receiveLot(saw, 1, "", nil, "SN-1")
	require.Len(k, do(k, api.ListSerials, api.ListSerialsInput{}).Items, 2)
	require.Len(k, do(k, api.ListSerials, api.ListSerialsInput{SerialNumber: "sn-1"}).Items, 2)
	list := do(k, api.ListSerials, api.ListSerialsInput{ProductID: saw}).Items
	require.Len(k, list, 1)
	require.Equal(k, saw, list[0].ProductID)
	require.Empty(k, do(k, api.ListSerials, api.ListSerialsInput{SerialNumber: "SN-2"}).Items)
}

var traceTests = []test{
	{"serial history", serialHistory},
	{"trace lot", lotTraced},
}

func serialHistory(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	made := k.receiveLot(drill, 3, "L1", nil, "A", "B", "C").Movements[1].Serials[0]
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: drill, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 2}).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, SerialNumbers: []string{"A", "C"}})
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	do(k, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.shop}, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}})
	out := do(k, api.GetSerialHistory, api.SerialHistoryInput{SerialID: made.ID})
	require.Equal(k, []string{"inbound_receive onHand +3", "inbound_receive available +3", "transfer_out onHand -2", "transfer_out available -2", "transfer_out incoming +2",
		"transfer_in incoming -2", "transfer_in onHand +2", "transfer_in available +2", "fulfill available -1", "fulfill onHand -1"}, legs(out.Movements))
	require.Equal(k, []any{api.Consumed, "DRILL", "L1"}, []any{out.Serial.Status, out.Product.SKU, out.Lot.LotCode})
	other := do(k, api.ListSerials, api.ListSerialsInput{ProductID: drill, SerialNumber: "B"}).Items[0]
	require.Len(k, do(k, api.GetSerialHistory, api.SerialHistoryInput{SerialID: other.ID}).Movements, 2)
	var got []api.Movement
	in := api.SerialHistoryInput{SerialID: made.ID, HistoryPage: api.HistoryPage{Limit: ptr(int64(3)), Order: api.NewestFirst}}
	for {
		page := do(k, api.GetSerialHistory, in)
		got = append(got, page.Movements...)
		if page.NextCursor == nil {
			break
		}
		require.Len(k, page.Movements, 3)
		in.Cursor = *page.NextCursor
	}

	require.Len(k, got, len(out.Movements))
	for i := range got {
		require.Equal(k, k.text(out.Movements[len(got)-1-i]), k.text(got[i]))
	}

	mustFail(k, api.NotFound, api.GetSerialHistory, api.SerialHistoryInput{SerialID: newID()})
	mustFail(k, api.InvalidCursor, api.GetSerialHistory, api.SerialHistoryInput{SerialID: made.ID, HistoryPage: api.HistoryPage{Cursor: "there"}})
}

func lotTraced(k *fixture) {
	lot := k.receiveLot(k.oats, 6, "L1", nil).Movements[1].LotID
	k.receiveLot(k.oats, 9, "L2", nil)
	k.stock(k.oats, k.wh, 3)
	in := move(k.oats, k.wh, 2, api.Available, api.Damaged)
	in.LotID = lot
	do(k, api.MoveStock, in)
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 3}).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, LotID: lot})
	out := do(k, api.TraceLot, api.TraceLotInput{LotID: lot})
	require.Equal(k, []string{"inbound_receive onHand +6", "inbound_receive available +6", "move_state available -2", "move_state damaged +2",
		"transfer_out onHand -3", "transfer_out available -3", "transfer_out incoming +3"}, legs(out.Movements))
	require.Equal(k, []string{"L1", "OAT-1L"}, []string{out.Lot.LotCode, out.Product.SKU})
	require.Len(k, out.Holdings, 2)
	require.Equal(k, "WH-1", out.Holdings[0].Location.Code)
	require.Equal(k, api.Quantities{OnHand: 3, Available: 1, Damaged: 2}, out.Holdings[0].Quantities)
	require.Equal(k, api.Quantities{Incoming: 3}, out.Holdings[1].Quantities)
	page := do(k, api.TraceLot, api.TraceLotInput{LotID: lot, HistoryPage: api.HistoryPage{Limit: ptr(int64(5))}})
	rest := do(k, api.TraceLot, api.TraceLotInput{LotID: lot, HistoryPage: api.HistoryPage{Limit: ptr(int64(5)), Cursor: *page.NextCursor}})
	require.Equal(k, k.text(out.Movements), k.text(append(page.Movements, rest.Movements...)))
	require.Nil(k, rest.NextCursor)
	require.Equal(k, api.Quantities{OnHand: 3, Incoming: 3, Available: 1, Damaged: 2}, out.Totals)
	require.Nil(k, out.NextHoldingsCursor)
	first := do(k, api.TraceLot, api.TraceLotInput{LotID: lot, HoldingsLimit: ptr(int64(1))})
	require.Equal(k, out.Holdings[:1], first.Holdings)
	require.Equal(k, out.Totals, first.Totals, "of all holdings")
	second := do(k, api.TraceLot, api.TraceLotInput{LotID: lot, HoldingsLimit: ptr(int64(1)), HoldingsCursor: *first.NextHoldingsCursor})
	require.Equal(k, out.Holdings[1:], second.Holdings)
	require.Equal(k, out.Totals, second.Totals)
	require.Nil(k, second.NextHoldingsCursor)
	mustFail(k, api.InvalidCursor, api.TraceLot, api.TraceLotInput{LotID: lot, HoldingsCursor: newID().String()})
	mustFail(k, api.NotFound, api.TraceLot, api.TraceLotInput{LotID: newID()})
}
