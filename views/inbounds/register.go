package inbounds

import (
	"bincard/tui"
	"bincard/views/dock"
)

// Register adds the screens of receiving.
func Register(r *tui.Registry, site *dock.Site) {
	r.Add("receive", labelList, List(site))
	r.Add("receive/new", saidAnnounceADelivery, New(site))
	r.Add("receive/{id}", wordJob, Detail(site))
}
