package apitest

import (
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var directStockTests = []test{
	{"receive stock", stockReceived},
	{"return stock", stockReturned},
	{"fulfill stock", stockFulfilled},
	{"write off stock", stockWrittenOff},
	{"reconcile stock", stockReconciled},
	{"next counts", nextCounts},
	{"next counts: class and shelf", nextCountsRanked},
	{"quantity, serials and units must agree", stockCounted},
}

func stockReceived(k *fixture) {
	in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: ptr(int64(4)), NewLot: api.NewLot{LotCode: "L1", ExpiresAt: ptr(k.Now().Add(24 * time.Hour))}, Reason: "found", Reference: api.Reference{ReferenceType: "note", ReferenceID: "N-1"}}
	out := do(k, api.ReceiveStock, in)
	require.Equal(k, []string{"receive onHand +4", "receive available +4"}, legs(out.Movements))
	require.Equal(k, "L1", out.Movements[0].Lot.LotCode)
	require.Equal(k, []string{"found", "N-1"}, []string{out.Movements[0].Reason, out.Movements[0].ReferenceID})
	drill, milk := k.tracked("DRILL", api.TrackSerial), k.tracked("MILK", api.TrackLot)
	serials := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, Serials: []api.SerialInput{{SerialNumber: "A"}, {SerialNumber: "B"}}}
	made := do(k, api.ReceiveStock, serials)
	require.EqualValues(k, 2, made.Balance.OnHand, "as many as the serials")
	require.Len(k, made.Movements[0].Serials, 2)
	mustFail(k, api.SerialExists, api.ReceiveStock, serials)
	mustFail(k, api.LotRequired, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh}, Quantity: ptr(int64(1))})
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: k.oats})
	mustFail(k, api.ProductArchived, api.ReceiveStock, in)
	mustFail(k, api.VersionConflict, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, Serials: []api.SerialInput{{SerialNumber: "C"}}}, api.IfMatch(7))
}

func stockReturned(k *fixture) {
	drill := k.tracked("DRILL", api.TrackSerial)
	lot := k.receiveLot(drill, 2, "L1", nil, "A", "B").Movements[1].LotID
	back := api.ReturnStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.shop}, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}, InventoryState: "qualityControl"}
	k.requireDetails(mustFail(k, api.SerialNotAvailable, api.ReturnStock, back), "status", api.InStock)
	do(k, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}})
	out := do(k, api.ReturnStock, back)
	require.Equal(k, []string{"return_stock onHand +1", "return_stock qualityControl +1"}, legs(out.Movements))
	require.Equal(k, lot, out.Movements[0].LotID, "it returns to its lot")
	require.Equal(k, api.Quantities{OnHand: 1, QualityControl: 1}, k.quantities(drill, k.shop))
	is, at := k.status(drill, "A")
	require.Equal(k, api.InStock, is)
	require.Equal(k, k.shop, at)
	mustFail(k, api.SerialCountMismatch, api.ReturnStock, api.ReturnStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, Quantity: ptr(int64(1))})

	milk := k.tracked("MILK", api.TrackLot)
	plain := api.ReturnStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh}, Quantity: ptr(int64(3))}
	mustFail(k, api.LotRequired, api.ReturnStock, plain)
	plain.LotCode = "M1"
	require.Equal(k, []string{"return_stock onHand +3", "return_stock available +3"}, legs(do(k, api.ReturnStock, plain).Movements))
	plain.InventoryState = "damaged"
	require.Equal(k, []string{"inventoryState"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReturnStock, plain)))
}

func stockFulfilled(k *fixture) {
	a, b, _ := stockInLots(k)
	in := api.FulfillStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: ptr(int64(3)), Reason: "counter sale"}
	out := do(k, api.FulfillStock, in)
	require.Equal(k, []string{"- 2", "A 1"}, lotsTaken(out.Movements))
	require.Equal(k, []string{"fulfill available -2", "fulfill available -1", "fulfill onHand -2", "fulfill onHand -1"}, legs(out.Movements))
	k.Advance(25 * time.Hour) // A has expired
	in.LotStrategy = api.FEFO
	require.Equal(k, []string{"B 3"}, lotsTaken(do(k, api.FulfillStock, in).Movements))
	in.LotStrategy, in.LotID = "", a
	k.requireDetails(mustFail(k, api.InsufficientStock, api.FulfillStock, in), "lotCode", "A")
	in.LotID = b
	k.requireDetails(mustFail(k, api.InsufficientStock, api.FulfillStock, in), "lotCode", "B", "current", 0)
	in.LotID, in.Quantity = api.NoID, ptr(int64(6))
	k.requireDetails(mustFail(k, api.InsufficientStock, api.FulfillStock, in), "current", 5, "requested", 6, "expired", 3)
	do(k, api.MoveStock, move(k.oats, k.wh, 8, api.Available, api.SafetyStock))
	in.InventoryState, in.Quantity = "safetyStock", ptr(int64(5))
	require.Equal(k, api.Quantities{OnHand: 3, SafetyStock: 3}, do(k, api.FulfillStock, in).Balance.Quantities)
	in.InventoryState = "onHand"
	require.Equal(k, []string{"inventoryState"}, k.invalidFields(mustFail(k, api.ValidationError, api.FulfillStock, in)))
	in.InventoryState, in.LotID, in.LotStrategy = "committed", a, api.FEFO
	require.ElementsMatch(k, []string{"lotId", "lotStrategy"}, k.invalidFields(mustFail(k, api.ValidationError, api.FulfillStock, in)))
}

