// Package balances contains the stock search and the explanation of a single
// balance: its movements and the proof that they add up.
package balances

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *session.Site) {
	r.Add("stock", i18n.Text("Stock"), Stock(site))
	r.Add("explain/{balance}", "", Explain(site))
}
