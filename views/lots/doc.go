// Package lots holds the screens of a lot and of a serial: where it came from,
// where it is and where it went, with every step, who took it and on which
// document, and the list for a recall.
package lots

import (
	"bincard/tui"
	"bincard/views/dock"
)

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *dock.Site) {
	r.Add("trace/{lot}", "", Trace(site))
	r.Add("serial/{serial}", "", Serial(site))
}
