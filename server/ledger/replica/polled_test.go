package replica_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// A ledger over a polled replica uses the service's balance ids, and rejects keys that
// were used at the service.
func TestPolledReplica_KeepsServiceIDs(t *testing.T) {
	t.Parallel()
	st := store.NewMemory()
	org, at := uuid.New(), time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	p := store.Partition{Organization: org, Environment: "live"}
	row := api.SnapshotRow{ID: uuid.New(), ProductID: uuid.New(), ProductSKU: "OAT-1L", ProductName: "Oats", LocationID: uuid.New(), LocationCode: "WH-1",
		LocationName: "Main", OwnerID: uuid.New(), OwnerCode: "US", OwnerName: "Us", ChannelID: uuid.New(), ChannelCode: "ALL", ChannelName: "All",
		Quantities: api.Quantities{OnHand: 7, Available: 7, Incoming: 3}, UpdatedAt: at}
	in := api.Inbound{ID: uuid.New(), ProductID: row.ProductID, LocationID: row.LocationID, OwnerID: row.OwnerID, ChannelID: row.ChannelID,
		ExpectedQuantity: 3, Status: api.InboundExpected, Version: 1, CreatedAt: at, UpdatedAt: at, Actor: api.Actor{Type: api.APIKey, Label: "Desk"},
		Location: &api.PlaceRef{ID: row.LocationID, Code: "WH-1", Name: "Main", Type: string(api.Warehouse)}}
	for range 2 { // a cycle may be applied twice
		require.NoError(t, replica.Update(t.Context(), st, p, func(r *replica.Tx) error {
			if current, err := r.BalanceRow(row.ProductID, row.LocationID, row.OwnerID, row.ChannelID); current == nil {
				require.NoError(t, err)
				require.NoError(t, r.BeginPolled())
			}
			require.NoError(t, r.Inbound(&in))
			require.NoError(t, r.SetBalanceRow(&row))
			require.NoError(t, r.ConfirmKey("a-key", api.AdjustStock.Spec.ID, at))
			owner, channel, err := r.Defaults()
			require.NoError(t, err)
			require.NoError(t, r.SetOrganization(api.Organization{ID: org, Name: "Harbor", DefaultOwnerID: owner, DefaultChannelID: channel}))
			return r.FinishCycle(at)
		}))
	}
	l := ledger.New(st, ledger.Options{})
	t.Cleanup(l.Close)
	svc := api.As(l, api.Caller{Organization: org, Environment: api.Live, Scopes: api.Scopes, Actor: api.Actor{Type: api.User, Label: "Ada"}}, "")
	list, err := api.ReportSnapshot.Call(t.Context(), svc, api.ReportSnapshotInput{})
	require.NoError(t, err)
	require.Equal(t, []api.SnapshotRow{row}, list.Items)
	out, err := api.ReceiveInbound.Call(t.Context(), svc, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 2, NewLot: api.NewLot{LotCode: "L-1"}})
	require.NoError(t, err)
	require.Equal(t, row.ID, out.Balance.ID)
	require.EqualValues(t, 9, out.Balance.OnHand)
	require.Equal(t, string(api.Warehouse), out.Balance.Location.Type)
	adjust := api.AdjustStockInput{StockKey: api.StockKey{ProductID: row.ProductID, LocationID: row.LocationID}, InventoryState: api.Incoming, QuantityDelta: -1, Reason: "?"}
	_, err = api.AdjustStock.Call(t.Context(), svc, adjust)
	require.True(t, api.HasCode(err, api.StateBackedByDocuments), "HeldByDocuments is recomputed: %v", err)
	_, err = api.AdjustStock.Call(t.Context(), svc, adjust, api.Key("a-key"))
	require.ErrorIs(t, err, replica.ErrUsedAtService)
	x, err := api.ExplainBalance.Call(t.Context(), svc, api.ExplainBalanceInput{BalanceID: row.ID})
	require.NoError(t, err)
	require.Equal(t, x.Balance.Quantities, x.Totals)
}