func stockWrittenOff(k *fixture) {
	stockInLots(k)
	k.Advance(25 * time.Hour)
	in := api.WriteOffStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: ptr(int64(5)), LotChoice: api.LotChoice{LotStrategy: api.FEFO}, Reason: "expired"}
	require.Equal(k, []string{"A 4", "B 1"}, lotsTaken(do(k, api.WriteOffStock, in).Movements))
	in.Reason = ""
	require.Equal(k, []string{"reason"}, k.invalidFields(mustFail(k, api.ValidationError, api.WriteOffStock, in)))
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 2, "", nil, "A", "B")
	broken := move(drill, k.wh, 1, api.Available, api.Damaged)
	broken.SerialNumbers = []string{"A"}
	do(k, api.MoveStock, broken)
	off := api.WriteOffStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}, Reason: "fell"}
	mustFail(k, api.SerialNotAvailable, api.WriteOffStock, off)
	off.InventoryState = "damaged"
	require.Equal(k, []string{"write_off damaged -1", "write_off onHand -1"}, legs(do(k, api.WriteOffStock, off).Movements))
	is, _ := k.status(drill, "A")
	require.Equal(k, api.WrittenOff, is)
	found := api.ReturnStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.shop}, SerialChoice: api.SerialChoice{SerialNumbers: []string{"A"}}}
	require.Equal(k, []string{"return_stock onHand +1", "return_stock available +1"}, legs(do(k, api.ReturnStock, found).Movements))
	is, at := k.status(drill, "A")
	require.Equal(k, api.InStock, is)
	require.Equal(k, k.shop, at)
	mustFail(k, api.SerialNotAvailable, api.ReturnStock, found)
}

func stockReconciled(k *fixture) {
	in := api.ReconcileStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, CountedQuantity: ptr(int64(9)), Reason: "year's end"}
	out := do(k, api.ReconcileStock, in)
	require.Equal(k, []string{"reconcile onHand +9", "reconcile available +9"}, legs(out.Movements))
	do(k, api.MoveStock, move(k.oats, k.wh, 4, api.Available, api.Damaged))
	same := do(k, api.ReconcileStock, in)
	require.Equal(k, []string{"reconcile onHand +0"}, legs(same.Movements), "the trace of the count")
	require.EqualValues(k, 3, same.Balance.Version)
	in.CountedQuantity = ptr(int64(7))
	out = do(k, api.ReconcileStock, in)
	require.Equal(k, []string{"reconcile onHand -2", "reconcile available -2"}, legs(out.Movements))
	require.Equal(k, api.Quantities{OnHand: 7, Available: 3, Damaged: 4}, out.Balance.Quantities)
	in.CountedQuantity = ptr(int64(0))
	k.requireDetails(mustFail(k, api.InsufficientStock, api.ReconcileStock, in), "inventoryState", api.Available, "current", 3, "requested", 7)
	in.CountedQuantity = nil
	require.Equal(k, []string{"countedQuantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReconcileStock, in)))

	lot := k.receiveLot(k.oats, 5, "L1", nil).Movements[1].LotID
	in.LotID, in.CountedQuantity = lot, ptr(int64(6))
	out = do(k, api.ReconcileStock, in)
	require.Equal(k, []string{"reconcile onHand +1", "reconcile available +1"}, legs(out.Movements))
	require.Equal(k, lot, out.Movements[0].LotID)
	in.CountedQuantity = ptr(int64(2))
	require.Equal(k, []string{"L1 4"}, lotsTaken(do(k, api.ReconcileStock, in).Movements))
	require.Equal(k, api.Quantities{OnHand: 9, Available: 5, Damaged: 4}, k.quantities(k.oats, k.wh))
	drill := k.tracked("DRILL", api.TrackSerial)
	mustFail(k, api.SerialCountMismatch, api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, CountedQuantity: ptr(int64(1))})
}

