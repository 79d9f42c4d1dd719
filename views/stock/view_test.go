package stock_test

import (
	"testing"
	"time"

	"bincard/server/api"
)

func TestAdjustInAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "adjust")
	d.Goldens("nothing")
	d = openAt(t, h, "adjust/OAT-1L@WH-1")
	d.Scan("]C101"+h.OatBox+"10L1").Type("5").Key("enter", "f9", "enter")
	d.Goldens("less")
	d.Key("enter").Goldens("confirm")
	h.Proxy.LoseAnswers(api.WriteOffStock.Spec, 1)
	d.Key("enter", "enter").Goldens("waiting")
	d.Key("enter").Advance(5 * time.Second)
	d.Goldens("done")
	d = openAt(t, h, "adjust/NO-SUCH@WH-1")
	d.Goldens("unknown")
}

func TestMoveInAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "move/OAT-1L@WH-1")
	d.Scan(h.OatBox).Goldens("move")
	d.Key("f3").Goldens("states")
}

func TestCountInAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, "count/WH-1")
	d.Scan("COF-500").Type("38").Key("enter").Scan("]C101" + h.OatBox + "10L2")
	d.Goldens("open")
	d.Scan("]C101" + h.OatBox + "10L2").Key("f4").Goldens("blind")
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	d.Key("enter").Goldens("review")
	openAt(t, h, "count/WH-2").Goldens("empty")
}

func TestStockScreens_RetryWhenUnreachable(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	h.Proxy.Down()
	for _, route := range []string{"adjust/COF-500@WH-1", "move/COF-500@WH-1", "count/WH-1"} {
		d := openAt(t, h, route)
		d.Sees("cannot be reached", "enter to retry")
		h.Proxy.Up()
		d.Key("enter").Sees("40")
		h.Proxy.Down()
	}
	openAt(t, h, "adjust").Scan("COF-500").Sees("cannot be reached")
}
