// Package reservations is the job of holding stock for somebody: what is held
// at a place and for how long still, due first, one reservation with what can
// be done with it, and the form of a new one.
package reservations

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"
)

// Register adds the screens of reservations.
func Register(r *tui.Registry, site *dock.Site) {
	add := func(pattern, label string, f tui.Factory, spec *api.Spec) {
		r.AddEntry(tui.Entry{Pattern: pattern, Label: label, Factory: f, Denied: func(tui.Env) string { return site.Denied(spec) }})
	}
	add("reservations", "Reservations", List(site), api.ListReservations.Spec)
	add("reservations/new", "Reserve stock", New(site), api.CreateReservation.Spec)
	add("reservations/{id}", "", One(site), api.ListReservations.Spec)
}
