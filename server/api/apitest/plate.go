package apitest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var plateTests = []test{
	{"plate: registered, opened and empty", plateRegistered},
	{"plate: arrives with its number", plateArrives},
	{"plate: arrives after its label was printed", plateArrivesPrinted},
	{"plate: shipped and received elsewhere", plateTransferred},
	{"plate: split and shipped whole", plateSplit},
}

const plateNumber = "309521000000000002"

// contents summarizes what is on the plate, like "OAT-1L A 24/48 WH-1".
func (k *fixture) contents() (out []string) {
	k.Helper()
	p := do(k, api.GetPlate, api.PlateInput{SSCC: plateNumber})
	for _, l := range p.Lines {
		out = append(out, fmt.Sprintf("%s %s %d/%d %s", l.Product.SKU, l.LotCode, l.Left, l.Quantity, p.Location.Code))
	}
	return out
}

// onPlate is the metadata of a write that names the plate.
var onPlate = api.Metadata(`{"sscc":"` + plateNumber + `"}`)

func plateRegistered(k *fixture) {
	rye := k.product("RYE")
	k.stock(k.oats, k.wh, 50)
	k.stock(rye, k.wh, 10)
	in := api.RegisterPlateInput{SSCC: plateNumber, LocationID: k.wh, Lines: []api.PlateContent{{ProductID: k.oats, Quantity: 48}, {ProductID: rye, Quantity: 6}}}
	mustFail(k, api.NotFound, api.GetPlate, api.PlateInput{SSCC: plateNumber})
	made := do(k, api.RegisterPlate, in, api.By("Ben"))
	require.Equal(k, "Ben", made.UpdatedBy.Label)
	require.Equal(k, k.text(made), k.text(do(k, api.GetPlate, api.PlateInput{SSCC: plateNumber})))
	require.Equal(k, []string{"OAT-1L  48/48 WH-1", "RYE  6/6 WH-1"}, k.contents())
	require.Equal(k, api.Quantities{OnHand: 50, Available: 50}, k.quantities(k.oats, k.wh), "it moves no stock")
	k.requireDetails(mustFail(k, api.AlreadyExists, api.RegisterPlate, in), "left", 54)

	take := func(product api.ID, n int64) api.FulfillStockInput {
		return api.FulfillStockInput{StockKey: api.StockKey{ProductID: product, LocationID: k.wh}, Quantity: &n, Metadata: onPlate}
	}
	do(k, api.FulfillStock, take(k.oats, 24))
	require.Equal(k, []string{"OAT-1L  24/48 WH-1", "RYE  6/6 WH-1"}, k.contents())
	k.requireDetails(mustFail(k, api.InsufficientStock, api.FulfillStock, take(k.oats, 25)), "sscc", plateNumber, "current", 24, "requested", 25)
	require.EqualValues(k, 26, k.quantities(k.oats, k.wh).OnHand)
	do(k, api.FulfillStock, take(k.oats, 24))
	do(k, api.FulfillStock, take(rye, 6))
	require.Equal(k, []string{"OAT-1L  0/24 WH-1", "RYE  0/6 WH-1"}, k.contents())
	require.Equal(k, api.OpFulfill, do(k, api.GetPlate, api.PlateInput{SSCC: plateNumber}).Operation)
	in.Lines = in.Lines[1:]
	mustFail(k, api.InsufficientStock, api.RegisterPlate, in)
	k.stock(rye, k.wh, 2)
	do(k, api.RegisterPlate, in)
	require.Equal(k, []string{"RYE  6/6 WH-1"}, k.contents(), "used again")

	twice := in
	twice.Lines = append(twice.Lines, twice.Lines...)
	require.Equal(k, []string{"lines[1]"}, k.invalidFields(mustFail(k, api.ValidationError, api.RegisterPlate, twice)))
	in.SSCC = "309521000000000003"
	require.Equal(k, []string{"sscc"}, k.invalidFields(mustFail(k, api.ValidationError, api.RegisterPlate, in)))
	in.SSCC, in.Lines = "309521000000000019", []api.PlateContent{{ProductID: newID(), Quantity: 1}}
	mustFail(k, api.NotFound, api.RegisterPlate, in)
	milk := k.tracked("MILK", api.TrackLot)
	in.Lines = []api.PlateContent{{ProductID: milk, Quantity: 1}}
	mustFail(k, api.LotRequired, api.RegisterPlate, in)
	in.Lines[0].LotCode = "M1"
	mustFail(k, api.InsufficientStock, api.RegisterPlate, in)
	require.Empty(k, do(k, api.ListLots, api.ListLotsInput{ProductID: milk}).Items, "no lot before it is there")
	do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh}, Quantity: ptr(int64(1)), NewLot: api.NewLot{LotCode: "M1"}})
	lot := do(k, api.RegisterPlate, in).Lines[0].LotID
	in.SSCC = "309521000000000026"
	one := int64(1)
	do(k, api.WriteOffStock, api.WriteOffStockInput{StockKey: api.StockKey{ProductID: milk, LocationID: k.wh}, Quantity: &one, Reason: "sour"})
	do(k, api.ArchiveLot, api.LotInput{LotID: lot})
	mustFail(k, api.LotArchived, api.RegisterPlate, in)
}

