package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var kitTests = []test{
	{"disassemble kit", kitDisassembled},
	{"assemble kit", kitAssembled},
	{"disassemble kit: rejections", kitRejected},
	{"kit with lot, serials and units", kitTracked},
	{"parts of a kit return to lots", kitPartsToLots},
}

// basket creates a kit of 2 oats and 3 milk.
func (k *fixture) basket(by api.Tracking, units ...api.Unit) (basket, milk api.ID) {
	k.Helper()
	milk = k.product("MILK")
	basket = do(k, api.CreateProduct, api.CreateProductInput{SKU: "BASKET", Name: "Basket", Tracking: by, Units: units,
		Components: []api.Component{{ProductID: k.oats, Quantity: 2}, {ProductID: milk, Quantity: 3}}}).ID
	return basket, milk
}

func (k *fixture) kits(product api.ID, q int64) api.DisassembleInput {
	return api.DisassembleInput{StockKey: api.StockKey{ProductID: product, LocationID: k.wh}, Quantity: q}
}

func kitDisassembled(k *fixture) {
	basket, milk := k.basket("")
	k.stock(basket, k.wh, 5)
	in := k.kits(basket, 2)
	in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata = "sold apart", "job", "J-1", api.Metadata(`{"table":4}`)
	out := do(k, api.DisassembleStock, in)
	require.Equal(k, []string{"composition_disassemble_input onHand -2", "composition_disassemble_input available -2",
		"composition_disassemble_component onHand +4", "composition_disassemble_component available +4",
		"composition_disassemble_component onHand +6", "composition_disassemble_component available +6"}, legs(out.Movements))
	require.Equal(k, basket, out.Balance.ProductID)
	require.EqualValues(k, 3, out.Balance.Available)
	require.Len(k, out.ComponentBalances, 2)
	require.Equal(k, []api.ID{k.oats, milk}, []api.ID{out.ComponentBalances[0].ProductID, out.ComponentBalances[1].ProductID})
	require.EqualValues(k, 6, out.ComponentBalances[1].OnHand)
	require.Equal(k, "sold apart", out.Movements[3].Reason)
	require.Equal(k, "J-1", out.Movements[3].ReferenceID)
	oats, milks := `{"productId":"`+k.oats.String()+`","sku":"OAT-1L","quantity":2}`, `{"productId":"`+milk.String()+`","sku":"MILK","quantity":3}`
	whole := func(parts string) string {
		return `{"table":4,"composition":{"productId":"` + basket.String() + `","sku":"BASKET","quantity":2,"components":[` + parts + `]}}`
	}
	require.JSONEq(k, whole(oats+","+milks), string(out.Movements[0].Metadata))
	require.JSONEq(k, whole(milks), string(out.Movements[4].Metadata), "a component has its own part")

	in.Metadata = api.Metadata(`{"order":1234567890123456789}`)
	require.Contains(k, string(do(k, api.DisassembleStock, in).Movements[0].Metadata), "1234567890123456789")
	in.Metadata = api.Metadata(`{"composition":"mine"}`)
	require.Equal(k, []string{"metadata.composition"}, k.invalidFields(mustFail(k, api.ValidationError, api.DisassembleStock, in)))
}

func kitAssembled(k *fixture) {
	basket, milk := k.basket("")
	k.stock(k.oats, k.wh, 5)
	k.stock(milk, k.wh, 7)
	out := do(k, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: basket, LocationID: k.wh}, Quantity: 2})
	require.Equal(k, []string{"composition_assemble_component onHand -4", "composition_assemble_component available -4",
		"composition_assemble_component onHand -6", "composition_assemble_component available -6",
		"composition_assemble_output onHand +2", "composition_assemble_output available +2"}, legs(out.Movements))
	require.EqualValues(k, 2, out.Balance.Available)
	require.EqualValues(k, 1, out.ComponentBalances[0].OnHand)
	e := mustFail(k, api.InsufficientStock, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: basket, LocationID: k.wh}, Quantity: 1})
	k.requireDetails(e, "sku", "OAT-1L", "current", 1, "requested", 2)
	require.EqualValues(k, 1, k.quantities(milk, k.wh).OnHand, "all or nothing")

	// Components are taken from lots by expiration, and never from expired lots.
	k.receiveLot(k.oats, 3, "OLD", ptr(k.Now().Add(time.Hour)))
	k.receiveLot(k.oats, 4, "NEW", ptr(k.Now().Add(48*time.Hour)))
	k.stock(milk, k.wh, 10)
	k.Advance(2 * time.Hour)
	out = do(k, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: basket, LocationID: k.wh}, Quantity: 2})
	require.Equal(k, []string{"- 1", "NEW 3", "- 6"}, lotsTaken(out.Movements))
	k.requireDetails(mustFail(k, api.InsufficientStock, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: basket, LocationID: k.wh}, Quantity: 1}), "expired", 3)
}

