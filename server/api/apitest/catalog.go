package apitest

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var catalogTests = []test{
	{"create product", productCreated},
	{"product: SKU and barcodes are unique", productUnique},
	{"codes that look alike are the same", codesAlike},
	{"product: reports all invalid fields", productValidated},
	{"list products by SKU, barcode and text", productsFound},
	{"link barcode", barcodeLinked},
	{"link barcode: rejects codes of other products", barcodeTaken},
	{"unlink barcode", barcodeUnlinked},
	{"unlink barcode: rejects a code that the product does not have", barcodeNotLinked},
	{"product changed", productChanged},
	{"product's units and components changed", productPartsChanged},
	{"location changed", locationChanged},
	{"shelves", shelves},
	{"archived product is rejected", productArchived},
	{"create and list locations, owners and channels", placesCreated},
	{"default owner and channel exist in both environments", placesDefault},
}

func productCreated(k *fixture) {
	p := do(k, api.CreateProduct, api.CreateProductInput{SKU: " MILK-1L ", Name: "Milk"})
	require.Equal(k, "MILK-1L", p.SKU)
	require.Equal(k, "piece", p.BaseUnitCode)
	require.Equal(k, api.TrackNone, p.Tracking)
	require.Equal(k, api.Active, p.Status)
	require.Equal(k, k.Orgs[0].ID, p.OrganizationID)
	require.Equal(k, api.Live, p.Environment)
	require.Equal(k, k.Now(), p.CreatedAt)
	require.Contains(k, k.text(p), `"barcodes":[],`)
	require.Contains(k, k.text(p), `"components":[],`)
	require.Nil(k, p.ReorderPoint)
	require.Equal(k, p, do(k, api.GetProduct, api.ProductInput{ProductID: p.ID}))

	full := do(k, api.CreateProduct, api.CreateProductInput{SKU: "CRATE", Name: "Crate", Barcodes: []string{"4006381333931"},
		BaseUnitCode: "bottle", Units: []api.Unit{{UnitCode: "crate", Factor: 12, Barcodes: []string{"14006381333938"}}},
		Tracking: api.TrackLot, Components: []api.Component{{ProductID: p.ID, Quantity: 12}}, ReorderPoint: ptr(int64(0)),
		Metadata: api.Metadata(`{"a":[1,{"b":null}]}`)})
	require.JSONEq(k, `{"a":[1,{"b":null}]}`, string(full.Metadata))
	require.Zero(k, *full.ReorderPoint)
	require.Equal(k, []api.Component{{ProductID: p.ID, Quantity: 12}}, full.Components)
	require.Equal(k, k.text(full), k.text(do(k, api.GetProduct, api.ProductInput{ProductID: full.ID})))
}

func productUnique(k *fixture) {
	p := do(k, api.CreateProduct, api.CreateProductInput{SKU: "Milk-1", Name: "Milk", Barcodes: []string{"4006381333931", "ABC-9"},
		Units: []api.Unit{{UnitCode: "box", Factor: 6, Barcodes: []string{"14006381333938"}}}})
	e := mustFail(k, api.AlreadyExists, api.CreateProduct, api.CreateProductInput{SKU: " mILK-1", Name: "Other"})
	k.requireDetails(e, "productId", p.ID, "sku", "Milk-1")
	for _, code := range []string{"4006381333931", "04006381333931", "abc-9", "14006381333938"} {
		e = mustFail(k, api.AlreadyExists, api.CreateProduct, api.CreateProductInput{SKU: "NEW", Name: "New", Barcodes: []string{code}})
		k.requireDetails(e, "productId", p.ID)
		mustFail(k, api.AlreadyExists, api.CreateProduct, api.CreateProductInput{SKU: "NEW", Name: "New",
			Units: []api.Unit{{UnitCode: "box", Factor: 2, Barcodes: []string{code}}}})
	}

	do(k, api.CreateProduct, api.CreateProductInput{SKU: "NEW", Name: "New", Barcodes: []string{"24006381333935"}})
}

