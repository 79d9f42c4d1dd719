// Package balances holds the screens of stock: the search over all balances,
// and the explanation of one with every movement behind it and the proof that
// they add up.
package balances

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// Register adds the screens to a registry.
func Register(r *tui.Registry, site *dock.Site) {
	r.Add("stock", i18n.Text("Stock"), Stock(site))
	r.Add("explain/{balance}", "", Explain(site))
}
