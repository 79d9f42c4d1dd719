package api

// Kind tells what a scanned text was found to be.
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

// A Match is one thing that a scanned text can mean; of the embedded resources
// the one that Kind names is there (a lot and a serial come with their product).
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

// Lookup is what a scanned text can mean, most likely first; empty when nothing is known of it.
type Lookup struct {
	Code    string  `json:"code"`
	Matches []Match `json:"matches"`
}

// LookupInput is the scanned text.
type LookupInput struct {
	Code string `json:"-" query:"code" required:"true" doc:"SKU, barcode, code, id, reference, lot code or serial number"`
	Kind Kind   `json:"-" query:"kind" doc:"only matches of this kind"`
}

// LookUp tells what a scanned text is. A document is found by its id, its
// reference or its external order.
var LookUp = operation[LookupInput, Lookup](Spec{
	ID: "lookup", Method: "GET", Path: "/lookup", Scope: InventoryRead,
	Summary: "Tell what a scanned text is", Extension: true})