// Codes with letters and accents apart, or with another white space, are those without.
func codesAlike(k *fixture) {
	const code, other = "Caf\u00e9 1", "CAFE\u0301\u00a01"
	p := do(k, api.CreateProduct, api.CreateProductInput{SKU: "cafe\u0301\u20031", Name: "Coffee", Barcodes: []string{"b\u00a0" + other}})
	require.Equal(k, "caf\u00e9 1", p.SKU)
	require.Equal(k, []string{"b CAF\u00c9 1"}, p.Barcodes)
	for _, sku := range []string{code, other} {
		k.requireDetails(mustFail(k, api.AlreadyExists, api.CreateProduct, api.CreateProductInput{SKU: sku, Name: "Other"}), "productId", p.ID)
		require.Len(k, do(k, api.ListProducts, api.ListProductsInput{SKU: sku}).Items, 1)
		require.Len(k, do(k, api.ListProducts, api.ListProductsInput{Barcode: "B " + sku}).Items, 1)
		require.Len(k, do(k, api.LookUp, api.LookupInput{Code: sku}).Matches, 1)
		mustFail(k, api.AlreadyExists, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: "b " + sku})
	}
	require.Empty(k, do(k, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: p.ID, Barcode: "b " + code, Reason: "wrong"}).Barcodes)

	shelf := do(k, api.CreateLocation, api.CreateLocationInput{Code: other, Name: "Shelf", Type: api.Shop})
	mustFail(k, api.AlreadyExists, api.CreateLocation, api.CreateLocationInput{Code: code, Name: "Shelf", Type: api.Shop})
	require.Equal(k, shelf.ID, do(k, api.ListLocations, api.ListPlacesInput{Code: code}).Items[0].ID)

	lot := k.receiveLot(k.oats, 1, "L"+code, nil).Movements[1].LotID
	require.Equal(k, lot, k.receiveLot(k.oats, 1, "LCafe\u0301 1", nil).Movements[1].LotID)
	require.Len(k, do(k, api.ListLots, api.ListLotsInput{LotCode: "L" + other}).Items, 1)

	pump := k.tracked("PUMP", api.TrackSerial)
	k.receiveLot(pump, 1, "", nil, "S"+code)
	receive := api.ReceiveStockInput{StockKey: api.StockKey{ProductID: pump, LocationID: k.wh}, Serials: []api.SerialInput{{SerialNumber: "SCafe\u0301\u00a01"}}}
	mustFail(k, api.SerialExists, api.ReceiveStock, receive)
	do(k, api.FulfillStock, api.FulfillStockInput{StockKey: receive.StockKey, SerialChoice: api.SerialChoice{SerialNumbers: []string{"SCafe\u0301 1"}}})
}

func productValidated(k *fixture) {
	kit := do(k, api.CreateProduct, api.CreateProductInput{SKU: "KIT", Name: "Kit", Components: []api.Component{{ProductID: k.oats, Quantity: 2}}})
	old := k.product("OLD")
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: old})
	e := mustFail(k, api.ValidationError, api.CreateProduct, api.CreateProductInput{SKU: "X", Name: "X", BaseUnitCode: "piece",
		Barcodes: []string{"12345670", "12345670"},
		Units:    []api.Unit{{UnitCode: "Piece", Factor: 1}, {UnitCode: "box", Factor: 2, Barcodes: []string{"00000012345670"}}, {UnitCode: "BOX", Factor: 3}},
		Components: []api.Component{{ProductID: kit.ID, Quantity: 1}, {ProductID: newID(), Quantity: 1},
			{ProductID: k.oats, Quantity: 1}, {ProductID: k.oats, Quantity: 2}, {ProductID: old, Quantity: 1}}})
	require.ElementsMatch(k, []string{"barcodes[1]", "units[0].unitCode", "units[2].unitCode", "units[1].barcodes[0]",
		"components[0].productId", "components[1].productId", "components[3].productId", "components[4].productId"}, k.invalidFields(e))
	require.Empty(k, do(k, api.ListProducts, api.ListProductsInput{SKU: "X"}).Items, "nothing is saved")
}

