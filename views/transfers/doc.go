// Package transfers contains the jobs that move stock between locations: shipping
// from the working location, and receiving at it.
package transfers

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the screens of both ends of transfers.
func Register(r *tui.Registry, site *session.Site) {
	r.Add("ship", i18n.Text("Ship transfer"), Departures(site))
	r.AddEntry(tui.Entry{
		Pattern: "ship/new",
		Label:   i18n.Text("Plan a transfer"),
		Factory: New(site),
		Denied: func(tui.Env) string {
			if !site.Supports(api.CreateTransfer.Spec) {
				return site.T().Get("This service does not create transfers: they come from another system.")
			}
			return ""
		},
	})

	r.Add("ship/{id}", i18n.Text("Ship transfer"), Ship(site))
	r.Add("receive-transfer", i18n.Text("Receive transfer"), Arrivals(site))
	r.Add("receive-transfer/{id}", i18n.Text("Receive transfer"), Receive(site))
}
