// Package outbounds is the job of fulfilling orders: what is to leave a place,
// due first, and one order with its lines: allocated, picked, packed, sent.
package outbounds

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *dock.Site) {
	recent := &recentOrders{}
	r.Add("fulfill", i18n.Text("Fulfill outbound"), list(site, recent))
	r.AddEntry(tui.Entry{Pattern: "fulfill/new", Label: i18n.Text("New order"), Factory: New(site)})
	r.Add("fulfill/{id}", "", newScreen(site, recent))
}

// List makes the screen of the orders that are open here.
func List(site *dock.Site) tui.Factory { return list(site, &recentOrders{}) }

// Detail makes the screen of one order, named by id or reference.
func Detail(site *dock.Site) tui.Factory { return newScreen(site, &recentOrders{}) }
