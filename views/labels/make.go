package labels

import (
	"context"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/label"
	"bincard/tui/scan"
	"bincard/tui/scan/gs1"
	"bincard/views/count"
	"bincard/views/session"
)

// A Request describes the label to make. Missing values are read from the scanned label in
// Subject, and then from the service.
type Request struct {
	Kind label.Kind
	// Subject is a SKU or a barcode of the product, a serial number, the code of a location,
	// a shelf, or the reference of a document, by the kind. It may be a whole GS1 label.
	Subject  string
	Lot      string
	Expires  time.Time // midnight UTC
	Serial   string
	SKU      string // of the serial number in Subject, if several products have it
	Quantity int64
	Unit     string // the package of a case
	SSCC     string // of a pallet
	// Reference is that of the document on a pallet, or "".
	Reference string
	// Next is set for labels of new numbers: see MakeSample. Quantity is then how many serial
	// numbers to suggest.
	Next bool
	// New allows lots and serial numbers that the service does not know yet.
	New bool
	Now time.Time
}

// Make looks up what a request needs and returns the label.
func Make(ctx context.Context, site *session.Site, r Request) (none label.Label, err error) {
	switch r.Kind {
	case label.KindLocation:
		l, err := site.FindLocation(ctx, r.Subject)
		return OfLocation(l), err
	case label.KindShelf: // nothing has to be on it yet
		return label.Label{Kind: r.Kind, Shelf: api.CleanCode(r.Subject), Location: site.Location().Code}, nil
	case label.KindDocument:
		return ofDocument(ctx, site, r.Subject, r.Now)
	case label.KindSerial:
		return r.serial(ctx, site)
	case label.KindPallet:
		if r.Subject == "" {
			return label.Label{Kind: label.KindPallet, SSCC: r.SSCC}, nil
		}
	}

	item, err := r.item(ctx, site, r.Subject)
	if err != nil {
		return none, err
	}
	if r.Kind == label.KindProduct {
		return OfProduct(*item, r.Now), nil
	}
	if r.Kind == label.KindLot && r.Lot == "" {
		return none, site.T().NewError("Which lot of %s? Add it after the SKU, or scan the label.", item.SKU)
	}
	if err := r.lot(ctx, site, item); err != nil {
		return none, err
	}

	l := OfLot(*item, r.Lot, r.Expires, r.Quantity, r.Now)
	switch r.Kind {
	case label.KindPallet:
		l.Kind, l.SSCC, l.Reference = label.KindPallet, r.SSCC, r.Reference
	case label.KindCase:
		l.Kind, l.Quantity = label.KindCase, 0
		return l, r.packaging(site, *item, &l)
	}

	return l, nil
}

// RegisterPallet registers a pallet at the location with what its label says, so that a scan of
// the label later means all of it.
func RegisterPallet(ctx context.Context, site *session.Site, l label.Label) error {
	at := site.Location().ID
	if l.Quantity == 0 || at == api.NoID || site.Denied(api.RegisterPlate.Spec) != "" {
		return nil
	}

	item, err := site.FindItem(ctx, count.Label{Codes: []string{l.SKU}})
	if err != nil {
		return err
	}

	_, err = session.Call(ctx, site, api.RegisterPlate, api.RegisterPlateInput{SSCC: l.SSCC, LocationID: at,
		Lines: []api.PlateContent{{ProductID: item.ID, LotCode: l.Lot, Quantity: l.Quantity}}})
	if api.HasCode(err, api.LotRequired) || session.IsUnsupported(err) || // its items are scanned one by one
		api.HasCode(err, api.InsufficientStock) { // it is a plate when it arrives
		return nil
	}

	return err
}

// item returns the product that a text names, and adds the values of the label that it is.
func (r *Request) item(ctx context.Context, site *session.Site, text string) (*count.Item, error) {
	scanned := count.ParseLabel(site.T(), scan.Parse(text, r.Now))
	item, err := site.FindItem(ctx, scanned)
	if err != nil {
		return nil, err
	}
	if scanned.Problem != "" && scanned.Scan.GS1.Form != gs1.FormNumber { // such a number is an in-house code
		return nil, count.MisreadError(site.T(), scanned)
	}
	if r.Lot == "" {
		r.Lot = scanned.Lot
	}
	if r.Expires.IsZero() && r.Lot == scanned.Lot {
		r.Expires = scanned.ExpiresAt
	}
	if r.Quantity == 0 && scanned.HasQuantity && !scanned.PerItem {
		r.Quantity = scanned.Quantity
	}

	return item, nil
}

// lot reads the expiration date of the lot, and rejects a lot or a date that the service
// does not know.
func (r *Request) lot(ctx context.Context, site *session.Site, item *count.Item) error {
	if r.Lot == "" {
		return nil
	}

	t := site.T()
	lots, err := session.Call(ctx, site, api.ListLots, api.ListLotsInput{ProductID: item.ID, LotCode: r.Lot})
	if session.IsUnsupported(err) {
		return nil
	}
	if err != nil {
		return err
	}

	for _, lot := range lots.Items {
		if !strings.EqualFold(lot.LotCode, r.Lot) {
			continue
		}

		r.Lot = lot.LotCode
		if lot.ExpiresAt == nil {
			return nil
		}

		day := lot.ExpiresAt.UTC().Truncate(24 * time.Hour)
		if !r.Expires.IsZero() && !r.Expires.Equal(day) {
			return t.NewError(
				"Lot %s of %s expires %s, not %s. Nothing was printed.",
				r.Lot,
				item.SKU,
				t.Date(day),
				t.Date(r.Expires),
			)
		}

		r.Expires = day

		return nil
	}

	if r.New {
		return nil
	}

	return &UnknownError{
		t.Get("%s has no lot %s. Check the lot, or print it as a new lot.", item.SKU, r.Lot),
	}
}

// An UnknownError reports a lot or serial number that the service does not know. A
// Request that is New allows it.
type UnknownError struct{ text string }

func (e *UnknownError) Error() string { return e.text }

// packaging sets the GTIN of a package.
func (r *Request) packaging(site *session.Site, item count.Item, l *label.Label) error {
	t := site.T()
	l.GTIN = ""
	var units []string
	for _, u := range item.Units {
		gtin := label.GTINOf(u.Barcodes, r.Now)
		if gtin == "" || r.Unit != "" && u.UnitCode != r.Unit {
			continue
		}
		units = append(units, u.UnitCode)
		l.GTIN, l.Unit, l.PerUnit = gtin, u.UnitCode, u.Factor
	}

	switch {
	case len(units) == 0 && r.Unit != "":
		return t.NewError("%s has no package %s with a GTIN. Link the barcode of the package first.", item.SKU, r.Unit)
	case len(units) == 0:
		return t.NewError("%s has no package with a GTIN. Link the barcode of the package first.", item.SKU)
	case len(units) > 1:
		return t.NewError("%s has the packages %s. Choose one.", item.SKU, strings.Join(units, ", "))
	}

	return nil
}
