package transfers_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestShip_AsksBeforeALaterLot(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for lot, month := range map[string]time.Month{"E1": 3, "E2": 4} {
		ends, q := time.Date(2027, month, 28, 0, 0, 0, 0, time.UTC), int64(40)
		ledgertest.Do(h.World, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: h.Oat.ID, LocationID: h.Main.ID},
			Quantity: &q, NewLot: api.NewLot{LotCode: lot, ExpiresAt: &ends}})
	}
	tr := h.Transfer("TR-320", h.Oat, h.Main, h.Depot, 50)
	d := terminal(t, h, "ship", "ship/"+tr.ID.String())
	d.Sees("E1, E2", "Scan OAT-1L from lot E1, or type a quantity")
	d.Type("2").Key("enter", "f7").Type("E2").Key("enter", "enter").Sees("E1 expires earlier (2027-03-28) and is here. This is lot E2.")
	d.Advance(time.Second).Key("enter").Key("enter").Sees("Shipped 2: 2 of 50, 48 to go")
	var shipped []string
	for _, lot := range ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items {
		for _, m := range ledgertest.Do(h.World, api.TraceLot, api.TraceLotInput{LotID: lot.ID}).Movements {
			if m.InventoryState == api.OnHand && m.Quantity == -2 {
				shipped = append(shipped, lot.LotCode)
			}
		}
	}
	require.Equal(t, []string{"E2"}, shipped, "recorded as typed")
}

// A small screen names the first of several lots in full.
func TestShip_FirstLotOnASmallScreen(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	for lot, month := range map[string]time.Month{"LOT-0001": 3, "LOT-0002": 4, "LOT-0003": 5} {
		ends, q := time.Date(2027, month, 28, 0, 0, 0, 0, time.UTC), int64(20)
		ledgertest.Do(h.World, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: h.Oat.ID, LocationID: h.Main.ID},
			Quantity: &q, NewLot: api.NewLot{LotCode: lot, ExpiresAt: &ends}})
	}
	tr := h.Transfer("TR-320", h.Oat, h.Main, h.Depot, 50)
	d := terminal(t, h, "ship", "ship/"+tr.ID.String())
	d.Sees("LOT-0001, LOT-0002, LOT-0003").Size(20, 16).Sees("lot    (LOT-0001 +2)").Size(40, 8).Sees("(LOT-0001, LOT-0002, LOT-0003)")
}
