package report_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// The report returns past balances as they were returned at the time.
func TestSnapshotReport_AsOfInLongHistory(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	p, at := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	dice := rand.New(rand.NewPCG(7, 7))
	then := map[time.Time]api.Balance{}
	for range 700 {
		state := []api.State{api.OnHand, api.Damaged, api.Incoming}[dice.IntN(3)]
		b := ledgertest.Do(w, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: p.ID, LocationID: at.ID},
			InventoryState: state, QuantityDelta: 1 + dice.Int64N(9), Reason: "x"}).Balance
		then[w.Clock.Now()] = b // the last one at this time wins
		w.Clock.Advance(time.Duration(dice.IntN(3)) * time.Millisecond)
	}
	w.Clock.Advance(time.Hour)
	w.Stock(p.ID, at.ID, 1)
	for instant, b := range then {
		rows := ledgertest.Do(w, api.ReportSnapshot, api.ReportSnapshotInput{AsOf: &instant}).Items
		require.Len(t, rows, 1)
		require.Equal(t, b.Quantities, rows[0].Quantities, "as of %s", instant)
		require.Equal(t, instant, rows[0].UpdatedAt)
	}
}
