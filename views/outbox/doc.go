// Package outbox provides the screens for work that is not synced with the service: the
// list with the sync status, the screen of one operation, and the forms that replace
// it.
//
// An operation that the service rejected can be retried, discarded, or replaced,
// either by the same operation with other values or by an adjustment. Edit and Record
// build these replacements without a screen.
package outbox

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Route is the route of the list.
const Route = "sync"

// Register adds the sync screens to a registry.
func Register(r *tui.Registry, site *session.Site) {
	r.Add(Route, i18n.Text("Sync"), newList(site))
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
