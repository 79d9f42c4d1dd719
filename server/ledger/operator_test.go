package ledger_test

import (
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"

	"github.com/stretchr/testify/require"
)

// TestWrite_RecordsTheOperatorOfAPerson requires that a person who works without a key is
// recorded as the operator too.
func TestWrite_RecordsTheOperatorOfAPerson(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	req := &api.Request{Spec: api.AdjustStock.Spec, Operator: "Ada", IdempotencyKey: "k-1",
		Input:  &api.AdjustStockInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh.ID}, InventoryState: api.OnHand, QuantityDelta: 3, Reason: "found"},
		Caller: &api.Caller{Organization: oat.OrganizationID, Environment: oat.Environment, Scopes: api.Scopes, Actor: api.Actor{Type: api.User, Label: "Ada"}}}
	res, err := w.Ledger.Do(t.Context(), req)
	require.NoError(t, err)
	m := res.Output.(*api.StockResult).Movements[0]
	require.Equal(t, &api.Actor{Type: api.User, Label: "Ada"}, m.CreatedBy)
	require.Equal(t, "Ada", m.Actor.Label)
}
