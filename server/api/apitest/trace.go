package apitest

import (
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

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
	mustFail(k, api.NotFound, api.TraceLot, api.TraceLotInput{LotID: newID()})
}
