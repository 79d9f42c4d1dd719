// Package reports contains the report of all movements and the snapshot of all
// balances. Their filters are part of the route.
package reports

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *session.Site) {
	r.Add("movements", i18n.Text("Movements"), Movements(site))
	r.Add("snapshot", i18n.Text("Snapshot"), Snapshot(site))
}
