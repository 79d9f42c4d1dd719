package apitest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var validationTests = []test{
	{"validation reports all problems", validationAll},
	{"validation: bounds", validationBounds},
	{"validation: metadata", validationMetadata},
	{"validation: page size", validationLimits},
}

func validationAll(k *fixture) {
	require.Equal(k, []string{"productId", "locationId", "expectedQuantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.CreateInbound, api.CreateInboundInput{})))
	require.ElementsMatch(k, []string{"productId", "locationId", "inventoryState", "quantityDelta", "reason"},
		k.invalidFields(mustFail(k, api.ValidationError, api.AdjustStock, api.AdjustStockInput{})))
	e := mustFail(k, api.ValidationError, api.MoveStock, api.MoveStockInput{StockKey: api.StockKey{ProductID: k.oats}, Quantity: -1, SourceState: "committed", DestinationState: "available", Reason: " ", UnitInput: api.UnitInput{UnitQuantity: ptr(int64(0))}})
	require.ElementsMatch(k, []string{"locationId", "quantity", "sourceState", "reason", "unitQuantity"}, k.invalidFields(e))
	require.ElementsMatch(k, []string{"sku", "name", "tracking", "units[0].unitCode", "units[0].factor", "components[0].quantity"},
		k.invalidFields(mustFail(k, api.ValidationError, api.CreateProduct, api.CreateProductInput{Tracking: "batch", Units: []api.Unit{{}}, Components: []api.Component{{ProductID: k.oats}}})))
	require.Equal(k, []string{"requestedQuantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh})))
}

func validationBounds(k *fixture) {
	in := k.inbound(k.oats, 5)
	receive := api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1, Reason: strings.Repeat("é", 1001), NewLot: api.NewLot{LotCode: strings.Repeat("x", 256)}}
	for range 1001 {
		receive.Serials = append(receive.Serials, api.SerialInput{SerialNumber: "S"})
	}

	require.ElementsMatch(k, []string{"reason", "lotCode", "serials"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReceiveInbound, receive)))
	receive.Reason, receive.LotCode, receive.Serials = strings.Repeat("é", 1000), strings.Repeat("x", 255), nil
	do(k, api.ReceiveInbound, receive)
	receive.Serials = []api.SerialInput{{SerialNumber: "S"}, {SerialNumber: " "}}
	require.Equal(k, []string{"serials[1].serialNumber"}, k.invalidFields(mustFail(k, api.ValidationError, api.ReceiveInbound, receive)))
	for _, q := range []int64{-1, api.MaxQuantity + 1} {
		e := mustFail(k, api.ValidationError, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: q})
		require.Equal(k, []string{"expectedQuantity"}, k.invalidFields(e))
	}

	require.Equal(k, []string{"quantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.ShipTransfer, api.MoveTransferInput{TransferID: k.transfer(1).ID, Quantity: ptr(int64(0))})))
}

func validationMetadata(k *fixture) {
	in := adjust(k.oats, k.wh, api.OnHand, 1)
	deep := strings.Repeat(`{"a":`, 8) + "1" + strings.Repeat("}", 8)
	for name, bad := range map[string]string{"an array": `[1]`, "a text": `"x"`, "too deep": `{"a":` + deep + `}`, "too large": `{"a":"` + strings.Repeat("x", 16<<10) + `"}`} {
		in.Metadata = api.Metadata(bad)
		require.Equal(k, []string{"metadata"}, k.invalidFields(mustFail(k, api.ValidationError, api.AdjustStock, in)), name)
	}
	in.Metadata = api.Metadata(deep)
	require.JSONEq(k, deep, string(do(k, api.AdjustStock, in).Movements[0].Metadata))
}

func validationLimits(k *fixture) {
	limit := func(n int64) *int64 { return &n }
	for _, n := range []int64{-1, 0, 101} {
		for _, err := range []*api.Error{
			mustFail(k, api.ValidationError, api.ListInbounds, api.ListInboundsInput{Page: api.Page{Limit: limit(n)}}),
			mustFail(k, api.ValidationError, api.ListTransfers, api.ListTransfersInput{Page: api.Page{Limit: limit(n)}}),
			mustFail(k, api.ValidationError, api.ListOutbounds, api.ListOutboundsInput{Page: api.Page{Limit: limit(n)}}),
			mustFail(k, api.ValidationError, api.ListProducts, api.ListProductsInput{Page: api.Page{Limit: limit(n)}}),
		} {
			require.Equal(k, []string{"limit"}, k.invalidFields(err))
		}
	}

	for _, n := range []int64{0, 501} {
		mustFail(k, api.ValidationError, api.ReportMovements, api.ReportMovementsInput{Limit: limit(n)})
		mustFail(k, api.ValidationError, api.ReportSnapshot, api.ReportSnapshotInput{Limit: limit(n)})
	}

	do(k, api.ReportMovements, api.ReportMovementsInput{Limit: limit(500)})
	do(k, api.ListInbounds, api.ListInboundsInput{Page: api.Page{Limit: limit(100)}})
	require.ElementsMatch(k, []string{"status"}, k.invalidFields(mustFail(k, api.ValidationError, api.ListInbounds, api.ListInboundsInput{Status: "open"})))
}
