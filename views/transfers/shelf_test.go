package transfers_test

import (
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/viewtest"
)

func TestShip_CountedLessThanOrdersHold(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 100)
	ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID,
		Lines: []api.OutboundLineInput{{ProductID: h.Coffee.ID, RequestedQuantity: 20}}})
	h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 40)
	d := terminal(t, h, "ship/TR-1")
	d.Key("-").Sees("The ledger shows 100 of COF-500").Type("5").Key("enter")
	viewtest.RequireErrors(t, d, "Only 80 can be taken off; documents hold the rest. Enter 20 or more, or release them first.")
	d.Key("-").Type("20").Key("enter").Sees("Corrected: 20 of COF-500")
}

func TestShip_CloseNamesWhatIsNotShipped(t *testing.T) {
	t.Parallel()
	h := fullWarehouse(t)
	shipped(h, "TR-1", h.Coffee, h.Main, h.Depot, 40, 20)
	d := terminal(t, h, "ship/TR-1")
	d.Key("f5").Sees("Close TR-1 with 20 lost in transit and 20 not shipped? Reason").Type("lost").Key("enter").Sees("Closed: 20 lost, 20 not shipped")
}