func barcodeLinked(k *fixture) {
	k.Advance(1e9)
	p := do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: " 4006381333931 "})
	require.Equal(k, []string{"4006381333931"}, p.Barcodes)
	require.Equal(k, k.Now(), p.UpdatedAt)
	k.Advance(1e9)
	again := do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: "04006381333931", Factor: ptr(int64(1))})
	require.Equal(k, p, again, "linking it again changes nothing")

	link := func(code string, factor int64) []api.Unit {
		return do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: code, Factor: ptr(factor)}).Units
	}
	require.Equal(k, []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"14006381333938"}}}, link("14006381333938", 12))
	require.Equal(k, []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"14006381333938", "BOX-77"}}}, link("BOX-77", 12))
	require.Equal(k, api.Unit{UnitCode: "box-24", Factor: 24, Barcodes: []string{"24006381333935"}}, link("24006381333935", 24)[1])
	p = do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: "ABC-9"})
	require.Equal(k, []string{"4006381333931", "ABC-9"}, p.Barcodes, "the first one stays")
	require.Equal(k, p, do(k, api.GetProduct, api.ProductInput{ProductID: k.oats}))

	for code, factor := range map[string]int64{"abc-9": 0, "4006381333931": 0, "box-77": 12, "24006381333935": 24} {
		found := do(k, api.LookUp, api.LookupInput{Code: code}).Matches
		require.Len(k, found, 1, code)
		require.Equal(k, k.oats, found[0].ID)
		require.Equal(k, factor != 0, found[0].Unit != nil, code)
		if factor != 0 {
			require.Equal(k, factor, found[0].Unit.Factor)
		}
		require.Len(k, do(k, api.ListProducts, api.ListProductsInput{Barcode: code}).Items, 1)
	}
}

func barcodeTaken(k *fixture) {
	milk := do(k, api.CreateProduct, api.CreateProductInput{SKU: "MILK-1L", Name: "Milk", BaseUnitCode: "box", Barcodes: []string{"4006381333931"},
		Units: []api.Unit{{UnitCode: "pallet", Factor: 6, Barcodes: []string{"14006381333938"}}}}).ID
	for _, code := range []string{"04006381333931", "14006381333938", "milk-1l"} {
		for _, product := range []api.ID{k.oats, milk} {
			e := mustFail(k, api.AlreadyExists, api.LinkBarcode, api.LinkBarcodeInput{ProductID: product, Barcode: code, Factor: ptr(int64(7))})
			k.requireDetails(e, "productId", milk, "sku", "MILK-1L", "barcode", code)
		}
	}

	require.Equal(k, "box-12", do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: milk, Barcode: "A", Factor: ptr(int64(12))}).Units[1].UnitCode)
	mustFail(k, api.NotFound, api.LinkBarcode, api.LinkBarcodeInput{ProductID: newID(), Barcode: "B"})
	require.Equal(k, []string{"barcode", "factor"}, k.invalidFields(mustFail(k, api.ValidationError, api.LinkBarcode, api.LinkBarcodeInput{ProductID: milk, Barcode: " ", Factor: ptr(int64(0))})))

	for i := range 19 {
		do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: milk, Barcode: fmt.Sprint("C-", i)})
	}

	require.Equal(k, []string{"barcode"}, k.invalidFields(mustFail(k, api.ValidationError, api.LinkBarcode, api.LinkBarcodeInput{ProductID: milk, Barcode: "C-20"})))
	for i := range 18 {
		do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: milk, Barcode: fmt.Sprint("D-", i), Factor: ptr(int64(100 + i))})
	}

	require.Equal(k, []string{"factor"}, k.invalidFields(mustFail(k, api.ValidationError, api.LinkBarcode, api.LinkBarcodeInput{ProductID: milk, Barcode: "D-20", Factor: ptr(int64(99))})))
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: milk})
	k.requireDetails(mustFail(k, api.ProductArchived, api.LinkBarcode, api.LinkBarcodeInput{ProductID: milk, Barcode: "E"}), "sku", "MILK-1L")
}

