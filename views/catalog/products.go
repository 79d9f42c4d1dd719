package catalog

import (
	"net/url"

	"bincard/server/api"
	"bincard/views/session"
)

// ProductsDenied returns why products cannot be created or listed, or "".
func ProductsDenied(site *session.Site) string {
	if !site.Supports(api.CreateProduct.Spec) || !site.Supports(api.ListProducts.Spec) {
		return site.T().Get("This service has no product catalog. Products come from another system.")
	}
	return ""
}

// NewProductRoute returns the route of the form for a new product with the barcode filled
// in.
func NewProductRoute(code string) string { return "products/new?barcode=" + url.QueryEscape(code) }
