package products

import (
	"net/url"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/catalog"
	"bincard/views/session"
)

// Register adds the product screens. If the service has no catalog they do not open
// and say why.
func Register(r *tui.Registry, site *session.Site) {
	denied := func(tui.Env) string { return catalog.ProductsDenied(site) }
	r.AddEntry(tui.Entry{Pattern: "products", Label: i18n.Text("Products"), Factory: List(site), Denied: denied})
	r.AddEntry(tui.Entry{Pattern: "products/new", Label: i18n.Text("Create a product"), Factory: New(site), Denied: denied})
	r.AddEntry(tui.Entry{Pattern: "products/{ref}", Label: i18n.Text("Product"), Factory: Detail(site), Denied: denied})
}

// Route returns the route of a product: by SKU, or by ID if the SKU is the name of
// another route.
func Route(p *api.Product) string {
	if strings.EqualFold(p.SKU, "new") {
		return tui.Path("products", p.ID.String())
	}
	return tui.Path("products", p.SKU)
}

func stockRoute(sku string) string       { return "stock?sku=" + url.QueryEscape(sku) }
func newDeliveryRoute(sku string) string { return "receive/new?sku=" + url.QueryEscape(sku) }
