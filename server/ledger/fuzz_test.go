package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// FuzzCursor checks that any cursor either works or is rejected as invalid.
func FuzzCursor(f *testing.F) {
	w := ledgertest.Open(f)
	w.Service = w.As(api.Live, append([]api.Scope{api.Admin}, api.Scopes...)...)
	p, at := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	adjust := api.AdjustStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID}, InventoryState: api.OnHand, QuantityDelta: 1, Reason: "x"}
	var moved api.StockResult
	for range 3 {
		moved = ledgertest.Do(w, api.AdjustStock, adjust)
	}
	one := new(int64(1))
	page := ledgertest.Do(w, api.GetSnapshot, api.SnapshotInput{Limit: one})
	lists := []func(cursor string) func(api.Service) (any, error){
		func(c string) func(api.Service) (any, error) {
			return requestFor(api.ListProducts, api.ListProductsInput{Page: api.Page{Cursor: c, Limit: one}})
		},
		func(c string) func(api.Service) (any, error) {
			return requestFor(api.ListBalances, api.ListBalancesInput{Page: api.Page{Cursor: c, Limit: one}})
		},
		func(c string) func(api.Service) (any, error) {
			return requestFor(api.ReportMovements, api.ReportMovementsInput{Cursor: c, Limit: one})
		},
		func(c string) func(api.Service) (any, error) {
			return requestFor(api.ReportMovements, api.ReportMovementsInput{Cursor: c, Limit: one, StockFilter: api.StockFilter{ProductID: p.ID}})
		},
		func(c string) func(api.Service) (any, error) {
			return requestFor(api.ExplainBalance, api.ExplainBalanceInput{BalanceID: moved.Balance.ID, HistoryPage: api.HistoryPage{Cursor: c, Limit: one, Order: api.NewestFirst}})
		},
		func(c string) func(api.Service) (any, error) {
			return requestFor(api.GetSnapshot, api.SnapshotInput{Cursor: c, Limit: one})
		},
		func(c string) func(api.Service) (any, error) {
			return requestFor(api.ListKeys, api.ListKeysInput{Page: api.Page{Cursor: c, Limit: one}})
		},
	}
	for i, seed := range []string{p.ID.String(), moved.Balance.ID.String(), moved.Movements[0].ID.String(), *page.NextCursor, "there", "AAAA"} {
		f.Add(i, seed)
	}
	f.Fuzz(func(t *testing.T, i int, cursor string) {
		_, err := lists[uint(i)%uint(len(lists))](cursor)(w.Service)
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
