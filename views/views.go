package views

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/balances"
	"bincard/views/home"
	"bincard/views/imports"
	"bincard/views/inbounds"
	"bincard/views/item"
	"bincard/views/locations"
	"bincard/views/lots"
	"bincard/views/operators"
	"bincard/views/outbounds"
	"bincard/views/outbox"
	"bincard/views/printlabels"
	"bincard/views/products"
	"bincard/views/reports"
	"bincard/views/reservations"
	"bincard/views/scanner"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/stock"
	"bincard/views/transfers"
	"bincard/views/watchlist"
)

// Register adds all screens to a registry, home first. The settings screen saves and
// tests settings with hooks.
func Register(r *tui.Registry, site *session.Site, hooks settings.Hooks) {
	r.Finder = site.Find
	home.Register(r, site)
	item.Register(r, site)
	inbounds.Register(r, site)
	transfers.Register(r, site)
	outbounds.Register(r, site)
	balances.Register(r, site)
	stock.Register(r, site)
	reservations.Register(r, site)
	reports.Register(r, site)
	watchlist.Register(r, site)
	lots.Register(r, site)
	products.Register(r, site)
	locations.Register(r, site)
	operators.Register(r, site)
	outbox.Register(r, site)
	printlabels.Register(r, site)
	imports.Register(r, site)
	r.Add(scanner.Route, i18n.Text("Scanner"), scanner.Open)
	r.Add(settings.Route, i18n.Text("Settings"), settings.Open(hooks))
}

// RegisterWelcome adds the screens of a terminal that has no service yet: the
// welcome screen, the scanner test and the settings.
func RegisterWelcome(r *tui.Registry, hooks settings.Hooks) {
	r.Add(settings.WelcomeRoute, i18n.Text("Welcome"), settings.Welcome(hooks))
	r.Add(scanner.Route, i18n.Text("Scanner"), scanner.Open)
	r.Add(settings.Route, i18n.Text("Settings"), settings.Open(hooks))
}
