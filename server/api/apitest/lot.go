package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var lotTests = []test{
	{"a lot is made by its first receipt and known by its code", lotMade},
	{"a lot that is not as it is known is refused", lotMismatch},
	{"what is said of a lot wants one", lotSaid},
	{"blanks around a lot's code and a serial number are none of it", blanksAround},
	{"a product kept by lot wants one", lotRequired},
	{"stock in no lot goes first, then what expires first", lotOrder},
	{"fefo takes the earliest expiry first, expired lots too", lotFEFO},
	{"a lot can be named", lotNamed},
	{"lots are listed", lotsListed},
	{"a lot that is used up is archived, and takes nothing more", lotArchived},
}

func lotMade(k *fixture) {
	milk, ends := k.tracked("MILK", api.TrackLot), k.Now().Add(240*time.Hour)
	out := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: k.inbound(milk, 8).ID, Quantity: 5,
		LotCode: "L1", BatchCode: "B7", ExpiresAt: &ends, LotMetadata: api.Metadata(`{"farm":"x"}`)})
	require.Equal(k, []string{"inbound_receive incoming -5", "inbound_receive onHand +5", "inbound_receive available +5"}, legs(out.Movements))
	lot := out.Movements[1].Lot
	require.Equal(k, &api.Lot{ID: out.Movements[1].LotID, LotCode: "L1", BatchCode: "B7", ExpiresAt: &ends, Status: api.Active}, lot)
	require.Nil(k, out.Movements[0].Lot, "what is announced has no lot yet")
	again := k.receiveLot(milk, 2, "L1", nil)
	require.Equal(k, lot.ID, again.Movements[1].LotID)
	byID := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: k.inbound(milk, 1).ID, Quantity: 1, LotID: lot.ID})
	require.Equal(k, lot, byID.Movements[1].Lot)
}

func lotMismatch(k *fixture) {
	milk, beer, ends := k.tracked("MILK", api.TrackLot), k.tracked("BEER", api.TrackLot), k.Now().Add(240*time.Hour)
	lot := k.receiveLot(milk, 2, "L1", &ends).Movements[1].LotID
	later := ends.Add(24 * time.Hour)
	receive := api.ReceiveInboundInput{InboundID: k.inbound(milk, 1).ID, Quantity: 1, LotCode: "L1", ExpiresAt: &later}
	k.details(refuse(k, api.LotMismatch, api.ReceiveInbound, receive), "lotCode", "L1")
	receive.InboundID, receive.ExpiresAt, receive.LotCode, receive.LotID = k.inbound(beer, 1).ID, nil, "", lot
	refuse(k, api.LotMismatch, api.ReceiveInbound, receive)
	receive.LotID = unknown()
	refuse(k, api.NotFound, api.ReceiveInbound, receive)
	receive.LotID, receive.LotCode = api.ID{}, "L1"
	require.NotEqual(k, lot, do(k, api.ReceiveInbound, receive).Movements[1].LotID, "a code is a lot of each product's own")
}

func lotSaid(k *fixture) {
	in := api.ReceiveStockInput{ProductID: k.oats, LocationID: k.wh, Quantity: some(int64(1)),
		BatchCode: "B", ExpiresAt: some(k.Now().Add(24 * time.Hour)), LotMetadata: api.Metadata(`{"bay":1}`)}
	require.Equal(k, []string{"batchCode", "expiresAt", "lotMetadata"}, k.broken(refuse(k, api.ValidationError, api.ReceiveStock, in)))
	in.LotCode = "L1"
	require.Equal(k, "B", do(k, api.ReceiveStock, in).Movements[0].Lot.BatchCode)
	in.BatchCode = ""
	do(k, api.ReceiveStock, in)
	in.BatchCode = "C"
	k.details(refuse(k, api.LotMismatch, api.ReceiveStock, in), "batchCode", "B", "requested", "C")
	in.LotCode, in.BatchCode = "L2", ""
	do(k, api.ReceiveStock, in)
	in.BatchCode = "B"
	require.Contains(k, refuse(k, api.LotMismatch, api.ReceiveStock, in).Message, "without a batch")
}