func barcodeUnlinked(k *fixture) {
	milk := do(k, api.CreateProduct, api.CreateProductInput{SKU: "MILK-1L", Name: "Milk", Barcodes: []string{"4006381333931", "ABC-9"},
		Units: []api.Unit{{UnitCode: "box", Factor: 6, Barcodes: []string{"14006381333938"}}}}).ID
	k.Advance(1e9)
	unlink := func(code string) api.Product {
		return do(k, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: milk, Barcode: code, Reason: "wrong product"})
	}
	p := unlink(" 04006381333931 ")
	require.Equal(k, []string{"ABC-9"}, p.Barcodes)
	require.Equal(k, k.Now(), p.UpdatedAt)
	require.Contains(k, k.text(unlink("abc-9")), `"barcodes":[],`)
	p = unlink("14006381333938")
	require.Equal(k, []api.Unit{{UnitCode: "box", Factor: 6}}, p.Units, "the package stays")
	require.Equal(k, k.text(p), k.text(do(k, api.GetProduct, api.ProductInput{ProductID: milk})))
	for _, code := range []string{"4006381333931", "ABC-9", "14006381333938"} {
		require.Empty(k, do(k, api.LookUp, api.LookupInput{Code: code}).Matches, code)
		do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: code})
	}

	do(k, api.ArchiveProduct, api.ProductInput{ProductID: k.oats})
	oats := do(k, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: k.oats, Barcode: "ABC-9", Reason: "wrong product"})
	require.Equal(k, []string{"4006381333931", "14006381333938"}, oats.Barcodes, "the barcode of an archived product can be used again")
}

func barcodeNotLinked(k *fixture) {
	milk := do(k, api.CreateProduct, api.CreateProductInput{SKU: "MILK-1L", Name: "Milk", Barcodes: []string{"4006381333931"}})
	for _, code := range []string{"4006381333931", "ABC-9", "OAT-1L"} {
		e := mustFail(k, api.NotFound, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: k.oats, Barcode: code, Reason: "wrong product"})
		k.requireDetails(e, "resource", "barcode", "barcode", code, "productId", k.oats, "sku", "OAT-1L")
	}

	require.Equal(k, milk, do(k, api.GetProduct, api.ProductInput{ProductID: milk.ID}))
	mustFail(k, api.NotFound, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: newID(), Barcode: "B", Reason: "wrong product"})
	e := mustFail(k, api.ValidationError, api.UnlinkBarcode, api.UnlinkBarcodeInput{ProductID: milk.ID, Barcode: " "})
	require.Equal(k, []string{"barcode", "reason"}, k.invalidFields(e))
}

func productsFound(k *fixture) {
	milk := do(k, api.CreateProduct, api.CreateProductInput{SKU: "MILK-1L", Name: "Whole Milk", Barcodes: []string{"4006381333931"},
		Units: []api.Unit{{UnitCode: "box", Factor: 6, Barcodes: []string{"BOX-77"}}}})
	find := func(in api.ListProductsInput) (skus []string) {
		list := do(k, api.ListProducts, in)
		require.Nil(k, list.NextCursor)
		for _, p := range list.Items {
			skus = append(skus, p.SKU)
		}
		return skus
	}

	require.Equal(k, []string{"MILK-1L", "OAT-1L"}, find(api.ListProductsInput{}), "newest first")
	require.Equal(k, []string{"MILK-1L"}, find(api.ListProductsInput{SKU: "milk-1l"}))
	require.Equal(k, []string{"MILK-1L"}, find(api.ListProductsInput{Barcode: "04006381333931"}))
	require.Equal(k, []string{"MILK-1L"}, find(api.ListProductsInput{Barcode: "box-77"}))
	require.Equal(k, []string{"MILK-1L"}, find(api.ListProductsInput{TextFilter: api.TextFilter{Query: "whole m"}}))
	require.Equal(k, []string{"MILK-1L", "OAT-1L"}, find(api.ListProductsInput{TextFilter: api.TextFilter{Query: "-1l"}}))
	require.Empty(k, find(api.ListProductsInput{TextFilter: api.TextFilter{Query: "butter"}}))
	require.Empty(k, find(api.ListProductsInput{SKU: "MILK-1L", Barcode: "nothing"}))
	require.Empty(k, find(api.ListProductsInput{SKU: "MILK-1L", TextFilter: api.TextFilter{Query: "oat"}}))
	require.Empty(k, find(api.ListProductsInput{SKU: "MILK-1L", Page: api.Page{Cursor: milk.ID.String()}}), "nothing follows the only item")
}