// plateArrives receives an inbound that announces the plate, in two parts.
func plateArrives(k *fixture) {
	a := api.Announced{SSCC: plateNumber, LotCode: "A"}
	metadata, err := a.Metadata()
	require.NoError(k, err)
	in := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 48, Metadata: metadata}).Inbound
	mustFail(k, api.NotFound, api.GetPlate, api.PlateInput{SSCC: plateNumber})
	for range 2 {
		got := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 24, NewLot: api.NewLot{LotCode: "A"}})
		require.JSONEq(k, string(onPlate), string(got.Movements[1].Metadata))
	}
	require.Equal(k, []string{"OAT-1L A 48/48 WH-1"}, k.contents())
}

// plateArrivesPrinted receives a plate whose label was printed before, when other stock was there.
func plateArrivesPrinted(k *fixture) {
	k.stock(k.oats, k.wh, 60)
	do(k, api.RegisterPlate, api.RegisterPlateInput{SSCC: plateNumber, LocationID: k.wh, Lines: []api.PlateContent{{ProductID: k.oats, Quantity: 48}}})
	in := k.inbound(k.oats, 48)
	for range 2 {
		do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 24, Metadata: onPlate})
	}
	require.Equal(k, []string{"OAT-1L  48/48 WH-1"}, k.contents())
}

func plateTransferred(k *fixture) {
	k.stock(k.oats, k.wh, 60)
	do(k, api.RegisterPlate, api.RegisterPlateInput{SSCC: plateNumber, LocationID: k.wh, Lines: []api.PlateContent{{ProductID: k.oats, Quantity: 48}}})
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 58}).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(10))})
	require.Equal(k, []string{"OAT-1L  48/48 WH-1"}, k.contents(), "a movement without the number is not of the plate")
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(48)), Metadata: onPlate})
	require.Equal(k, []string{"OAT-1L  0/48 WH-1"}, k.contents())
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID, Quantity: ptr(int64(48)), Metadata: onPlate})
	require.Equal(k, []string{"OAT-1L  48/48 SHOP-1"}, k.contents())
	elsewhere := api.FulfillStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: ptr(int64(1)), Metadata: onPlate}
	mustFail(k, api.InsufficientStock, api.FulfillStock, elsewhere)
	elsewhere.LocationID = k.shop
	do(k, api.FulfillStock, elsewhere)
	require.Equal(k, []string{"OAT-1L  47/48 SHOP-1"}, k.contents())
}

// plateSplit ships a plate whole after a part of it has left, in either order.
func plateSplit(k *fixture) {
	k.stock(k.oats, k.wh, 100)
	do(k, api.RegisterPlate, api.RegisterPlateInput{SSCC: plateNumber, LocationID: k.wh, Lines: []api.PlateContent{{ProductID: k.oats, Quantity: 48}}})
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 100}).Transfer
	ship := func(n int64) api.MoveTransferInput {
		return api.MoveTransferInput{TransferID: tr.ID, Quantity: &n, Metadata: onPlate}
	}
	do(k, api.ShipTransfer, ship(24))
	e := mustFail(k, api.InsufficientStock, api.ShipTransfer, ship(48))
	require.Contains(k, e.Message, "24 of 48 left at WH-1, 48 requested")
	require.EqualValues(k, 76, k.quantities(k.oats, k.wh).OnHand)
	do(k, api.ShipTransfer, ship(24))
	mustFail(k, api.InsufficientStock, api.ShipTransfer, ship(24))
	require.EqualValues(k, 52, k.quantities(k.oats, k.wh).OnHand)
}