func blanksAround(k *fixture) {
	milk, drill := k.tracked("MILK", api.TrackLot), k.tracked("DRILL", api.TrackSerial)
	in := api.ReceiveStockInput{ProductID: milk, LocationID: k.wh, Quantity: some(int64(1)), LotCode: " "}
	refuse(k, api.LotRequired, api.ReceiveStock, in)
	in.LotCode = "L1"
	lot := do(k, api.ReceiveStock, in).Movements[0].LotID
	in.LotCode = " L1 "
	require.Equal(k, lot, do(k, api.ReceiveStock, in).Movements[0].LotID)

	pieces := api.ReceiveStockInput{ProductID: drill, LocationID: k.wh, Serials: []api.SerialInput{{SerialNumber: "A "}}}
	require.Equal(k, "A", do(k, api.ReceiveStock, pieces).Movements[0].Serials[0].SerialNumber)
	pieces.Serials = []api.SerialInput{{SerialNumber: " A"}}
	refuse(k, api.SerialExists, api.ReceiveStock, pieces)
	pieces.Serials = []api.SerialInput{{SerialNumber: "B"}, {SerialNumber: "C"}, {SerialNumber: "B "}}
	require.Equal(k, []string{"serials[2].serialNumber"}, k.broken(refuse(k, api.ValidationError, api.ReceiveStock, pieces)))
	do(k, api.FulfillStock, api.FulfillStockInput{ProductID: drill, LocationID: k.wh, SerialNumbers: []string{" A "}})
}

func lotRequired(k *fixture) {
	milk := k.tracked("MILK", api.TrackLot)
	k.details(refuse(k, api.LotRequired, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: k.inbound(milk, 1).ID, Quantity: 1}), "sku", "MILK")
}

// stockInLots has 2 loose, 3 of lot B that expire in two days, 4 of lot A in one
// day, and 5 of lot N that never expire.
func stockInLots(k *fixture) (a, b, n api.ID) {
	day := 24 * time.Hour
	b = k.receiveLot(k.oats, 3, "B", some(k.Now().Add(2*day))).Movements[1].LotID
	n = k.receiveLot(k.oats, 5, "N", nil).Movements[1].LotID
	a = k.receiveLot(k.oats, 4, "A", some(k.Now().Add(day))).Movements[1].LotID
	k.stock(k.oats, k.wh, 2)
	return a, b, n
}

func move(product, location api.ID, q int64, from, to api.State) api.MoveStockInput {
	return api.MoveStockInput{ProductID: product, LocationID: location, Quantity: q, Reason: "check",
		SourceState: api.MovableState(from), DestinationState: api.MovableState(to)}
}

// lotsTaken are the lots of the movements out of available, with how much: "A 4".
func lotsTaken(list []api.Movement) (out []string) {
	for _, m := range list {
		if m.InventoryState != api.Available || m.Quantity > 0 {
			continue
		}
		code := "-"
		if m.Lot != nil {
			code = m.Lot.LotCode
		}
		out = append(out, code+" "+string(rune('0'-m.Quantity)))
	}
	return out
}

func lotOrder(k *fixture) {
	stockInLots(k)
	out := do(k, api.MoveStock, move(k.oats, k.wh, 8, api.Available, api.Damaged))
	require.Equal(k, []string{"- 2", "A 4", "B 2"}, lotsTaken(out.Movements))
	require.Len(k, out.Movements, 6, "a movement for each state and lot")
	taken := do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -2))
	require.Equal(k, []string{"B 1", "N 1"}, lotsTaken(taken.Movements))
}

func lotFEFO(k *fixture) {
	stockInLots(k)
	k.Advance(25 * time.Hour)
	in := move(k.oats, k.wh, 9, api.Available, api.QualityControl)
	in.LotStrategy = api.FEFO
	out := do(k, api.MoveStock, in)
	require.Equal(k, []string{"A 4", "B 3", "N 2"}, lotsTaken(out.Movements))
	in.Quantity = 6
	k.details(refuse(k, api.InsufficientStock, api.MoveStock, in), "current", 5, "requested", 6)
	in.Quantity = 5
	require.Equal(k, []string{"N 3", "- 2"}, lotsTaken(do(k, api.MoveStock, in).Movements))
	created := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: some(int64(1))})
	require.Equal(k, api.OutboundBackordered, created.Outbound.Status)
}