func productChanged(k *fixture) {
	old := do(k, api.GetProduct, api.ProductInput{ProductID: k.oats})
	require.EqualValues(k, 1, old.CurrentVersion())
	k.Advance(1e9)
	change := func(in api.ChangeProductInput, options ...api.Option) api.Product {
		in.ProductID = k.oats
		return do(k, api.ChangeProduct, in, options...)
	}

	want := old
	want.Name, want.ReorderPoint, want.Version, want.UpdatedAt = "Oat drink 1 l", ptr(int64(48)), 2, k.Now()
	require.Equal(k, want, change(api.ChangeProductInput{Name: " Oat drink 1 l ", ReorderPoint: ptr(int64(48))}, api.IfMatch(1)))
	require.Equal(k, want, do(k, api.GetProduct, api.ProductInput{ProductID: k.oats}))
	k.Advance(1e9)
	require.Equal(k, want, change(api.ChangeProductInput{Name: want.Name}, api.IfMatch(2)), "what is right already is not changed")
	k.requireDetails(mustFail(k, api.VersionConflict, api.ChangeProduct, api.ChangeProductInput{ProductID: k.oats, Name: "Oats"}, api.IfMatch(1)), "version", 2)

	removed := change(api.ChangeProductInput{ReorderPoint: ptr(int64(0)), BaseUnitCode: "carton", Metadata: api.Metadata(`{"shelf":"A-1"}`)})
	require.Nil(k, removed.ReorderPoint)
	require.Equal(k, "carton", removed.BaseUnitCode)
	require.EqualValues(k, 3, removed.Version)
	require.Equal(k, "Oat drink 1 l", do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: ptr(int64(1)), Reason: "found"}).Balance.Product.Name)

	e := mustFail(k, api.ValidationError, api.ChangeProduct, api.ChangeProductInput{ProductID: k.oats, Tracking: api.TrackLot})
	require.Equal(k, []string{"tracking"}, k.invalidFields(e))
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -1))
	require.Equal(k, api.TrackLot, change(api.ChangeProductInput{Tracking: api.TrackLot}).Tracking)
	mustFail(k, api.LotRequired, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, Quantity: ptr(int64(1)), Reason: "found"})

	history := do(k, api.GetProductHistory, api.ProductInput{ProductID: k.oats}).Items
	require.Len(k, history, 3)
	require.EqualValues(k, 4, history[0].Version)
	require.JSONEq(k, `{"tracking":"none"}`, string(history[0].Before))
	require.JSONEq(k, `{"tracking":"lot"}`, string(history[0].After))
	require.JSONEq(k, `{"name":"Oat drink 1 l","reorderPoint":48}`, string(history[2].After))
	require.JSONEq(k, `{"name":"`+old.Name+`","reorderPoint":null}`, string(history[2].Before))
	require.Equal(k, want.UpdatedAt, history[2].CreatedAt)

	mustFail(k, api.NotFound, api.GetProductHistory, api.ProductInput{ProductID: newID()})
	mustFail(k, api.NotFound, api.ChangeProduct, api.ChangeProductInput{ProductID: newID(), Name: "X"})
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: k.oats})
	mustFail(k, api.ProductArchived, api.ChangeProduct, api.ChangeProductInput{ProductID: k.oats, Name: "X"})
}

