package stock_test

import (
	"testing"
	"time"

	"bincard/tui"
	"bincard/views/inbounds"
	"bincard/views/stock"

	"github.com/stretchr/testify/require"
)

// Scanning a document opens it above the count or the form, whose draft stays.
func TestStock_ScanOfADocumentOpensIt(t *testing.T) {
	t.Parallel()
	for route, counted := range map[string]string{"count/WH-1": "1 of 4 counted", "adjust/COF-500@WH-1": "40 →        39", "adjust": "Scan the product"} {
		t.Run(route, func(t *testing.T) {
			t.Parallel()
			h := fullWarehouse(t)
			in := h.Inbound("PO-1", h.Soy, 24, time.Hour)
			reg := tui.NewRegistry().Add("home", "Home", stock.Count(h.Site))
			stock.Register(reg, h.Site)
			inbounds.Register(reg, h.Site)
			d := h.Terminal(t, reg)
			d.Do(tui.Open(route))
			if route != "adjust" {
				d.Scan("COF-500").Advance(time.Second)
			}
			if route == "count/WH-1" {
				d.Scan("COF-500")
			}
			d.Sees(counted).Scan("PO-1")
			require.Equal(t, "receive/"+in.ID.String(), d.Model.Route())
			d.Sees("Receive › PO-1").Key("esc").Sees(counted)
			require.Equal(t, route, d.Model.Route())
		})
	}
}
