package apitest

import (
	"cmp"
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var lotTests = []test{
	{"lot is created by its first receipt", lotCreated},
	{"lot mismatch is rejected", lotMismatch},
	{"lot fields require a lot", lotFields},
	{"lot codes and serial numbers are trimmed", codesTrimmed},
	{"lot is required for tracked products", lotRequired},
	{"lots: default order", lotOrder},
	{"lots: FEFO", lotFEFO},
	{"lots: named lot", lotNamed},
	{"list lots", lotsListed},
	{"list pickable stock", pickableListed},
	{"archive lot", lotArchived},
}

func lotCreated(k *fixture) {
	milk, ends := k.tracked("MILK", api.TrackLot), k.Now().Add(240*time.Hour)
	out := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: k.inbound(milk, 8).ID, Quantity: 5,
		NewLot: api.NewLot{LotCode: "L1", BatchCode: "B7", ExpiresAt: &ends, LotMetadata: api.Metadata(`{"farm":"x"}`)}})
	require.Equal(k, []string{"inbound_receive incoming -5", "inbound_receive onHand +5", "inbound_receive available +5"}, legs(out.Movements))
	lot := out.Movements[1].Lot
	require.Equal(k, &api.Lot{ID: out.Movements[1].LotID, LotCode: "L1", BatchCode: "B7", ExpiresAt: &ends, Status: api.Active}, lot)
	require.Nil(k, out.Movements[0].Lot, "an incoming movement has no lot")
	again := k.receiveLot(milk, 2, "L1", nil)
	require.Equal(k, lot.ID, again.Movements[1].LotID)
	byID := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: k.inbound(milk, 1).ID, Quantity: 1, NewLot: api.NewLot{LotID: lot.ID}})
	require.Equal(k, lot, byID.Movements[1].Lot)
}

func lotMismatch(k *fixture) {
	milk, beer, ends := k.tracked("MILK", api.TrackLot), k.tracked("BEER", api.TrackLot), k.Now().Add(240*time.Hour)
	lot := k.receiveLot(milk, 2, "L1", &ends).Movements[1].LotID
	later := ends.Add(24 * time.Hour)
	receive := api.ReceiveInboundInput{InboundID: k.inbound(milk, 1).ID, Quantity: 1, NewLot: api.NewLot{LotCode: "L1", ExpiresAt: &later}}
	k.requireDetails(mustFail(k, api.LotMismatch, api.ReceiveInbound, receive), "lotCode", "L1")
	receive.InboundID, receive.ExpiresAt, receive.LotCode, receive.LotID = k.inbound(beer, 1).ID, nil, "", lot
	mustFail(k, api.LotMismatch, api.ReceiveInbound, receive)
	receive.LotID = newID()
	mustFail(k, api.NotFound, api.ReceiveInbound, receive)
	receive.LotID, receive.LotCode = api.NoID, "L1"
	require.NotEqual(k, lot, do(k, api.ReceiveInbound, receive).Movements[1].LotID, "lot codes are unique per product")
}

func lotFields(k *fixture) {
	in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: ptr(int64(1)),
		NewLot: api.NewLot{BatchCode: "B", ExpiresAt: ptr(k.Now().Add(24 * time.Hour)), LotMetadata: api.Metadata(`{"bay":1}`)}}
	require.Equal(k, []string{"batchCode", "expiresAt", "lotMetadata"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReceiveStock, in)))
	in.LotCode = "L1"
	require.Equal(k, "B", do(k, api.ReceiveStock, in).Movements[0].Lot.BatchCode)
	in.BatchCode = ""
	do(k, api.ReceiveStock, in)
	in.BatchCode = "C"
	k.requireDetails(mustFail(k, api.LotMismatch, api.ReceiveStock, in), "batchCode", "B", "requested", "C")
	in.LotCode, in.BatchCode = "L2", ""
	do(k, api.ReceiveStock, in)
	in.BatchCode = "B"
	require.Contains(k, mustFail(k, api.LotMismatch, api.ReceiveStock, in).Message, "without a batch")
	in.LotCode, in.BatchCode, in.ExpiresAt = "L3", "", nil
	do(k, api.ReceiveStock, in)
	in.ExpiresAt = ptr(k.Now().Add(24 * time.Hour))
	e := mustFail(k, api.LotMismatch, api.ReceiveStock, in)
	require.Contains(k, e.Message, "without an expiration date")
	require.NotContains(k, e.Details, "expiresAt")
}