func productPartsChanged(k *fixture) {
	change := func(id api.ID, in api.ChangeProductInput, options ...api.Option) api.Product {
		in.ProductID = id
		return do(k, api.ChangeProduct, in, options...)
	}

	milk := do(k, api.CreateProduct, api.CreateProductInput{SKU: "MILK", Name: "Milk",
		Units: []api.Unit{{UnitCode: "box", Factor: 10, Barcodes: []string{"24006381333935"}}}})
	linked := do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: milk.ID, Barcode: "milk-1"})
	require.EqualValues(k, 2, linked.Version, "a new barcode makes a correction of what was read before fail")
	units := []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"24006381333935"}}, {UnitCode: "pallet", Factor: 720}}
	require.Equal(k, units, change(milk.ID, api.ChangeProductInput{Units: units}, api.IfMatch(2)).Units)
	mustFail(k, api.VersionConflict, api.ChangeProduct, api.ChangeProductInput{ProductID: milk.ID, Units: []api.Unit{}}, api.IfMatch(1))
	e := mustFail(k, api.ValidationError, api.ChangeProduct, api.ChangeProductInput{ProductID: milk.ID, BaseUnitCode: "Pallet"})
	require.Equal(k, []string{"units[1].unitCode"}, k.invalidFields(e))
	k.requireDetails(mustFail(k, api.AlreadyExists, api.ChangeProduct, api.ChangeProductInput{ProductID: k.oats,
		Units: []api.Unit{{UnitCode: "box", Factor: 6, Barcodes: []string{"24006381333935"}}}}), "sku", "MILK")
	require.Empty(k, change(milk.ID, api.ChangeProductInput{Units: []api.Unit{}}).Units)
	require.Equal(k, "OAT-1L", do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: "24006381333935"}).SKU,
		"the barcode of a removed unit is free")

	kit := do(k, api.CreateProduct, api.CreateProductInput{SKU: "KIT", Name: "Kit"})
	parts := []api.Component{{ProductID: k.oats, Quantity: 2}}
	require.Equal(k, parts, change(kit.ID, api.ChangeProductInput{Components: parts}).Components)
	e = mustFail(k, api.ValidationError, api.ChangeProduct, api.ChangeProductInput{ProductID: k.oats, Components: []api.Component{{ProductID: milk.ID, Quantity: 1}}})
	require.Equal(k, []string{"components"}, k.invalidFields(e), "a component of a kit cannot be a kit")
	e = mustFail(k, api.ValidationError, api.ChangeProduct, api.ChangeProductInput{ProductID: kit.ID, Components: []api.Component{{ProductID: kit.ID, Quantity: 1}}})
	require.Equal(k, []string{"components[0].productId"}, k.invalidFields(e))

	do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: kit.ID, LocationID: k.wh}, Quantity: ptr(int64(1)), Reason: "found"})
	e = mustFail(k, api.ValidationError, api.ChangeProduct, api.ChangeProductInput{ProductID: kit.ID, Components: []api.Component{}})
	require.Equal(k, []string{"components"}, k.invalidFields(e), "a kit in stock holds what it was assembled from")
	do(k, api.AdjustStock, adjust(kit.ID, k.wh, api.OnHand, -1))
	require.Empty(k, change(kit.ID, api.ChangeProductInput{Components: []api.Component{}}).Components)

	for i := range 2 * api.MaxResourceChanges {
		change(kit.ID, api.ChangeProductInput{ReorderPoint: ptr(int64(i + 1))})
	}
	history := do(k, api.GetProductHistory, api.ProductInput{ProductID: kit.ID}).Items
	require.Len(k, history, api.MaxResourceChanges)
	require.JSONEq(k, `{"reorderPoint":40}`, string(history[0].After))
	do(k, api.ArchiveProduct, api.ProductInput{ProductID: kit.ID})
	require.JSONEq(k, `{"status":"archived"}`, string(do(k, api.GetProductHistory, api.ProductInput{ProductID: kit.ID}).Items[0].After))
}

