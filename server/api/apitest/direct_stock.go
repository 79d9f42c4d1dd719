package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var goodsTests = []test{
	{"stock is received without an inbound", goodsReceived},
	{"stock comes back", goodsReturned},
	{"stock is fulfilled from any state, and never expired", goodsFulfilled},
	{"stock is written off, expired lots too", goodsWrittenOff},
	{"a count is booked as its difference", goodsReconciled},
	{"quantity, pieces and units agree", goodsCounted},
}

func goodsReceived(k *fixture) {
	in := api.ReceiveStockInput{ProductID: k.oats, LocationID: k.wh, Quantity: some(int64(4)), LotCode: "L1",
		ExpiresAt: some(k.Now().Add(24 * time.Hour)), Reason: "found", ReferenceType: "note", ReferenceID: "N-1"}
	out := twice(k, api.ReceiveStock, in, func() {})
	require.Equal(k, []string{"receive onHand +4", "receive available +4"}, legs(out.Movements))
	require.Equal(k, "L1", out.Movements[0].Lot.LotCode)
	require.Equal(k, []string{"found", "N-1"}, []string{out.Movements[0].Reason, out.Movements[0].ReferenceID})
	drill, milk := k.tracked("DRILL", api.TrackSerial), k.tracked("MILK", api.TrackLot)
	pieces := api.ReceiveStockInput{ProductID: drill, LocationID: k.wh, Serials: []api.SerialInput{{SerialNumber: "A"}, {SerialNumber: "B"}}}
	made := do(k, api.ReceiveStock, pieces)
	require.EqualValues(k, 2, made.Balance.OnHand, "as many as the serials")
	require.Len(k, made.Movements[0].Serials, 2)
	refuse(k, api.SerialExists, api.ReceiveStock, pieces)
	refuse(k, api.LotRequired, api.ReceiveStock, api.ReceiveStockInput{ProductID: milk, LocationID: k.wh, Quantity: some(int64(1))})
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: k.oats})
	refuse(k, api.ProductArchived, api.ReceiveStock, in)
	refuse(k, api.VersionConflict, api.ReceiveStock, api.ReceiveStockInput{ProductID: drill, LocationID: k.wh, Serials: []api.SerialInput{{SerialNumber: "C"}}}, api.IfMatch(7))
}

func goodsReturned(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	lot := k.receiveLot(drill, 2, "L1", nil, "A", "B").Movements[1].LotID
	back := api.ReturnStockInput{ProductID: drill, LocationID: k.shop, SerialNumbers: []string{"A"}, InventoryState: "qualityControl"}
	k.details(refuse(k, api.SerialNotAvailable, api.ReturnStock, back), "status", api.InStock)
	do(k, api.FulfillStock, api.FulfillStockInput{ProductID: drill, LocationID: k.wh, SerialNumbers: []string{"A"}})
	out := twice(k, api.ReturnStock, back, func() {})
	require.Equal(k, []string{"return_stock onHand +1", "return_stock qualityControl +1"}, legs(out.Movements))
	require.Equal(k, lot, out.Movements[0].LotID, "in the lot it left with")
	require.Equal(k, api.Quantities{OnHand: 1, QualityControl: 1}, k.held(drill, k.shop))
	is, at := k.status(drill, "A")
	require.Equal(k, api.InStock, is)
	require.Equal(k, k.shop, at)
	refuse(k, api.SerialCountMismatch, api.ReturnStock, api.ReturnStockInput{ProductID: drill, LocationID: k.wh, Quantity: some(int64(1))})

	milk := k.tracked("MILK", api.TrackLot)
	plain := api.ReturnStockInput{ProductID: milk, LocationID: k.wh, Quantity: some(int64(3))}
	refuse(k, api.LotRequired, api.ReturnStock, plain)
	plain.LotCode = "M1"
	require.Equal(k, []string{"return_stock onHand +3", "return_stock available +3"}, legs(do(k, api.ReturnStock, plain).Movements))
	plain.InventoryState = "damaged"
	require.Equal(k, []string{"inventoryState"}, k.broken(refuse(k, api.ValidationError, api.ReturnStock, plain)))
}

