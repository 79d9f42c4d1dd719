// Package home is the first screen. It lists the jobs with live counts and the late
// documents, and accepts any scan.
package home

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Route is the route of home.
const Route = "home"

// Register adds home, which must be the first entry of the registry. Home offers the
// jobs whose routes are in the registry when it opens.
func Register(r *tui.Registry, site *session.Site) {
	r.Add(Route, i18n.Text("Home"), func(tui.Env) (tui.Screen, error) { return &screen{site: site, routes: r}, nil })
}