func shelves(k *fixture) {
	depot := do(k, api.CreateLocation, api.CreateLocationInput{Code: "SHELVED", Name: "Depot", Type: api.Warehouse}).ID
	milk := do(k, api.CreateProduct, api.CreateProductInput{SKU: "MILK", Name: "Milk"})
	require.Empty(k, milk.Shelves)
	require.NotContains(k, k.text(milk), "shelves")
	set := func(product, location api.ID, list ...string) api.Product {
		return do(k, api.SetShelves, api.SetShelvesInput{ProductID: product, LocationID: location, Shelves: list})
	}
	at := func(location api.ID, shelf string) (skus []string) {
		for _, p := range do(k, api.ListProducts, api.ListProductsInput{Shelf: shelf, LocationID: location}).Items {
			skus = append(skus, p.SKU)
		}
		return skus
	}

	out := set(milk.ID, k.wh, " A-03-2 ", "B-1")
	require.Equal(k, []string{"A-03-2", "B-1"}, out.ShelvesAt(k.wh))
	k.stock(milk.ID, k.wh, 1)
	row := do(k, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: api.StockFilter{ProductID: milk.ID}}).Items[0]
	require.Equal(k, "A-03-2", row.Shelf)
	require.Empty(k, out.ShelvesAt(depot))
	require.EqualValues(k, 2, out.Version)
	set(milk.ID, depot, "A-03-2")
	set(k.oats, k.wh, "a-03-2")
	require.ElementsMatch(k, []string{"MILK", "OAT-1L"}, at(k.wh, "A-03-2"))
	require.Equal(k, []string{"MILK"}, at(k.wh, "b-1"))
	require.Equal(k, []string{"MILK"}, at(depot, "A-03-2"))
	require.Empty(k, at(depot, "B-1"))
	require.EqualValues(k, 3, set(milk.ID, depot, "A-03-2").Version, "nothing differs")

	set(milk.ID, k.wh, "C-1")
	require.Equal(k, []string{"OAT-1L"}, at(k.wh, "A-03-2"), "it has moved")
	require.Equal(k, []string{"MILK"}, at(k.wh, "C-1"))
	set(milk.ID, k.wh)
	require.Nil(k, set(milk.ID, depot).Shelves)
	require.JSONEq(k, `{"shelves":null}`, string(do(k, api.GetProductHistory, api.ProductInput{ProductID: milk.ID}).Items[0].After))

	for _, bad := range [][]string{{"A", "B", "C", "D", "E", "F", "G"}, {" "}, {"A-1", "a-1"}, {strings.Repeat("x", 41)}} {
		mustFail(k, api.ValidationError, api.SetShelves, api.SetShelvesInput{ProductID: milk.ID, LocationID: k.wh, Shelves: bad})
	}
	mustFail(k, api.ValidationError, api.ListProducts, api.ListProductsInput{Shelf: "A-1"})
	mustFail(k, api.NotFound, api.SetShelves, api.SetShelvesInput{ProductID: milk.ID, LocationID: newID(), Shelves: []string{"A-1"}})
	mustFail(k, api.NotFound, api.SetShelves, api.SetShelvesInput{ProductID: newID(), LocationID: k.wh, Shelves: []string{"A-1"}})
}

func locationChanged(k *fixture) {
	old := do(k, api.CreateLocation, api.CreateLocationInput{Code: "QUAY", Name: "Quai", Type: api.Warehouse})
	require.EqualValues(k, 1, old.CurrentVersion())
	k.Advance(1e9)
	want := old
	want.Name, want.Version, want.UpdatedAt = "Quay", 2, k.Now()
	require.Equal(k, want, do(k, api.ChangeLocation, api.ChangeLocationInput{LocationID: old.ID, Name: " Quay "}, api.IfMatch(1), api.By("Ada")))
	require.Equal(k, want, do(k, api.ChangeLocation, api.ChangeLocationInput{LocationID: old.ID, Name: "Quay"}, api.IfMatch(2)), "nothing differs")
	require.Equal(k, []api.Place{want}, do(k, api.ListLocations, api.ListPlacesInput{Code: "quay"}).Items)
	k.requireDetails(mustFail(k, api.VersionConflict, api.ChangeLocation, api.ChangeLocationInput{LocationID: old.ID, Type: api.Shop}, api.IfMatch(1)), "version", 2)
	require.Equal(k, string(api.Shop), do(k, api.ChangeLocation, api.ChangeLocationInput{LocationID: old.ID, Type: api.Shop}).Type)

	history := do(k, api.GetLocationHistory, api.LocationInput{LocationID: old.ID}).Items
	require.Len(k, history, 2)
	require.JSONEq(k, `{"name":"Quai"}`, string(history[1].Before))
	require.JSONEq(k, `{"name":"Quay"}`, string(history[1].After))
	require.Equal(k, "Ada", history[1].CreatedBy.Label)
	require.Nil(k, history[0].CreatedBy)

	balance := do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: old.ID}, Quantity: ptr(int64(1)), Reason: "found"}).Balance
	require.Equal(k, "Quay", balance.Location.Name)
	mustFail(k, api.NotFound, api.ChangeLocation, api.ChangeLocationInput{LocationID: newID(), Name: "X"})
	mustFail(k, api.NotFound, api.GetLocationHistory, api.LocationInput{LocationID: newID()})
}

