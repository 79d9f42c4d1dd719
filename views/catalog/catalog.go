// Package catalog finds products, locations and balances by their codes, and reads the
// balances. If the service has no catalog it searches the snapshot report, which covers
// everything that has stock.
package catalog

import (
	"context"
	"net/url"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// A Match is what a code stands for: a product, a location, a lot, a serial or a
// document.
type Match struct {
	Product  *api.ProductRef
	Location *api.PlaceRef
	Lot      string
	Serial   string
	// ID is the ID of the lot or serial.
	ID api.ID
	// Document is the route of the document with that code, or "".
	Document string
}

// Find returns the match of the first known code.
func Find(ctx context.Context, site *session.Site, codes ...string) (Match, error) {
	for _, code := range codes {
		found, err := session.Call(ctx, site, api.LookUp, api.LookupInput{Code: code})
		if session.IsUnsupported(err) {
			return findInSnapshot(ctx, site, codes)
		}
		if err != nil {
			return Match{}, err
		}
		for _, m := range found.Matches {
			if t, ok := matchOf(m); ok {
				return t, nil
			}
		}
	}

	return Match{}, unknownCodeError(site.T(), codes, site.T().Get("Check the label, or type part of the name."))
}

func unknownCodeError(t *i18n.Translator, codes []string, next string) error {
	if len(codes) == 0 {
		return t.NewError("This is not a product or location label. Scan the product's label.")
	}
	return &session.UnknownItemError{Code: codes[0], Text: t.Get("%s was not found. %s", codes[0], next)}
}

func matchOf(m api.Match) (Match, bool) {
	var t Match
	if m.Product != nil {
		t.Product = &api.ProductRef{ID: m.Product.ID, Name: m.Product.Name, SKU: m.Product.SKU}
	}

	switch {
	case m.Location != nil:
		t.Location = &api.PlaceRef{
			ID:   m.Location.ID,
			Name: m.Location.Name,
			Code: m.Location.Code,
			Type: m.Location.Type,
		}

	case m.Lot != nil:
		t.Lot, t.ID = m.Lot.LotCode, m.ID
	case m.Serial != nil:
		t.Serial, t.ID = m.Serial.SerialNumber, m.ID
	case m.Kind == api.KindInbound:
		t.Document = "receive/" + m.ID.String()
	case m.Kind == api.KindOutbound:
		t.Document = "fulfill/" + m.ID.String()
	case m.Kind == api.KindTransfer:
		t.Document = "ship/" + m.ID.String()
	}

	return t, t != Match{}
}

// findInSnapshot searches the snapshot for a SKU or location code.
func findInSnapshot(ctx context.Context, site *session.Site, codes []string) (Match, error) {
	var found Match
	err := eachRow(ctx, site, api.ReportSnapshotInput{}, func(r *api.SnapshotRow) bool {
		for _, code := range codes {
			switch {
			case strings.EqualFold(r.ProductSKU, code):
				found.Product = &api.ProductRef{ID: r.ProductID, Name: r.ProductName, SKU: r.ProductSKU}
			case strings.EqualFold(r.LocationCode, code):
				found.Location = &api.PlaceRef{ID: r.LocationID, Name: r.LocationName, Code: r.LocationCode}
			}
		}

		return found == Match{}
	})
	if err == nil && found == (Match{}) {
		err = unknownCodeError(site.T(), codes,
			site.T().Get("This service has no barcode list. Type the SKU or the location code."))
	}

	return found, err
}

// TraceRoute returns the route that traces the lot or serial, or "".
func (t Match) TraceRoute() string {
	switch {
	case t.Lot != "":
		return "trace/" + t.ID.String()
	case t.Serial != "":
		return "serial/" + t.ID.String()
	}

	return ""
}

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
