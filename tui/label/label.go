package label

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"bincard/tui/i18n"
)

// Kind is the type of a label.
type Kind string

// The kinds of labels.
const (
	KindLot      Kind = "lot"      // stock of a lot: product, lot, expiry, quantity
	KindSerial   Kind = "serial"   // one serialized piece
	KindProduct  Kind = "product"  // one piece of a product
	KindCase     Kind = "case"     // a package with its own GTIN, optionally with lot and expiry
	KindLocation Kind = "location" // a location
	KindShelf    Kind = "shelf"    // a shelf of a location
	KindPallet   Kind = "pallet"   // a pallet or box with an SSCC, optionally with its contents
	KindDocument Kind = "document" // an inbound, outbound or transfer
)

// kinds has the name of each kind, and the fields that it needs.
var kinds = map[Kind]struct {
	title string
	needs []string
}{
	KindLot:      {i18n.Textf("Lot label"), []string{FieldSKU, FieldLot}},
	KindSerial:   {i18n.Textf("Serial number label"), []string{FieldSKU, FieldSerial}},
	KindProduct:  {i18n.Textf("Product label"), []string{FieldSKU}},
	KindCase:     {i18n.Textf("Case label"), []string{FieldSKU, FieldGTIN}},
	KindLocation: {i18n.Textf("Location label"), []string{FieldLocation}},
	KindShelf:    {i18n.Textf("Shelf label"), []string{FieldShelf}},
	KindPallet:   {i18n.Textf("Pallet label"), []string{FieldSSCC}},
	KindDocument: {i18n.Textf("Document label"), []string{FieldReference}},
}

// Title returns the name of a kind of label.
func (k Kind) Title(t *i18n.Translator) string { return t.Message(kinds[k].title) }

// A Label has the values of a label. Those that do not apply to its kind are ignored.
type Label struct {
	Kind Kind

	SKU, Name string // of the product
	// GTIN is the trade item number of the product, or of the package for KindCase: 8, 12,
	// 13 or 14 digits. It is "" for a product without one.
	GTIN string
	Unit string // the unit of the quantity, or the package of KindCase
	// PerUnit is how many pieces a package of KindCase holds.
	PerUnit int64

	Lot      string
	Expires  time.Time // midnight UTC; zero if unknown
	Quantity int64     // pieces; 0 if unknown
	Serial   string

	Location, LocationName string // code and name
	Shelf                  string // at the location

	Reference string // of a document
	Document  string // what the document is: "Inbound"
	Party     string // its supplier or customer

	SSCC string // 18 digits
}

// The names of fields in templates.
const (
	FieldKind      = "kind"
	FieldTitle     = "title"
	FieldName      = "name"
	FieldSKU       = "sku"
	FieldGTIN      = "gtin"
	FieldUnit      = "unit"
	FieldPerUnit   = "perunit"
	FieldLot       = "lot"
	FieldExpires   = "expires"
	FieldQuantity  = "quantity"
	FieldSerial    = "serial"
	FieldLocation  = "location"
	FieldShelf     = "shelf"
	FieldReference = "reference"
	FieldDocument  = "document"
	FieldParty     = "party"
	FieldSSCC      = "sscc"
	FieldCode      = "code"
	FieldContents  = "contents"
)

// A Field describes a field for people who write templates.
type Field struct{ Name, Description string }

// AllFields describes the fields of labels.
var AllFields = []Field{
	{FieldTitle, "the SKU, location code, shelf, document reference or SSCC"},
	{FieldName, "the name of the product or location, or the supplier or customer"},
	{FieldKind, "lot, serial, product, case, location, shelf, pallet or document"},
	{FieldSKU, "the SKU of the product"},
	{FieldGTIN, "the GTIN of the product or of the case, 14 digits"},
	{FieldUnit, "the unit of the quantity, or of the case"},
	{FieldPerUnit, "how many pieces a case holds"},
	{FieldLot, "the lot"},
	{FieldExpires, "the expiration date, as 2027-03-31"},
	{FieldQuantity, "the quantity in pieces"},
	{FieldSerial, "the serial number"},
	{FieldLocation, "the code of the location"},
	{FieldShelf, "the shelf"},
	{FieldReference, "the reference of the document"},
	{FieldDocument, "what the document is: Inbound, Outbound or Transfer"},
	{FieldParty, "the supplier or customer"},
	{FieldSSCC, "the SSCC of the pallet, 18 digits"},
	{FieldCode, "the content of the main barcode, as people read it"},
	{FieldContents, "the content of the second barcode of a pallet: what it holds"},
}

// FieldNames returns the names of all fields.
func FieldNames() (names []string) {
	for _, f := range AllFields {
		names = append(names, f.Name)
	}
	return names
}

// Fields returns the texts of a label by the names of fields. Those without a value are
// empty. codes are the contents of the label's barcodes.
func (l Label) Fields(codes Codes) map[string]string {
	out := map[string]string{
		FieldKind:      string(l.Kind),
		FieldTitle:     l.title(),
		FieldName:      l.Name,
		FieldSKU:       l.SKU,
		FieldGTIN:      padGTIN(l.GTIN),
		FieldUnit:      l.Unit,
		FieldPerUnit:   number(l.PerUnit),
		FieldLot:       l.Lot,
		FieldQuantity:  number(l.Quantity),
		FieldSerial:    l.Serial,
		FieldLocation:  l.Location,
		FieldShelf:     l.Shelf,
		FieldReference: l.Reference,
		FieldDocument:  l.Document,
		FieldParty:     l.Party,
		FieldSSCC:      l.SSCC,
		FieldCode:      codes.Main.String(),
		FieldContents:  codes.Contents.String(),
	}

	if !l.Expires.IsZero() {
		out[FieldExpires] = l.Expires.Format(time.DateOnly)
	}

	switch l.Kind {
	case KindLocation:
		out[FieldName] = l.LocationName
	case KindShelf:
		out[FieldName] = l.Location
	case KindDocument:
		out[FieldName] = l.Party
	}

	return out
}

// title returns what names the subject of the label.
func (l Label) title() string {
	switch l.Kind {
	case KindLocation:
		return l.Location
	case KindShelf:
		return l.Shelf
	case KindDocument:
		return l.Reference
	case KindPallet:
		return l.SSCC
	}

	return l.SKU
}

// number formats a number, or returns "" for 0.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// check returns an error if a value is missing that the kind needs.
func (l Label) check() error {
	fields, needs := l.Fields(Codes{}), kinds[l.Kind].needs
	if needs == nil {
		needs, fields[FieldKind] = []string{FieldKind}, ""
	}
	for _, name := range needs {
		if fields[name] == "" {
			return errors.New(i18n.Textf("a label of the kind %s needs the field %s", string(l.Kind), name))
		}
	}

	return nil
}

// Subject names what the label is of, in any language: "OAT-1L L42-A", "WH-1".
func (l Label) Subject() string {
	text := l.title()
	switch l.Kind {
	case KindLot:
		text += " " + l.Lot
	case KindSerial:
		text += " " + l.Serial
	case KindCase:
		text += " " + l.Unit + " " + l.Lot
	}

	return strings.TrimSpace(text)
}
