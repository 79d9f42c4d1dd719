// Package inbounds is the receiving job: the list of expected inbounds, and the
// screen that counts one with its lots, serials and damaged quantity.
package inbounds

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the receiving screens.
func Register(r *tui.Registry, site *session.Site) {
	r.Add("receive", i18n.Text("Receive inbound"), List(site))
	r.AddEntry(site.Entry("put-away", i18n.Text("Put away"), PutAway(site), api.SetShelves.Spec))
	r.Add("receive/new", i18n.Text("Add a delivery"), New(site))
	r.Add("receive/{id}", i18n.Text("Receive"), Detail(site))
}
