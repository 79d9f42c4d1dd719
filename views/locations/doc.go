// Package locations contains the location screens: the list, which also selects the
// working location, the form for a new location, and the one that corrects a location.
package locations

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the location screens. If the service does not manage locations they
// do not open and say why.
func Register(r *tui.Registry, site *session.Site) {
	denied := func(tui.Env) string { return Denied(site) }
	r.AddEntry(tui.Entry{Pattern: "locations", Label: i18n.Text("Locations"), Factory: List(site), Denied: denied})
	r.AddEntry(
		tui.Entry{Pattern: "locations/new", Label: i18n.Text("Create a location"), Factory: New(site), Denied: denied})
	r.AddEntry(site.Entry("locations/correct", "", Correct(site), api.ChangeLocation.Spec))
}