func kitRejected(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	k.requireDetails(mustFail(k, api.ProductNotComposed, api.DisassembleStock, k.kits(k.oats, 1)), "sku", "OAT-1L")
	mustFail(k, api.ProductNotComposed, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: 1})
	basket, _ := k.basket("")
	k.stock(basket, k.wh, 1)
	k.requireDetails(mustFail(k, api.InsufficientStock, api.DisassembleStock, k.kits(basket, 2)), "current", 1, "requested", 2)
	require.Equal(k, []string{"quantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.DisassembleStock, k.kits(basket, -1))))
	mustFail(k, api.QuantityTooLarge, api.DisassembleStock, k.kits(basket, api.MaxQuantity))
	mustFail(k, api.NotFound, api.DisassembleStock, k.kits(newID(), 1))
	cheese, otherLot := k.tracked("CHEESE", api.TrackLot), k.kits(basket, 1)
	otherLot.LotID = do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: cheese, LocationID: k.wh}, Quantity: ptr(int64(1)), NewLot: api.NewLot{LotCode: "L1"}}).Movements[0].LotID
	k.requireDetails(mustFail(k, api.LotMismatch, api.DisassembleStock, otherLot), "lotCode", "L1")
	drill := k.tracked("DRILL", api.TrackSerial)
	set := do(k, api.CreateProduct, api.CreateProductInput{SKU: "SET", Name: "Set", Components: []api.Component{{ProductID: drill, Quantity: 1}}}).ID
	k.stock(set, k.wh, 1)
	e := mustFail(k, api.SerialCountMismatch, api.DisassembleStock, k.kits(set, 1))
	require.Contains(k, e.Message, "DRILL, which is serialized")
	require.Equal(k, api.Quantities{OnHand: 1, Available: 1}, k.quantities(basket, k.wh))
}

func kitPartsToLots(k *fixture) {
	milk := k.tracked("MILK", api.TrackLot)
	basket := do(k, api.CreateProduct, api.CreateProductInput{SKU: "BASKET", Name: "Basket",
		Components: []api.Component{{ProductID: k.oats, Quantity: 2}, {ProductID: milk, Quantity: 3}}}).ID
	early := k.receiveLot(milk, 4, "EARLY", ptr(k.Now().Add(24*time.Hour))).Movements[1].LotID
	late := k.receiveLot(milk, 9, "LATE", ptr(k.Now().Add(48*time.Hour))).Movements[1].LotID
	k.stock(k.oats, k.wh, 6)
	do(k, api.AssembleStock, api.AssembleInput{StockKey: api.StockKey{ProductID: basket, LocationID: k.wh}, Quantity: 3})

	in := k.kits(basket, 2)
	in.ComponentLots = []api.ComponentLot{{LotID: early, Quantity: 4}, {LotID: late, Quantity: 3}}
	k.requireDetails(mustFail(k, api.LotMismatch, api.DisassembleStock, in), "lotCode", "LATE", "available", 2, "requested", 3)
	in.ComponentLots[1].LotID = newID()
	mustFail(k, api.NotFound, api.DisassembleStock, in)
	in.ComponentLots = in.ComponentLots[:1]
	out := do(k, api.DisassembleStock, in)
	parts := map[string]int64{}
	for _, m := range out.Movements {
		if m.ProductID == milk && m.InventoryState == api.OnHand {
			code := ""
			if m.Lot != nil {
				code = m.Lot.LotCode
			}
			parts[code] += m.Quantity
		}
	}
	require.Equal(k, map[string]int64{"EARLY": 4, "": 2}, parts)
}

func kitTracked(k *fixture) {
	basket, milk := k.basket(api.TrackSerial, api.Unit{UnitCode: "pair", Factor: 2})
	k.stock(k.oats, k.wh, 8)
	k.stock(milk, k.wh, 12)
	in := api.AssembleInput{StockKey: api.StockKey{ProductID: basket, LocationID: k.wh}, Quantity: 4, UnitInput: api.UnitInput{UnitCode: "pair", UnitQuantity: ptr(int64(1))}, NewLot: api.NewLot{LotCode: "K1"}}
	for _, n := range []string{"A", "B", "C", "D"} {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: n})
	}

	k.requireDetails(mustFail(k, api.UnitConversionMismatch, api.AssembleStock, in), "factor", 2, "unitQuantity", 1, "quantity", 4)
	in.UnitQuantity = ptr(int64(2))
	out := do(k, api.AssembleStock, in)
	require.Len(k, out.Movements[4].Serials, 4)
	require.Equal(k, "K1", out.Movements[4].Lot.LotCode)
	require.Equal(k, "pair", out.Movements[4].UnitCode)
	require.Empty(k, out.Movements[0].UnitCode, "components have no unit")
	apart := k.kits(basket, 2)
	mustFail(k, api.SerialCountMismatch, api.DisassembleStock, apart)
	apart.SerialNumbers = []string{"B", "D"}
	do(k, api.DisassembleStock, apart)
	is, _ := k.status(basket, "D")
	require.Equal(k, api.Consumed, is)
	require.Equal(k, api.Quantities{OnHand: 2, Available: 2}, k.quantities(basket, k.wh))
	mustFail(k, api.SerialNotAvailable, api.DisassembleStock, apart)
}
