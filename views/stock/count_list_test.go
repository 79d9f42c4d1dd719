package stock_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/views/session"
	"bincard/views/stock"

	"github.com/stretchr/testify/require"
)

func TestCountList_ExpectsItsProductsOnly(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, session.CountRoute("WH-1", "COF-500", "CAM-1"))
	d.Sees("Count › 2 products@WH-1", "0 of 2 counted", "COF-500", "CAM-1", "F5 set all to 0").Lacks("OAT-1L")
	d.Scan("COF-500").Sees("COF-500 selected, 0 counted").Type("38").Key("enter").Sees("1 of 2 counted", "-2")
	d.Key("f5").Sees("Set 1 uncounted at WH-1 to zero?").Key("enter").Sees("2 to adjust")
	d.Key("enter").Sees("Adjust 2 products@WH-1 to match the count? Differences: 2.").Key("enter")
	d.Sees("2 products@WH-1: 2 of 2 lines counted, 2 adjusted")
	require.Equal(t, int64(38), quantitiesAt(h, h.Coffee, h.Main).OnHand)
	require.Zero(t, quantitiesAt(h, h.Camera, h.Main).OnHand)
	require.Equal(t, int64(36), quantitiesAt(h, h.Oat, h.Main).OnHand)
}

// A product that is added has its recorded stock, also after a restart, and a product
// without stock is a line as well.
func TestCountList_AddsAProduct(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	route := session.CountRoute("WH-1", "CAM-1", "SOY-1L")
	d := openAt(t, h, route, keepDrafts(saved), signIn(h))
	d.Sees("blind", "0 of 2 counted").Scan("COF-500").Sees("COF-500 is not in this count. Add it?", "Scan it again to confirm").Key("esc").Lacks("COF-500")
	d.Scan("COF-500").Advance(time.Second).Scan("COF-500").Sees("COF-500 selected, 0 counted", "0 of 3 counted", "3 products@WH-1").Type("39").Key("enter")
	d.Scan("]C101"+h.OatBox+"10L2").Advance(time.Second).Scan("]C101"+h.OatBox+"10L2").Sees("1 of 5 counted", "OAT-1L selected").Type("12").Key("enter").Sees("2 of 5 counted")
	d = openAt(t, h, route, keepDrafts(saved), signIn(h)) // restarted
	d.Sees("2 of 5 counted", "4 products@WH-1", "blind")
	d.Key("f5").Sees("Set 3 uncounted at WH-1 to zero?").Key("esc").Scan("CAM-1").Scan("S-1001").Scan("CAM-1").Scan("S-1002")
	d.Key("enter").Sees("3 counted", "2 not counted").Key("enter", "enter").Sees("4 products@WH-1: 3 of 5 lines counted, 1 adjusted")
	require.Equal(t, int64(39), quantitiesAt(h, h.Coffee, h.Main).OnHand)
	require.Equal(t, int64(36), quantitiesAt(h, h.Oat, h.Main).OnHand)
	require.Len(t, h.Proxy.Calls(api.ReconcileStock.Spec), 1)
	d.Sees("0 of 2 counted", "2 products@WH-1")
}

// The first lot of a product without stock takes the product's line.
func TestCountList_LotOfAnEmptyProduct(t *testing.T) {
	t.Parallel()
	h, saved := fullWarehouse(t), drafts.InMemory()
	route := session.CountRoute("WH-1", "COF-500", "SOY-1L")
	d := openAt(t, h, route, keepDrafts(saved))
	d.Scan("SOY-1L").Sees("SOY-1L is tracked by lot and this label names none.").Key("f7").Sees("Which lot of SOY-1L?").Key("down", "enter").Sees("Lot of SOY-1L").Type("S9").Key("enter").Type("4").Key("enter").Sees("1 of 2 counted", "S9", "+4")
	d = openAt(t, h, route, keepDrafts(saved)) // restarted
	d.Sees("1 of 2 counted", "S9").Scan("COF-500").Type("40").Key("enter", "enter").Sees("1 to adjust", "1 matches").Lacks("not counted")
	d.Key("enter", "enter").Sees("2 products@WH-1: 2 of 2 lines counted, 1 adjusted")
	require.Equal(t, int64(4), lotAt(t, h, "S9"))
}

func TestCountList_Bounds(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	reg := tui.NewRegistry()
	stock.Register(reg, h.Site)
	skus := make([]string, session.MaxCountProducts+1)
	for i := range skus {
		skus[i] = fmt.Sprintf("P-%d", i)
	}
	for route, problem := range map[string]string{
		"count/WH-1?skus=":                  "names no product",
		session.CountRoute("WH-1", skus...): "This list has 201 products. Count at most 200 at once.",
	} {
		entry, parsed, err := reg.Find(route)
		require.NoError(t, err)
		_, err = entry.Factory(tui.Env{Route: parsed})
		require.ErrorContains(t, err, problem)
	}
	openAt(t, h, session.CountRoute("WH-1", skus[1:]...)).Sees("There is no product P-")
	openAt(t, h, session.CountRoute("WH-1", "COF-500", "NO-SUCH")).Sees("There is no product NO-SUCH", "enter retry")
}

func TestCountListInAllSizes(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	d := openAt(t, h, session.CountRoute("WH-1", "COF-500", "CAM-1", "SOY-1L"))
	d.Scan("COF-500").Type("38").Key("enter")
	d.Goldens("open")
	d.Scan("OAT-1L").Goldens("add")
	d.Key("esc", "enter").Goldens("review")
	d.Key("enter", "enter").Advance(5 * time.Second).Goldens("done")
}

// Another product that is found during the count of one product has its recorded stock.
func TestCountOfOneProduct_AddsAnother(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	recorded := quantitiesAt(h, h.Coffee, h.Main).OnHand
	d := openAt(t, h, "count/WH-1?sku=SOY-1L", signIn(h))
	d.Scan("COF-500").Sees("COF-500 is not in this count. Add it?").Advance(time.Second).Scan("COF-500")
	d.Type(strconv.FormatInt(recorded-1, 10)).Key("enter").Sees("1 of 2 counted").Key("enter", "enter", "enter").Sees("1 adjusted")
	require.Equal(t, recorded-1, quantitiesAt(h, h.Coffee, h.Main).OnHand)
}