func codesTrimmed(k *fixture) {
	milk, drill := k.tracked("MILK", api.TrackLot), k.tracked("DRILL", api.TrackSerial)
	in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh}, Quantity: ptr(int64(1)), NewLot: api.NewLot{LotCode: " "}}
	mustFail(k, api.LotRequired, api.ReceiveStock, in)
	in.LotCode = "L1"
	lot := do(k, api.ReceiveStock, in).Movements[0].LotID
	in.LotCode = " L1 "
	require.Equal(k, lot, do(k, api.ReceiveStock, in).Movements[0].LotID)

	serials := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, Serials: []api.SerialInput{{SerialNumber: "A "}}}
	require.Equal(k, "A", do(k, api.ReceiveStock, serials).Movements[0].Serials[0].SerialNumber)
	serials.Serials = []api.SerialInput{{SerialNumber: " A"}}
	mustFail(k, api.SerialExists, api.ReceiveStock, serials)
	serials.Serials = []api.SerialInput{{SerialNumber: "B"}, {SerialNumber: "C"}, {SerialNumber: "B "}}
	require.Equal(k, []string{"serials[2].serialNumber"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReceiveStock, serials)))
	do(k, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, SerialChoice: api.SerialChoice{SerialNumbers: []string{" A "}}})
}

func lotRequired(k *fixture) {
	milk := k.tracked("MILK", api.TrackLot)
	k.requireDetails(mustFail(k, api.LotRequired, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: k.inbound(milk, 1).ID, Quantity: 1}), "sku", "MILK")
}

// stockInLots stocks 2 without a lot, 3 in lot B that expires in two days, 4 in lot A
// that expires in one day, and 5 in lot N that does not expire.
func stockInLots(k *fixture) (a, b, n api.ID) {
	day := 24 * time.Hour
	b = k.receiveLot(k.oats, 3, "B", ptr(k.Now().Add(2*day))).Movements[1].LotID
	n = k.receiveLot(k.oats, 5, "N", nil).Movements[1].LotID
	a = k.receiveLot(k.oats, 4, "A", ptr(k.Now().Add(day))).Movements[1].LotID
	k.stock(k.oats, k.wh, 2)
	return a, b, n
}

func move(product, location api.ID, q int64, from, to api.State) api.MoveStockInput {
	return api.MoveStockInput{StockKey: api.StockKey{ProductID: product, LocationID: location}, Quantity: q, Reason: "check",
		SourceState: api.MovableState(from), DestinationState: api.MovableState(to)}
}

// lotsTaken summarizes the movements out of available by lot, like "A 4".
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
	k.requireDetails(mustFail(k, api.InsufficientStock, api.MoveStock, in), "current", 5, "requested", 6)
	in.Quantity = 5
	require.Equal(k, []string{"N 3", "- 2"}, lotsTaken(do(k, api.MoveStock, in).Movements))
	created := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(1))})
	require.Equal(k, api.OutboundBackordered, created.Outbound.Status)
}

func lotNamed(k *fixture) {
	_, b, _ := stockInLots(k)
	in := move(k.oats, k.wh, 2, api.Available, api.Damaged)
	in.LotID = b
	require.Equal(k, []string{"B 2"}, lotsTaken(do(k, api.MoveStock, in).Movements))
	k.requireDetails(mustFail(k, api.InsufficientStock, api.MoveStock, in), "lotCode", "B", "current", 1, "requested", 2)
	in.LotStrategy = api.FEFO
	require.Equal(k, []string{"lotStrategy"}, k.invalidFields(mustFail(k, api.ValidationError, api.MoveStock, in)))
	in.LotStrategy, in.ProductID = "", k.product("OTHER")
	mustFail(k, api.LotMismatch, api.MoveStock, in)
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
	page := do(k, api.ListLots, api.ListLotsInput{LotCode: "B", Page: api.Page{Limit: ptr(int64(1))}})
	require.Equal(k, other, page.Items[0].ID)
	require.Equal(k, []api.ID{b}, find(api.ListLotsInput{LotCode: "B", Page: api.Page{Limit: ptr(int64(1)), Cursor: *page.NextCursor}}))
}

