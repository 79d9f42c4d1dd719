package api

// Kind is the type of a match.
type Kind string

const (
	KindProduct  Kind = "product"
	KindLocation Kind = "location"
	KindInbound  Kind = "inbound"
	KindOutbound Kind = "outbound"
	KindTransfer Kind = "transfer"
	KindLot      Kind = "lot"
	KindSerial   Kind = "serial"
)

// Values lists the kinds.
func (Kind) Values() []string {
	return toStrings([]Kind{KindProduct, KindLocation, KindInbound, KindOutbound, KindTransfer, KindLot, KindSerial})
}

// A Match is one possible meaning of a scanned text, with the matching resource. A
// match of a lot or serial also has the product; a match of a unit's barcode also has
// the unit.
type Match struct {
	Kind     Kind      `json:"kind"`
	ID       ID        `json:"id"`
	Product  *Product  `json:"product,omitzero"`
	Unit     *Unit     `json:"unit,omitzero"`
	Location *Place    `json:"location,omitzero"`
	Inbound  *Inbound  `json:"inbound,omitzero"`
	Outbound *Outbound `json:"outbound,omitzero"`
	Transfer *Transfer `json:"transfer,omitzero"`
	Lot      *Lot      `json:"lot,omitzero"`
	Serial   *Serial   `json:"serial,omitzero"`
}

// Lookup is the result of looking up a scanned text.
type Lookup struct {
	// Code is the text that was looked up.
	Code    string  `json:"code"`
	Matches []Match `json:"matches"`
}

// LookupInput is the text to look up.
type LookupInput struct {
	Code string `json:"-" query:"code" required:"true" doc:"SKU, barcode, code, id, reference, lot code or serial number"`
	Kind Kind   `json:"-" query:"kind" doc:"only matches of this kind"`
}

// LookUp returns the matches for a scanned text, most likely first. Documents match by
// id, reference or external order.
var LookUp = operation[LookupInput, Lookup](Spec{
	ID: "lookup", Method: "GET", Path: "/lookup", Scope: InventoryRead,
	Example: Example{"code": "OAT-1L"},
	Summary: "Look up a scanned code", Extension: true})
