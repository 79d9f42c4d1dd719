// Package lots contains the trace of a lot and the history of a serial: where it
// came from, where it is and where it went, with the document and person of every
// step, and the list for a recall.
package lots

import (
	"bincard/tui"
	"bincard/views/session"
)

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *session.Site) {
	r.Add("trace/{lot}", "", Trace(site))
	r.Add("serial/{serial}", "", Serial(site))
}
