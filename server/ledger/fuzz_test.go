package ledger_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// FuzzCursor checks that any cursor either works or is rejected as invalid.
func FuzzCursor(f *testing.F) {
	st := store.NewMemory()
	clock := time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC)
	l := ledger.New(st, ledger.Options{Now: func() time.Time { return clock }, Log: slog.New(slog.DiscardHandler)})
	ctx := context.Background()
	org, err := l.CreateOrganization(ctx, "Harbour Foods")
	require.NoError(f, err)
	svc := api.As(l, api.Caller{Organization: org.ID, Environment: api.Live, Scopes: append([]api.Scope{api.Admin}, api.Scopes...),
		Actor: api.Actor{Type: api.User, Label: "Ada"}}, "")
	p, err := api.CreateProduct.Call(ctx, svc, api.CreateProductInput{SKU: "OAT-1L", Name: "Oat milk"})
	require.NoError(f, err)
	at, err := api.CreateLocation.Call(ctx, svc, api.CreateLocationInput{Code: "WH-1", Name: "Warehouse", Type: api.Warehouse})
	require.NoError(f, err)
	var moved api.StockResult
	for range 3 {
		moved, err = api.AdjustStock.Call(ctx, svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, InventoryState: api.OnHand, QuantityDelta: 1, Reason: "x"})
		require.NoError(f, err)
	}
	page, err := api.GetSnapshot.Call(ctx, svc, api.SnapshotInput{Limit: new(int64(1))})
	require.NoError(f, err)
	one := new(int64(1))
	lists := []func(cursor string) error{
		func(c string) error {
			_, err := api.ListProducts.Call(ctx, svc, api.ListProductsInput{Page: api.Page{Cursor: c, Limit: one}})
			return err
		},
		func(c string) error {
			_, err := api.ListBalances.Call(ctx, svc, api.ListBalancesInput{Page: api.Page{Cursor: c, Limit: one}})
			return err
		},
		func(c string) error {
			_, err := api.ReportMovements.Call(ctx, svc, api.ReportMovementsInput{Cursor: c, Limit: one})
			return err
		},
		func(c string) error {
			_, err := api.ReportMovements.Call(ctx, svc, api.ReportMovementsInput{Cursor: c, Limit: one, StockFilter: api.StockFilter{ProductID: p.ID}})
			return err
		},
		func(c string) error {
			_, err := api.ExplainBalance.Call(ctx, svc, api.ExplainBalanceInput{BalanceID: moved.Balance.ID, HistoryPage: api.HistoryPage{Cursor: c, Limit: one, Order: api.NewestFirst}})
			return err
		},
		func(c string) error {
			_, err := api.GetSnapshot.Call(ctx, svc, api.SnapshotInput{Cursor: c, Limit: one})
			return err
		},
		func(c string) error {
			_, err := api.ListKeys.Call(ctx, svc, api.ListKeysInput{Page: api.Page{Cursor: c, Limit: one}})
			return err
		},
	}
	for i, seed := range []string{p.ID.String(), moved.Balance.ID.String(), moved.Movements[0].ID.String(), *page.NextCursor, "there", "AAAA"} {
		f.Add(i, seed)
	}
	f.Fuzz(func(t *testing.T, i int, cursor string) {
		err := lists[uint(i)%uint(len(lists))](cursor)
		if err != nil {
			require.Contains(t, []api.Code{api.InvalidCursor, api.ValidationError}, api.AsError(err).Code, "%q: %v", cursor, err)
		}
	})
}

// FuzzRow checks that no input breaks the codecs of the compact tables, and that a
// decoded row encodes and decodes to itself.
func FuzzRow(f *testing.F) {
	for kind := range 3 {
		f.Add(kind, []byte{})
		f.Add(kind, []byte{1, 2, 3, 255})
		f.Add(kind, make([]byte, 200))
	}
	f.Fuzz(func(t *testing.T, kind int, row []byte) {
		again, err := recodeRow(kind, row)
		if err != nil {
			return
		}
		twice, err := recodeRow(kind, again)
		require.NoError(t, err)
		require.Equal(t, again, twice)
	})
}
