// Package watchlist holds what a supervisor must not overlook: products that run
// short, lots that end, documents that are late.
package watchlist

import (
	"errors"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// ErrUnsupported is in the error of what a service has no way to tell; it has no
// words of its own.
var ErrUnsupported = errors.New("")

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *dock.Site) {
	r.Add("low", i18n.Text("Low stock"), Low(site))
	r.Add("expiring", i18n.Text("Expiring lots"), Expiring(site))
	r.Add("late", i18n.Text("Late documents"), Late(site))
}
