// Package outbox provides the screens for work that is not synced with the service: the
// list with the sync status, the screen of one operation, the forms that replace
// it, and the list of the edges and offline terminals that sync with the service.
//
// An operation that the service rejected can be retried, discarded, or replaced,
// either by the same operation with other values or by an adjustment. Edit and Record
// build these replacements without a screen.
package outbox

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// Register adds the sync screens to a registry.
func Register(r *tui.Registry, site *session.Site) {
	r.Add(Route, i18n.Text("Sync"), newList(site))
	r.Add(Route+"/{key}", "",
		func(env tui.Env) (tui.Screen, error) { return newWorkScreen(site, env.Route.Param("key")), nil })
	r.Add(Route+"/{key}/edit", "", func(env tui.Env) (tui.Screen, error) {
		return newReplacementForm(site, env.Route.Param("key"), editReplacement{env.T}), nil
	})
	r.Add(Route+"/{key}/record", "", func(env tui.Env) (tui.Screen, error) {
		return newReplacementForm(site, env.Route.Param("key"), adjustReplacement{env.T}), nil
	})
	registerNodes(r, site)
}

// newList returns the factory of the list.
func newList(site *session.Site) tui.Factory {
	return listscreen.New(site, func(screen *listscreen.Screen) listscreen.Kind[*api.Work] {
		s := &list{Screen: screen}
		t := s.T

		return listscreen.Kind[*api.Work]{
			Texts: func() listscreen.Texts {
				return listscreen.Texts{
					Title: t.Get("Sync"),
					Noun:  t.Get("Sync"),
					Empty: [...]string{t.Get("No entries are pending."), t.Get("Nothing needs a decision."), t.Get("Nothing was discarded or replaced in the last week.")}[s.filter],
				}
			},
			Key: func(w *api.Work) string { return w.Key },
			Load: func() listscreen.Loader[*api.Work] {
				s.statusKey = statusKeyOf(site.SyncStatus())
				show := s.filter
				return listscreen.Load(func(ctx context.Context) ([]api.Work, bool, error) {
					if _, err := site.FetchSyncStatus(ctx); err != nil {
						return nil, false, err
					}
					return loadWork(ctx, site, show)
				})
			},
			Columns: func(size tui.Size) []widget.Column[*api.Work] { return s.columns(size.Class) },
			Open: tui.Action{
				ID:      "sync.open",
				Label:   t.GetC("open", "verb"),
				Help:    t.Get("Show what was done, the service's answer and the options"),
				Command: tui.DoConfirm,
				Disabled: func() string {
					switch {
					case !s.Loaded() && s.Loading:
						return t.Get("Still loading. Wait a moment.")
					case s.List.Len() == 0:
						return t.Get("There is nothing to open")
					}

					return ""
				},
			},
			OpenRow: func(w *api.Work) tea.Cmd { return tui.Open(routeOf(w.Key)) },

			Actions: s.actions,
			Tick: func() tea.Cmd {
				if s.Unsupported || s.Loading || !outdated(site, s.statusKey, s.Age()) {
					return nil
				}
				return s.Reload()
			},
			Busy:   func() bool { return s.busy },
			Update: s.update,
			View:   s.view,
			Speech: s.speech,
		}
	})
}

// Route is the route of the list.
const Route = "sync"

func routeOf(key string, more ...string) string {
	return tui.Path(append([]string{Route, key}, more...)...)
}

// documentRoute returns the route of the document of w, or "" if it has none.
func documentRoute(w *api.Work) string {
	id := w.Stock.Document.String()
	if w.Stock.Document == api.NoID {
		return ""
	}

	switch w.Stock.Kind {
	case api.DocInbound:
		return tui.Path("receive", id)
	case api.DocTransfer:
		if spec := api.FindOperation(w.Operation); spec != nil && spec.AtDestination {
			return tui.Path("receive-transfer", id)
		}
		return tui.Path("ship", id)
	case api.DocOutbound:
		return tui.Path("fulfill", id)
	case api.DocReservation:
		return tui.Path("reservations", id)
	}

	return ""
}
