// Package outbounds is the fulfillment job: the list of open orders, due first, and
// the screen that allocates, picks, packs and fulfills one.
package outbounds

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *session.Site) {
	recent := &recentOrders{}
	r.Add("fulfill", i18n.Text("Fulfill outbound"), newList(site, recent))
	r.AddEntry(tui.Entry{Pattern: "fulfill/new", Label: i18n.Text("New order"), Factory: New(site)})
	r.Add("fulfill/{id}", "", newScreen(site, recent))
	r.Add("pick/{id}", "", newMerged(site))
}
