package stock_test

import (
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui/drafts"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
)

func TestMove_AndUndo(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 24, "L1")
	h.Receive(h.Oat.ID, h.Main.ID, 6, "L2")
	d := openAt(t, h, "move/OAT-1L@WH-1")
	d.Sees("available → damaged").Scan(h.OatBox).Scan(h.OatBox).Type("26").Key("enter").Sees("30 →         4", "0 →        26")
	d.Key("enter").Type("damaged").Key("enter").Sees("Move 26 OAT-1L at WH-1: available 30 → 4, damaged 0 → 26 (damaged)?")
	d.Key("enter").Sees("damaged 0 → 26", "F8 undo: 26 back")
	require.Equal(t, api.Quantities{OnHand: 30, Available: 4, Damaged: 26}, quantitiesAt(h, h.Oat, h.Main))
	d.Key("f8").Sees("OAT-1L restored: ")
	require.Equal(t, int64(30), quantitiesAt(h, h.Oat, h.Main).Available)
	for _, lot := range ledgertest.Do(h.World, api.ListLots, api.ListLotsInput{ProductID: h.Oat.ID}).Items {
		for _, held := range ledgertest.Do(h.World, api.TraceLot, api.TraceLotInput{LotID: lot.ID}).Holdings {
			require.Zero(t, held.Damaged, lot.LotCode)
		}
	}
}

func TestMove_RejectsImmovableState(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "move/COF-500@WH-1")
	d.Key("f3").Sees("committed", "orders hold it", "incoming", "not here yet", "it includes all states")
	d.Type("committed").Key("enter")
	viewtest.RequireErrors(t, d, "committed stock cannot be moved by hand: orders hold it")
	d.Key("f4").Type("quality").Key("enter").Sees("available → quality control")
	d.Key("f3").Type("quality").Key("enter").Sees("quality control → available", "No quality control stock here")
	d.Type("1").Key("enter")
	viewtest.RequireErrors(t, d, "COF-500 has nothing quality control here. The count stays at 0.")
}

func TestMove_LotAndSerial(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Receive(h.Oat.ID, h.Main.ID, 24, "L1")
	h.Receive(h.Oat.ID, h.Main.ID, 6, "L2")
	d := openAt(t, h, "move/OAT-1L@WH-1")
	d.Scan("]C1"+"10L2").Key("+").Sees("30 →        24", "6 here").Key("enter", "enter", "enter").Sees("damaged 0 → 6")
	h.Receive(h.Camera.ID, h.Main.ID, 2, "", "S-1001", "S-1002")
	d = openAt(t, h, "move/CAM-1@WH-1")
	d.Scan("]C121S-1002").Key("enter", "enter", "enter").Sees("damaged 0 → 1").Key("f8").Sees("restored: ")
	require.Equal(t, int64(2), quantitiesAt(h, h.Camera, h.Main).Available)
}

func TestMove_RejectsMoreThanAvailable(t *testing.T) {
	t.Parallel()
	h, drafts := viewtest.NewWarehouse(t), drafts.InMemory()
	h.Stock(h.Coffee.ID, h.Main.ID, 40)
	d := openAt(t, h, "move/COF-500@WH-1", keepDrafts(drafts))
	d.Key("+", "enter", "enter")
	h.Proxy.Before(api.MoveStock.Spec, func() {
		ledgertest.Do(h.World, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: h.Coffee.ID, LocationID: h.Main.ID},
			InventoryState: api.Available, QuantityDelta: -10, Reason: "somebody else"})
	})
	d.Key("enter")
	viewtest.RequireErrors(t, d, "The available quantity here is 30, but you need 40")
	d.Sees("30 →       -10", "! too many").Type("30").Key("enter", "enter", "enter").Sees("damaged 0 → 30")
}
