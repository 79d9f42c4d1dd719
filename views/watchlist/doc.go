// Package watchlist contains the lists for supervisors: low products, expiring lots
// and late documents.
package watchlist

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *session.Site) {
	r.Add("low", i18n.Text("Low stock"), Low(site))
	r.Add("expiring", i18n.Text("Expiring lots"), Expiring(site))
	r.Add("late", i18n.Text("Overdue documents"), Late(site))
}
