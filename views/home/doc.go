// Package home is the first screen: the jobs with their live counts, what is
// late, and the place where anything may be scanned.
package home

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// Route is where home opens.
const Route = "home"

// Register adds home, which must be the first entry of the registry. It offers
// the jobs whose routes the registry knows when it opens.
func Register(r *tui.Registry, site *dock.Site) {
	r.Add(Route, i18n.Text("Home"), func(tui.Env) (tui.Screen, error) { return &screen{site: site, routes: r}, nil })
}