func stockCounted(k *fixture) {
	wine := do(k, api.CreateProduct, api.CreateProductInput{SKU: "WINE", Name: "Wine", BaseUnitCode: "bottle", Units: []api.Unit{{UnitCode: "case", Factor: 6}}}).ID
	in := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: wine, LocationID: k.wh}, Quantity: ptr(int64(12)), UnitInput: api.UnitInput{UnitCode: "case", UnitQuantity: ptr(int64(2))}}
	m := do(k, api.ReceiveStock, in).Movements[0]
	require.Equal(k, []any{"case", int64(2), "bottle"}, []any{m.UnitCode, m.UnitQuantity, m.BaseUnitCode})
	in.Quantity = ptr(int64(11))
	k.requireDetails(mustFail(k, api.UnitConversionMismatch, api.ReceiveStock, in), "factor", 6, "quantity", 11)
	in.Quantity, in.UnitCode = nil, ""
	require.ElementsMatch(k, []string{"quantity", "unitQuantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReceiveStock, in)))
	require.Equal(k, []string{"quantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: wine, LocationID: k.wh}})))
	require.ElementsMatch(k, []string{"quantity", "reason"}, k.invalidFields(mustFail(k, api.ValidationError, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: wine, LocationID: k.wh}})))
	drill := k.tracked("DRILL", api.TrackSerial)
	k.receiveLot(drill, 2, "", nil, "A", "B")
	mustFail(k, api.SerialCountMismatch, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, Quantity: ptr(int64(1))})
	mustFail(k, api.SerialCountMismatch, api.FulfillStock, api.FulfillStockInput{StockKey: api.StockKey{ProductID: drill, LocationID: k.wh}, Quantity: ptr(int64(1)), SerialChoice: api.SerialChoice{SerialNumbers: []string{"A", "B"}}})
	require.EqualValues(k, 2, k.quantities(drill, k.wh).OnHand)
}

// skusOf returns the SKUs of counts, with their classes.
func skusOf(list []api.NextCount) (out []string) {
	for _, c := range list {
		out = append(out, strings.TrimSpace(c.Product.SKU+" "+c.Class))
	}
	return out
}

func nextCounts(k *fixture) {
	in := api.ListNextCountsInput{LocationID: k.wh}
	require.Equal(k, "[]", k.text(do(k, api.ListNextCounts, in).Items))
	rye, gone := k.product("RYE"), k.product("GONE")
	k.stock(k.oats, k.wh, 4)
	k.stock(rye, k.wh, 4)
	k.stock(rye, k.shop, 4)
	k.stock(gone, k.wh, 1)
	k.stock(gone, k.wh, -1)
	require.Equal(k, []string{"OAT-1L A", "RYE A"}, skusOf(do(k, api.ListNextCounts, in).Items), "only what is there")

	k.Advance(time.Hour)
	counted := do(k, api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, CountedQuantity: ptr(int64(4))}, api.By("Ben")).Movements[0]
	k.Advance(time.Hour)
	list := do(k, api.ListNextCounts, in).Items
	require.Equal(k, []string{"RYE A", "OAT-1L A"}, skusOf(list))
	require.True(k, list[0].CountedAt.IsZero(), "never")
	require.Equal(k, counted.CreatedAt, list[1].CountedAt)
	require.Equal(k, "Ben", list[1].CountedBy.Label)
	mustFail(k, api.NotFound, api.ListNextCounts, api.ListNextCountsInput{LocationID: newID()})
	require.Equal(k, []string{"locationId"}, k.invalidFields(mustFail(k, api.ValidationError, api.ListNextCounts, api.ListNextCountsInput{})))
}

// nextCountsRanked counts what moves often first, and all that lies on its shelf with it.
func nextCountsRanked(k *fixture) {
	const day = 24 * time.Hour
	var ids []api.ID
	for _, sku := range []string{"FAST", "SLOW", "BESIDE", "ALONE"} {
		p := k.product(sku)
		ids = append(ids, p)
		k.stock(p, k.wh, 100)
	}
	for i, shelf := range []string{"A-2", "A-10", "a-2"} {
		do(k, api.SetShelves, api.SetShelvesInput{ProductID: ids[i], LocationID: k.wh, Shelves: []string{shelf}})
	}
	agree := func(product api.ID, n int64) {
		do(k, api.ReconcileStock, api.ReconcileStockInput{StockKey: api.StockKey{ProductID: product, LocationID: k.wh}, CountedQuantity: ptr(n)})
	}
	list := func() []string {
		return skusOf(do(k, api.ListNextCounts, api.ListNextCountsInput{LocationID: k.wh}).Items)
	}

	for range 36 {
		k.stock(ids[0], k.wh, -1)
	}
	k.Advance(30 * day)
	agree(ids[2], 100)
	agree(ids[0], 64)
	k.Advance(20 * day)
	require.Equal(k, []string{"FAST A", "BESIDE C", "SLOW B", "ALONE C"}, list())
	k.Advance(200 * day)
	for range 9 {
		k.stock(ids[3], k.wh, 1)
	}
	require.Equal(k, "ALONE A", list()[0], "older movements do not count")
	for i := range 12 {
		k.stock(k.product(fmt.Sprintf("NEW-%d", i)), k.wh, 1)
	}
	k.Advance(day)
	require.Len(k, list(), 11, "ten shelves")
}