func lotNamed(k *fixture) {
	_, b, _ := stockInLots(k)
	in := move(k.oats, k.wh, 2, api.Available, api.Damaged)
	in.LotID = b
	require.Equal(k, []string{"B 2"}, lotsTaken(do(k, api.MoveStock, in).Movements))
	k.details(refuse(k, api.InsufficientStock, api.MoveStock, in), "lotCode", "B", "current", 1, "requested", 2)
	in.LotStrategy = api.FEFO
	require.Equal(k, []string{"lotStrategy"}, k.broken(refuse(k, api.ValidationError, api.MoveStock, in)))
	in.LotStrategy, in.ProductID = "", k.product("OTHER")
	refuse(k, api.LotMismatch, api.MoveStock, in)
}

func lotsListed(k *fixture) {
	a, b, n := stockInLots(k)
	other := k.receiveLot(k.tracked("MILK", api.TrackLot), 1, "B", nil).Movements[1].LotID
	find := func(in api.ListLotsInput) (ids []api.ID) {
		for _, l := range do(k, api.ListLots, in).Items {
			ids = append(ids, l.ID)
		}
		return ids
	}
	require.Equal(k, []api.ID{other, a, n, b}, find(api.ListLotsInput{}))
	require.Equal(k, []api.ID{a, n, b}, find(api.ListLotsInput{ProductID: k.oats}))
	require.Equal(k, []api.ID{other, b}, find(api.ListLotsInput{LotCode: "b"}))
	require.Equal(k, []api.ID{b}, find(api.ListLotsInput{LotCode: "B", ProductID: k.oats}))
	page := do(k, api.ListLots, api.ListLotsInput{LotCode: "B", Limit: some(int64(1))})
	require.Equal(k, other, page.Items[0].ID)
	require.Equal(k, []api.ID{b}, find(api.ListLotsInput{LotCode: "B", Limit: some(int64(1)), Cursor: *page.NextCursor}))
}

func lotArchived(k *fixture) {
	milk := k.tracked("MILK", api.TrackLot)
	first := k.receiveLot(milk, 5, "L1", nil)
	lot := first.Movements[1].LotID
	archive := api.LotInput{LotID: lot}
	k.details(refuse(k, api.LotNotEmpty, api.ArchiveLot, archive), "lotCode", "L1", "onHand", 5)
	refuse(k, api.NotFound, api.ArchiveLot, api.LotInput{LotID: unknown()})
	refuse(k, api.NotFound, api.ArchiveLot, api.LotInput{LotID: milk})
	do(k, api.WriteOffStock, api.WriteOffStockInput{ProductID: milk, LocationID: k.wh, Quantity: some(int64(5)), Reason: "sour", LotID: lot})

	archived := do(k, api.ArchiveLot, archive)
	require.Equal(k, api.Lot{ID: lot, LotCode: "L1", Status: api.Archived}, archived)
	require.Equal(k, archived, do(k, api.ArchiveLot, archive), "once more changes nothing")
	require.Equal(k, []api.Lot{archived}, do(k, api.ListLots, api.ListLotsInput{ProductID: milk}).Items)
	trace := do(k, api.TraceLot, api.TraceLotInput{LotID: lot})
	require.Equal(k, archived, trace.Lot)
	require.Equal(k, api.Active, trace.Movements[0].Lot.Status, "as it was then")

	in := api.ReceiveInboundInput{InboundID: k.inbound(milk, 1).ID, Quantity: 1, LotCode: "L1"}
	k.details(refuse(k, api.LotArchived, api.ReceiveInbound, in), "lotCode", "L1")
	in.LotCode, in.LotID = "", lot
	refuse(k, api.LotArchived, api.ReceiveInbound, in)
	in.LotCode, in.LotID = "L2", api.ID{}
	do(k, api.ReceiveInbound, in)
}