func pickableListed(k *fixture) {
	a, b, n := stockInLots(k)
	in := api.ListPickableStockInput{ProductID: k.oats, LocationID: k.wh}
	find := func() (out []string) {
		for _, l := range do(k, api.ListPickableStock, in).Items {
			out = append(out, fmt.Sprintf("%s %d", cmp.Or(l.LotCode, "-"), l.AvailableQuantity))
		}
		return out
	}

	require.Equal(k, []string{"- 2", "A 4", "B 3", "N 5"}, find())
	first := do(k, api.ListPickableStock, in).Items[1]
	require.Equal(k, api.PickableLot{LotID: a, LotCode: "A", ExpiresAt: ptr(k.Now().Add(24 * time.Hour)), AvailableQuantity: 4}, first)
	var paged []string
	for one := in; ; {
		one.Limit = ptr(int64(1))
		page := do(k, api.ListPickableStock, one)
		require.Len(k, page.Items, 1)
		require.EqualValues(k, 14, page.AvailableQuantity, "of all pages")
		paged = append(paged, cmp.Or(page.Items[0].LotCode, "-"))
		if page.NextCursor == nil {
			break
		}

		one.Cursor = *page.NextCursor
	}

	require.Equal(k, []string{"-", "A", "B", "N"}, paged)
	mustFail(k, api.InvalidCursor, api.ListPickableStock, api.ListPickableStockInput{ProductID: k.oats, LocationID: k.wh, Cursor: "there"})
	k.outbound(5)
	require.Equal(k, []string{"A 1", "B 3", "N 5"}, find(), "allocated stock is not available")
	k.Advance(25 * time.Hour)
	require.Equal(k, []string{"B 3", "N 5"}, find(), "expired stock is not picked")
	require.NotEqual(k, b, n)

	drill := k.tracked("DRILL", api.TrackSerial)
	in.ProductID = drill
	require.Empty(k, find())
	k.receiveLot(drill, 2, "", nil, "SN-2", "SN-1")
	k.receiveLot(drill, 1, "", nil, "SN-3")
	do(k, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, Quantity: 1, Reason: "check",
		SourceState: api.MovableState(api.Available), DestinationState: api.MovableState(api.Damaged), SerialChoice: api.SerialChoice{SerialNumbers: []string{"SN-2"}}})
	do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: drill, LocationID: k.wh, RequestedQuantity: ptr(int64(2))})
	require.Equal(k, []api.PickableLot{{SerialNumbers: []string{"SN-1", "SN-3"}}}, do(k, api.ListPickableStock, in).Items)

	mustFail(k, api.NotFound, api.ListPickableStock, api.ListPickableStockInput{ProductID: newID(), LocationID: k.wh})
	mustFail(k, api.NotFound, api.ListPickableStock, api.ListPickableStockInput{ProductID: drill, LocationID: newID()})
	require.Equal(k, []string{"productId", "locationId"}, k.invalidFields(mustFail(k, api.ValidationError, api.ListPickableStock, api.ListPickableStockInput{})))
}

func lotArchived(k *fixture) {
	milk := k.tracked("MILK", api.TrackLot)
	first := k.receiveLot(milk, 5, "L1", nil)
	lot := first.Movements[1].LotID
	archive := api.LotInput{LotID: lot}
	k.requireDetails(mustFail(k, api.LotNotEmpty, api.ArchiveLot, archive), "lotCode", "L1", "onHand", 5)
	mustFail(k, api.NotFound, api.ArchiveLot, api.LotInput{LotID: newID()})
	mustFail(k, api.NotFound, api.ArchiveLot, api.LotInput{LotID: milk})
	do(k, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh}, Quantity: ptr(int64(5)), Reason: "sour", LotChoice: api.LotChoice{LotID: lot}})

	archived := do(k, api.ArchiveLot, archive)
	require.Equal(k, api.Lot{ID: lot, LotCode: "L1", Status: api.Archived}, archived)
	require.Equal(k, archived, do(k, api.ArchiveLot, archive), "archiving again changes nothing")
	require.Equal(k, []api.Lot{archived}, do(k, api.ListLots, api.ListLotsInput{ProductID: milk}).Items)
	trace := do(k, api.TraceLot, api.TraceLotInput{LotID: lot})
	require.Equal(k, archived, trace.Lot)
	require.Equal(k, api.Active, trace.Movements[0].Lot.Status, "a movement has the lot as it was then")

	in := api.ReceiveInboundInput{InboundID: k.inbound(milk, 1).ID, Quantity: 1, NewLot: api.NewLot{LotCode: "L1"}}
	k.requireDetails(mustFail(k, api.LotArchived, api.ReceiveInbound, in), "lotCode", "L1")
	in.LotCode, in.LotID = "", lot
	mustFail(k, api.LotArchived, api.ReceiveInbound, in)
	in.LotCode, in.LotID = "L2", api.NoID
	do(k, api.ReceiveInbound, in)
}