func goodsFulfilled(k *fixture) {
	a, b, _ := stockInLots(k)
	in := api.FulfillStockInput{ProductID: k.oats, LocationID: k.wh, Quantity: some(int64(3)), Reason: "counter sale"}
	out := twice(k, api.FulfillStock, in, func() {})
	require.Equal(k, []string{"- 2", "A 1"}, lotsTaken(out.Movements))
	require.Equal(k, []string{"fulfill available -2", "fulfill available -1", "fulfill onHand -2", "fulfill onHand -1"}, legs(out.Movements))
	k.Advance(25 * time.Hour) // A has expired
	in.LotStrategy = api.FEFO
	require.Equal(k, []string{"B 3"}, lotsTaken(do(k, api.FulfillStock, in).Movements))
	in.LotStrategy, in.LotID = "", a
	k.details(refuse(k, api.InsufficientStock, api.FulfillStock, in), "lotCode", "A")
	in.LotID = b
	k.details(refuse(k, api.InsufficientStock, api.FulfillStock, in), "lotCode", "B", "current", 0)
	in.LotID, in.Quantity = api.ID{}, some(int64(6))
	k.details(refuse(k, api.InsufficientStock, api.FulfillStock, in), "current", 5, "requested", 6, "expired", 3)
	do(k, api.MoveStock, move(k.oats, k.wh, 8, api.Available, api.SafetyStock))
	in.InventoryState, in.Quantity = "safetyStock", some(int64(5))
	require.Equal(k, api.Quantities{OnHand: 3, SafetyStock: 3}, do(k, api.FulfillStock, in).Balance.Quantities)
	in.InventoryState = "onHand"
	require.Equal(k, []string{"inventoryState"}, k.broken(refuse(k, api.ValidationError, api.FulfillStock, in)))
	in.InventoryState, in.LotID, in.LotStrategy = "committed", a, api.FEFO
	require.ElementsMatch(k, []string{"lotId", "lotStrategy"}, k.broken(refuse(k, api.ValidationError, api.FulfillStock, in)))
}

func goodsWrittenOff(k *fixture) {
	stockInLots(k)
	k.Advance(25 * time.Hour)
	in := api.WriteOffStockInput{ProductID: k.oats, LocationID: k.wh, Quantity: some(int64(5)), LotStrategy: api.FEFO, Reason: "expired"}
	require.Equal(k, []string{"A 4", "B 1"}, lotsTaken(twice(k, api.WriteOffStock, in, func() {}).Movements))
	in.Reason = ""
	require.Equal(k, []string{"reason"}, k.broken(refuse(k, api.ValidationError, api.WriteOffStock, in)))
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 2, "", nil, "A", "B")
	broken := move(drill, k.wh, 1, api.Available, api.Damaged)
	broken.SerialNumbers = []string{"A"}
	do(k, api.MoveStock, broken)
	off := api.WriteOffStockInput{ProductID: drill, LocationID: k.wh, SerialNumbers: []string{"A"}, Reason: "fell"}
	refuse(k, api.SerialNotAvailable, api.WriteOffStock, off)
	off.InventoryState = "damaged"
	require.Equal(k, []string{"write_off damaged -1", "write_off onHand -1"}, legs(do(k, api.WriteOffStock, off).Movements))
	is, _ := k.status(drill, "A")
	require.Equal(k, api.WrittenOff, is)
	refuse(k, api.SerialNotAvailable, api.ReturnStock, api.ReturnStockInput{ProductID: drill, LocationID: k.wh, SerialNumbers: []string{"A"}})
}

