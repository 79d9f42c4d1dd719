// Package catalogue finds products, locations and balances by their codes. If the
// service has no catalog it searches the snapshot report, which covers everything
// that has stock.
package catalogue

import (
	"context"
	"errors"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/dock"

	"github.com/google/uuid"
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

// pageSize is the maximum number of rows per report page.
const pageSize = 500

// Snapshot returns a page of the snapshot report. If the key may not read reports it
// lists the balances instead.
func Snapshot(ctx context.Context, site *dock.Site, in api.ReportSnapshotInput) (api.List[api.SnapshotRow], error) {
	out, err := dock.Call(ctx, site, api.ReportSnapshot, in)
	if !api.HasCode(err, api.InsufficientScope) && !api.HasCode(err, api.PlanLimitExceeded) {
		return out, err
	}
	limit := int64(100)
	list, second := dock.Call(ctx, site, api.ListBalances, api.ListBalancesInput{StockFilter: in.StockFilter, Page: api.Page{Limit: &limit, Cursor: in.Cursor}})
	if second != nil {
		return out, err
	}
	rows := make([]api.SnapshotRow, 0, len(list.Items))
	for i := range list.Items {
		if row := Row(&list.Items[i]); in.Status == "" || (in.Status == api.StockIn) == (row.OnHand > 0) {
			rows = append(rows, row)
		}
	}
	return api.List[api.SnapshotRow]{Items: rows, NextCursor: list.NextCursor}, nil
}

// Row converts a balance to a row of the snapshot report.
func Row(b *api.Balance) api.SnapshotRow {
	r := api.SnapshotRow{ID: b.ID, ProductID: b.ProductID, LocationID: b.LocationID, OwnerID: b.OwnerID,
		ChannelID: b.ChannelID, Quantities: b.Quantities, UpdatedAt: b.UpdatedAt}
	if b.Product != nil {
		r.ProductSKU, r.ProductName = b.Product.SKU, b.Product.Name
	}
	r.LocationCode, r.LocationName = codeAndName(b.Location)
	r.OwnerCode, r.OwnerName = codeAndName(b.Owner)
	r.ChannelCode, r.ChannelName = codeAndName(b.Channel)
	return r
}

func codeAndName(ref *api.PlaceRef) (code, name string) {
	if ref == nil {
		return "", ""
	}
	return ref.Code, ref.Name
}

// Find returns the match of the first known code.
func Find(ctx context.Context, site *dock.Site, codes ...string) (Match, error) {
	for _, code := range codes {
		found, err := dock.Call(ctx, site, api.LookUp, api.LookupInput{Code: code})
		if dock.IsUnsupported(err) {
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
		return errors.New(t.Get("This is not a product or location label. Scan the product's label."))
	}
	return errors.New(t.Get("%s was not found. %s", codes[0], next))
}

func matchOf(m api.Match) (Match, bool) {
	var t Match
	if m.Product != nil {
		t.Product = &api.ProductRef{ID: m.Product.ID, Name: m.Product.Name, SKU: m.Product.SKU}
	}
	switch {
	case m.Location != nil:
		t.Location = &api.PlaceRef{ID: m.Location.ID, Name: m.Location.Name, Code: m.Location.Code, Type: m.Location.Type}
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
func findInSnapshot(ctx context.Context, site *dock.Site, codes []string) (Match, error) {
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
		err = unknownCodeError(site.T(), codes, site.T().Get("This service has no barcode list. Type the SKU or the location code."))
	}
	return found, err
}

// eachRow visits the balances that match in until visit returns false.
func eachRow(ctx context.Context, site *dock.Site, in api.ReportSnapshotInput, visit func(*api.SnapshotRow) (more bool)) error {
	limit := int64(pageSize)
	in.Limit = &limit
	for {
		page, err := Snapshot(ctx, site, in)
		if err != nil {
			return err
		}
		for i := range page.Items {
			if !visit(&page.Items[i]) {
				return nil
			}
		}
		if page.NextCursor == nil {
			return nil
		}
		in.Cursor = *page.NextCursor
	}
}

// Balances returns the balance with the ID in text, or the balances of
// "SKU@LOCATION", which may have several owners and channels.
func Balances(ctx context.Context, site *dock.Site, text string) ([]api.SnapshotRow, error) {
	t := site.T()

	if id, err := uuid.Parse(text); err == nil {
		return []api.SnapshotRow{{ID: id}}, nil
	}
	at := strings.LastIndex(text, "@")
	if at <= 0 || at == len(text)-1 {
		return nil, errors.New(t.Get("%q is not a balance. Write SKU@LOCATION, like OAT-1L@WH-1.", text))
	}
	sku, location := text[:at], text[at+1:]
	var in api.ReportSnapshotInput
	list, err := dock.Call(ctx, site, api.ListProducts, api.ListProductsInput{SKU: sku})
	switch {
	case err == nil && len(list.Items) > 0:
		in.ProductID = list.Items[0].ID
	case err == nil:
		return nil, errors.New(t.Get("Product %s not found. Search for it in Stock.", sku))
	case !dock.IsUnsupported(err):
		return nil, err
	}
	var rows []api.SnapshotRow
	err = eachRow(ctx, site, in, func(r *api.SnapshotRow) bool {
		if strings.EqualFold(r.ProductSKU, sku) && strings.EqualFold(r.LocationCode, location) {
			rows = append(rows, *r)
		}
		return true
	})
	if err == nil && len(rows) == 0 {
		err = errors.New(t.Get("%s was never stocked at %s, so there is nothing to explain.", sku, location))
	}
	return rows, err
}

// Route returns the route that explains a balance.
func Route(r *api.SnapshotRow) string { return "explain/" + r.ID.String() }

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
