// Package products contains the product screens: the list, the details, the form for
// a new product, and the list of the unknown codes scanned in this shift.
package products

import (
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
	r.AddEntry(
		tui.Entry{Pattern: "products/new", Label: i18n.Text("Create a product"), Factory: New(site), Denied: denied})
	r.AddEntry(site.Entry("products/shelf", "", Shelf(site), api.SetShelves.Spec))
	r.AddEntry(site.Entry("products/correct", "", Correct(site), api.ChangeProduct.Spec))
	r.AddEntry(site.Entry("products/link", i18n.Text("Link a barcode"), Link(site), api.LinkBarcode.Spec))
	r.AddEntry(site.Entry("products/unlink", i18n.Text("Unlink a barcode"), Unlink(site), api.UnlinkBarcode.Spec))
	r.AddEntry(tui.Entry{Pattern: "products/{ref}", Label: i18n.Text("Product"), Factory: Detail(site), Denied: denied})
	registerUnknownCodes(r, site)
}
