package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// problems returns the broken rules of an input by path.
func problems(t *testing.T, input any) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := api.Check(input)
	if err == nil {
		return out
	}
	for _, f := range api.AsError(err).Details["fields"].([]api.FieldProblem) {
		require.NotEmpty(t, f.Message)
		out[f.Path] = f.Rule
	}
	return out
}

func TestCheck_Bounds(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse(one)
	good := api.AdjustStockInput{StockKey: api.StockKey{ProductID: id, LocationID: id}, InventoryState: api.OnHand, QuantityDelta: -1, Reason: "x"}
	require.Empty(t, problems(t, &good))

	bad := good
	bad.Reason, bad.InventoryState, bad.ReferenceID = " \t", "onhand", strings.Repeat("é", 256)
	bad.QuantityDelta = api.MaxQuantity + 1
	require.Equal(t, map[string]string{"reason": "required", "inventoryState": "enum", "referenceId": "maxLength", "quantityDelta": "maximum"}, problems(t, &bad))

	edge := good
	edge.ReferenceID, edge.Reason, edge.QuantityDelta = strings.Repeat("é", 255), strings.Repeat("r", 1000), -api.MaxQuantity
	require.Empty(t, problems(t, &edge))

	blank := good
	blank.ReferenceID = strings.Repeat(" ", 5000)
	require.Equal(t, map[string]string{"referenceId": "maxLength"}, problems(t, &blank))
	require.Equal(t, map[string]string{"status": "enum"}, problems(t, &api.ListInboundsInput{Status: " "}))
}

func TestCheck_Items(t *testing.T) {
	t.Parallel()
	in := api.ReceiveInboundInput{Quantity: 2, Serials: []api.SerialInput{{SerialNumber: "a"}, {Metadata: api.Metadata(`[]`)}}}
	require.Equal(t, map[string]string{"serials[1].serialNumber": "required", "serials[1].metadata": "object"}, problems(t, &in))
	in.Serials = make([]api.SerialInput, 1001)
	require.Equal(t, map[string]string{"serials": "maxItems"}, problems(t, &in))
	out := api.FulfillOutboundInput{SerialChoice: api.SerialChoice{SerialIDs: []api.ID{{}}, SerialNumbers: []string{"ok", ""}}}
	require.Equal(t, map[string]string{"serialIds[0]": "required", "serialNumbers[1]": "required"}, problems(t, &out))
}

func TestCheck_SeveralFields(t *testing.T) {
	t.Parallel()
	id, other := uuid.MustParse(one), uuid.New()
	n := int64(1)
	move := api.MoveStockInput{StockKey: api.StockKey{ProductID: id, LocationID: id}, Quantity: 1, SourceState: "available", DestinationState: "available",
		Reason: "x", LotChoice: api.LotChoice{LotID: id, LotStrategy: api.FEFO}, UnitInput: api.UnitInput{UnitQuantity: &n}}
	require.Equal(t, map[string]string{"destinationState": "distinct", "lotStrategy": "exclusive", "unitQuantity": "together"}, problems(t, &move))
	move.DestinationState, move.LotStrategy, move.UnitCode = "incoming", "", "box"
	require.Equal(t, map[string]string{"destinationState": "enum"}, problems(t, &move))
	transfer := api.CreateTransferInput{ProductID: id, SourceLocationID: id, DestinationLocationID: id, Quantity: 1}
	require.Equal(t, map[string]string{"destinationLocationId": "distinct"}, problems(t, &transfer))
	transfer.DestinationLocationID = other
	require.Empty(t, problems(t, &transfer))
	from, to := time.Unix(2, 0), time.Unix(1, 0)
	require.Equal(t, map[string]string{"expiresFrom": "order"}, problems(t, &api.ListReservationsInput{ExpiresFrom: &from, ExpiresTo: &to}))
	require.Equal(t, map[string]string{"locationId": "required", "productId": "required"}, problems(t, &api.CreateOutboundInput{}))
}
