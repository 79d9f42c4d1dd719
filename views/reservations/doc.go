// Package reservations contains the reservation screens: the list with the remaining
// times, a single reservation with its actions, and the form for a new one.
package reservations

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the reservation screens.
func Register(r *tui.Registry, site *session.Site) {
	r.AddEntry(site.Entry("reservations", i18n.Text("Reservations"), List(site), api.ListReservations.Spec))
	r.AddEntry(site.Entry("reservations/new", i18n.Text("Reserve stock"), New(site), api.CreateReservation.Spec))
	r.AddEntry(site.Entry("reservations/{id}", "", Detail(site), api.ListReservations.Spec))
}
