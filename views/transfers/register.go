package transfers

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
)

// Register adds the screens of both ends of transfers.
func Register(r *tui.Registry, site *dock.Site) {
	r.Add("ship", saidShipATransfer, Departures(site))
	r.AddEntry(tui.Entry{Pattern: "ship/new", Label: fieldPlanATransfer, Factory: New(site), Denied: func(tui.Env) string {
		if !site.Supports(api.CreateTransfer.Spec) {
			return makesNone
		}
		return ""
	}})
	r.Add("ship/{id}", saidShipATransfer, Ship(site))
	r.Add("arrive", saidReceiveATransfer, Arrivals(site))
	r.Add("arrive/{id}", saidReceiveATransfer, Receive(site))
}
