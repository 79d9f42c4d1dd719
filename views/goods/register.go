package goods

import (
	"net/url"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"
)

// Register adds the screens of products. A service that keeps no catalogue
// itself gets them from another system, so they say so and do not open.
func Register(r *tui.Registry, site *dock.Site) {
	denied := func(tui.Env) string { return Denied(site) }
	r.AddEntry(tui.Entry{Pattern: "products", Label: i18n.Text("Products"), Factory: List(site), Denied: denied})
	r.AddEntry(tui.Entry{Pattern: "products/new", Label: i18n.Text("Create a product"), Factory: New(site), Denied: denied})
	r.AddEntry(tui.Entry{Pattern: "products/{ref}", Label: i18n.Text("Product"), Factory: Detail(site), Denied: denied})
}

// Denied returns why no product can be made or listed here, or "".
func Denied(site *dock.Site) string {
	if !site.Supports(api.CreateProduct.Spec) || !site.Supports(api.ListProducts.Spec) {
		return site.T().Get("This service has no product catalog. Products come from another system.")
	}
	return ""
}

// Route is the route of a product, by its SKU where that is no other route.
func Route(p *api.Product) string {
	if strings.EqualFold(p.SKU, "new") {
		return tui.Path("products", p.ID.String())
	}
	return tui.Path("products", p.SKU)
}

// NewRoute is the route of the form, with the code that the product shall have;
// "" for an empty form.
func NewRoute(code string) string {
	if code == "" {
		return "products/new"
	}
	return "products/new?barcode=" + url.QueryEscape(code)
}

// stockRoute and announceRoute lead on from a product.
func stockRoute(sku string) string    { return "stock?sku=" + url.QueryEscape(sku) }
func announceRoute(sku string) string { return "receive/new?sku=" + url.QueryEscape(sku) }
