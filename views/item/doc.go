// Package item is the screen of a scanned item: the documents that wait for it at this
// location, the most urgent first, and the jobs on its stock.
//
// The screen shows all jobs at once, each with its own key. What the service knows fills
// in as its answers arrive: jobs.go lists the jobs, load.go asks for their documents and
// rows.go orders them.
package item

import (
	"bincard/tui"
	"bincard/views/session"
)

// Register adds the screen. The route names the item by SKU, and in its query the scanned
// lot or serial.
func Register(r *tui.Registry, site *session.Site) {
	r.Add("item/{sku}", "", func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, routes: r, Env: env, sku: env.Route.Param("sku")}, nil
	})
}