func productArchived(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	k.Advance(1e9)
	p := do(k, api.ArchiveProduct, api.ProductInput{ProductID: k.oats})
	require.Equal(k, api.Archived, p.Status)
	require.Equal(k, k.Now(), p.UpdatedAt)
	k.Advance(1e9)
	require.Equal(k, p, do(k, api.ArchiveProduct, api.ProductInput{ProductID: k.oats}), "archiving again changes nothing")
	require.Equal(k, p, do(k, api.GetProduct, api.ProductInput{ProductID: k.oats}))
	k.requireDetails(mustFail(k, api.ProductArchived, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 1}), "sku", "OAT-1L")
	mustFail(k, api.ProductArchived, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1})
	mustFail(k, api.ProductArchived, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(1))})
	k.requireDetails(mustFail(k, api.ProductArchived, api.CreateOutbound, api.CreateOutboundInput{LocationID: k.wh, Lines: []api.OutboundLineInput{{ProductID: k.oats, RequestedQuantity: 1}}}), "productId", k.oats)
	require.EqualValues(k, 5, k.quantities(k.oats, k.wh).OnHand, "the stock stays")
	require.Zero(k, do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -5)).Balance.OnHand, "the stock can be written off")
}

func placesCreated(k *fixture) {
	for _, x := range []struct {
		create api.Operation[api.CreatePlaceInput, api.Place]
		list   api.Operation[api.ListPlacesInput, api.List[api.Place]]
		field  string
	}{{api.CreateOwner, api.ListOwners, "ownerId"}, {api.CreateChannel, api.ListChannels, "channelId"}} {
		p := do(k, x.create, api.CreatePlaceInput{Code: "ACME", Name: "Acme", Type: "consignor"})
		require.Equal(k, api.Place{ID: p.ID, OrganizationID: k.Orgs[0].ID, Environment: api.Live, Code: "ACME", Name: "Acme",
			Type: "consignor", CreatedAt: k.Now(), UpdatedAt: k.Now()}, p)
		k.requireDetails(mustFail(k, api.AlreadyExists, x.create, api.CreatePlaceInput{Code: " acme ", Name: "Acme", Type: "x"}), x.field, p.ID)
		require.Equal(k, []api.Place{p}, do(k, x.list, api.ListPlacesInput{Code: "acme"}).Items)
		require.Equal(k, p, do(k, x.list, api.ListPlacesInput{}).Items[0], "newest first")
	}

	for _, typ := range []api.LocationType{api.Warehouse, api.Shop, api.Virtual} {
		p := do(k, api.CreateLocation, api.CreateLocationInput{Code: "L-" + string(typ), Name: "L", Type: typ})
		require.Equal(k, string(typ), p.Type)
	}

	require.Equal(k, []string{"type"}, k.invalidFields(mustFail(k, api.ValidationError, api.CreateLocation, api.CreateLocationInput{Code: "L", Name: "L", Type: "shed"})))
	k.requireDetails(mustFail(k, api.AlreadyExists, api.CreateLocation, api.CreateLocationInput{Code: "wh-1", Name: "L", Type: api.Shop}), "locationId", k.wh)
	require.Len(k, do(k, api.ListLocations, api.ListPlacesInput{}).Items, 5)
	require.Empty(k, do(k, api.ListLocations, api.ListPlacesInput{Code: "nowhere"}).Items)
}

func placesDefault(k *fixture) {
	for _, env := range []api.Environment{api.Live, api.Test} {
		k := k.as(k.As(1, env))
		owners, channels := do(k, api.ListOwners, api.ListPlacesInput{}).Items, do(k, api.ListChannels, api.ListPlacesInput{}).Items
		require.Len(k, owners, 1)
		require.Len(k, channels, 1)
		require.Equal(k, k.Orgs[1].DefaultOwnerID, owners[0].ID)
		require.Equal(k, k.Orgs[1].DefaultChannelID, channels[0].ID)
		require.Equal(k, "default", channels[0].Code)
		require.Equal(k, env, owners[0].Environment)
	}
}
