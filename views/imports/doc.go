// Package imports is the screen that imports deliveries, orders and transfers from a file on
// this machine. The whole file is checked first. The screen shows its bad lines, or what is
// new and what is there already, and imports the file after a confirmation.
package imports

import (
	"bincard/tui"
	"bincard/views/session"
)

// Register adds the screens if this terminal imports files.
func Register(r *tui.Registry, site *session.Site) {
	if !site.ImportsFiles() {
		return
	}

	for i := range kinds {
		k := &kinds[i]
		r.AddEntry(site.Entry(session.ImportRoute(k.name), k.title, func(tui.Env) (tui.Screen, error) {
			return &screen{site: site, kind: k}, nil
		}, k.create))
	}
}