func goodsReconciled(k *fixture) {
	in := api.ReconcileStockInput{ProductID: k.oats, LocationID: k.wh, CountedQuantity: some(int64(9)), Reason: "year's end"}
	out := twice(k, api.ReconcileStock, in, func() {})
	require.Equal(k, []string{"reconcile onHand +9", "reconcile available +9"}, legs(out.Movements))
	do(k, api.MoveStock, move(k.oats, k.wh, 4, api.Available, api.Damaged))
	same := do(k, api.ReconcileStock, in)
	require.Equal(k, "[]", k.text(same.Movements), "no difference")
	require.EqualValues(k, 2, same.Balance.Version)
	in.CountedQuantity = some(int64(7))
	out = do(k, api.ReconcileStock, in)
	require.Equal(k, []string{"reconcile onHand -2", "reconcile available -2"}, legs(out.Movements))
	require.Equal(k, api.Quantities{OnHand: 7, Available: 3, Damaged: 4}, out.Balance.Quantities)
	in.CountedQuantity = some(int64(0))
	k.details(refuse(k, api.InsufficientStock, api.ReconcileStock, in), "inventoryState", api.Available, "current", 3, "requested", 7)
	in.CountedQuantity = nil
	require.Equal(k, []string{"countedQuantity"}, k.broken(refuse(k, api.ValidationError, api.ReconcileStock, in)))

	lot := k.receiveLot(k.oats, 5, "L1", nil).Movements[1].LotID
	in.LotID, in.CountedQuantity = lot, some(int64(6))
	out = do(k, api.ReconcileStock, in)
	require.Equal(k, []string{"reconcile onHand +1", "reconcile available +1"}, legs(out.Movements))
	require.Equal(k, lot, out.Movements[0].LotID)
	in.CountedQuantity = some(int64(2))
	require.Equal(k, []string{"L1 4"}, lotsTaken(do(k, api.ReconcileStock, in).Movements))
	require.Equal(k, api.Quantities{OnHand: 9, Available: 5, Damaged: 4}, k.held(k.oats, k.wh))
	drill := k.tracked("DRILL", api.TrackSerial)
	refuse(k, api.SerialCountMismatch, api.ReconcileStock, api.ReconcileStockInput{ProductID: drill, LocationID: k.wh, CountedQuantity: some(int64(1))})
}

func goodsCounted(k *fixture) {
	wine := do(k, api.CreateProduct, api.CreateProductInput{SKU: "WINE", Name: "Wine", BaseUnitCode: "bottle", Units: []api.Unit{{UnitCode: "case", Factor: 6}}}).ID
	in := api.ReceiveStockInput{ProductID: wine, LocationID: k.wh, Quantity: some(int64(12)), UnitCode: "case", UnitQuantity: some(int64(2))}
	m := do(k, api.ReceiveStock, in).Movements[0]
	require.Equal(k, []any{"case", int64(2), "bottle"}, []any{m.UnitCode, m.UnitQuantity, m.BaseUnitCode})
	in.Quantity = some(int64(11))
	k.details(refuse(k, api.UnitConversionMismatch, api.ReceiveStock, in), "factor", 6, "quantity", 11)
	in.Quantity, in.UnitCode = nil, ""
	require.ElementsMatch(k, []string{"quantity", "unitQuantity"}, k.broken(refuse(k, api.ValidationError, api.ReceiveStock, in)))
	require.Equal(k, []string{"quantity"}, k.broken(refuse(k, api.ValidationError, api.FulfillStock, api.FulfillStockInput{ProductID: wine, LocationID: k.wh})))
	require.ElementsMatch(k, []string{"quantity", "reason"}, k.broken(refuse(k, api.ValidationError, api.WriteOffStock, api.WriteOffStockInput{ProductID: wine, LocationID: k.wh})))
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 2, "", nil, "A", "B")
	refuse(k, api.SerialCountMismatch, api.FulfillStock, api.FulfillStockInput{ProductID: drill, LocationID: k.wh, Quantity: some(int64(1))})
	refuse(k, api.SerialCountMismatch, api.FulfillStock, api.FulfillStockInput{ProductID: drill, LocationID: k.wh, Quantity: some(int64(1)), SerialNumbers: []string{"A", "B"}})
	require.EqualValues(k, 2, k.held(drill, k.wh).OnHand)
}
