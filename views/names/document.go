package names

import (
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
)

// Inbound returns the display name of an inbound.
func Inbound(in *api.Inbound) string { return displayName("IN", in.ID, in) }

// details are the labels of the details of documents.
var details = i18n.Texts[string]{"carrier": "carrier"}

// Detail returns the label of a detail of a document. It returns "" for one without a label.
func Detail(t *i18n.Translator, name string) string { return t.Get(details[name]) }

// Transfer returns the display name of a transfer.
func Transfer(t *api.Transfer) string { return displayName("TR", t.ID, t) }

// Outbound returns the display name of an order.
func Outbound(o *api.Outbound) string { return displayName("OUT", o.ID, o) }

// Allocated returns the display name of an order that got stock.
func Allocated(o *api.AllocatedOutbound) string {
	return Outbound(&api.Outbound{ID: o.ID, ReferenceID: o.Reference})
}

// Reservation returns the display name of a reservation.
func Reservation(r *api.Reservation) string { return displayName("RES", r.ID, r) }

func displayName(kind string, id api.ID, doc api.StockDocument) string {
	if reference := Reference(doc); reference != "" {
		return reference
	}
	return kind + "-" + ShortID(id)
}

// Unloaded returns the name of a document that is not loaded: what people call it, or a word for it
// if only its ID is known.
func Unloaded(ref, word string) string {
	if new(api.ID).UnmarshalText([]byte(ref)) == nil {
		return word
	}
	return ref
}

// Reference returns the reference that people use for a document, or "".
func Reference(doc api.StockDocument) string {
	for _, n := range doc.References() {
		if strings.TrimSpace(n) != "" {
			return n
		}
	}

	return ""
}

// Unreferenced returns the name of a document without a reference, by the type under
// which movements refer to it.
func Unreferenced(referenceType string, id api.ID) string {
	kind, ok := map[string]string{"inbound": "IN", "outbound": "OUT", "transfer": "TR", "reservation": "RES"}[referenceType]
	if !ok {
		return strings.TrimSpace(referenceType + " " + ShortID(id))
	}
	return kind + "-" + ShortID(id)
}

// MatchesRef reports whether ref is the ID of a document, its name or one of its
// references.
func MatchesRef(ref string, id api.ID, name string, doc api.StockDocument) bool {
	if strings.EqualFold(ref, id.String()) {
		return true
	}
	for _, n := range append(doc.References(), name) {
		if n != "" && strings.EqualFold(strings.TrimSpace(ref), strings.TrimSpace(n)) {
			return true
		}
	}

	return false
}

// ShortID returns the first eight digits of an ID, for documents and products without
// a name.
func ShortID(id api.ID) string { return strings.ToUpper(id.String()[:8]) }

// ProductSKU returns the SKU in a product reference, or a short ID if it is nil.
func ProductSKU(ref *api.ProductRef, id api.ID) string {
	if ref == nil {
		return ShortID(id)
	}
	return ref.SKU
}

// ProductName returns the name in a product reference, or "" if it is nil.
func ProductName(ref *api.ProductRef) string {
	if ref == nil {
		return ""
	}
	return ref.Name
}

// LocationCode returns the code in a location reference, or "" if it is nil.
func LocationCode(ref *api.PlaceRef) string {
	_, code := ref.NameAndCode()
	return code
}

// LocationName returns the name in a location reference, or "" if it is nil.
func LocationName(ref *api.PlaceRef) string {
	name, _ := ref.NameAndCode()
	return name
}
