// Package sync is the desk for the work that is not in the service yet: how the
// line is, what waits, what was refused, and the ways to settle it.
package sync

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// Route is where the desk opens.
const Route = "sync"

// Register adds the screens of the desk to a registry.
func Register(r *tui.Registry, site *dock.Site) {
	r.Add(Route, i18n.Text("Sync"), func(tui.Env) (tui.Screen, error) { return &list{refresher: refresher{site: site}}, nil })
	r.Add(Route+"/{key}", "", func(env tui.Env) (tui.Screen, error) { return newWorkScreen(site, env.Route.Param("key")), nil })
	r.Add(Route+"/{key}/edit", "", func(env tui.Env) (tui.Screen, error) {
		return newReplacementForm(site, env.Route.Param("key"), editReplacement{env.T}), nil
	})
	r.Add(Route+"/{key}/record", "", func(env tui.Env) (tui.Screen, error) {
		return newReplacementForm(site, env.Route.Param("key"), adjustReplacement{env.T}), nil
	})
}

func routeOf(key string, more ...string) string {
	return tui.Path(append([]string{Route, key}, more...)...)
}
