// Package reservations is the job of holding stock for somebody: what is held
// at a place and for how long still, due first, one reservation with what can
// be done with it, and the form of a new one.
package reservations

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// Register adds the screens of reservations.
func Register(r *tui.Registry, site *dock.Site) {
	r.AddEntry(site.Entry("reservations", i18n.Text("Reservations"), List(site), api.ListReservations.Spec))
	r.AddEntry(site.Entry("reservations/new", i18n.Text("Reserve stock"), New(site), api.CreateReservation.Spec))
	r.AddEntry(site.Entry("reservations/{id}", "", Detail(site), api.ListReservations.Spec))
}
