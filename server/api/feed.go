package api

import "time"

// MaxWait is the longest wait of a request for changes, in seconds.
const MaxWait = 25

// DocumentKind is the type of a Document.
type DocumentKind string

const (
	DocProduct     DocumentKind = "product"
	DocLocation    DocumentKind = "location"
	DocOwner       DocumentKind = "owner"
	DocChannel     DocumentKind = "channel"
	DocLot         DocumentKind = "lot"
	DocSerial      DocumentKind = "serial"
	DocInbound     DocumentKind = "inbound"
	DocOutbound    DocumentKind = "outbound"
	DocTransfer    DocumentKind = "transfer"
	DocReservation DocumentKind = "reservation"
)

// Values lists the document kinds.
func (DocumentKind) Values() []string {
	return toStrings([]DocumentKind{DocProduct, DocLocation, DocOwner, DocChannel, DocLot, DocSerial,
		DocInbound, DocOutbound, DocTransfer, DocReservation})
}

// A Document is the current state of a resource. Data is the resource without
// its embedded references, plus internal state such as the quantities a transfer
// has in transit and the lots an outbound holds.
type Document struct {
	Kind DocumentKind `json:"kind"`
	ID   ID           `json:"id"`
	Data Metadata     `json:"data"`
}

// A Change is the result of one operation. Seq increases by one with every change
// in the organization and environment.
type Change struct {
	Seq int64 `json:"seq"`
	// Key is the idempotency key of the operation.
	Key       string     `json:"key"`
	Operation string     `json:"operation"`
	Movements []Movement `json:"movements"`
	// Balances are the balances after the operation.
	Balances []Balance `json:"balances"`
	// Stocks are the current state of the same balances, with the details a replica
	// needs. Like Documents, they can be newer than Balances.
	Stocks []Stock `json:"stocks"`
	// Documents are the current state of the documents the operation created or
	// changed. They can be newer than Balances until all changes up to Latest are read.
	Documents []Document `json:"documents"`
	// Actor is the actor of the API key; CreatedBy is the operator, if any.
	Actor     Actor     `json:"actor"`
	CreatedBy *Actor    `json:"createdBy,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
}

// Changes are the changes after a position in the feed, oldest first, without gaps.
type Changes struct {
	// Epoch changes when the service's data is restored from a backup. Changes read
	// in an earlier epoch may no longer exist.
	Epoch string   `json:"epoch"`
	Items []Change `json:"items"`
	// Latest is the newest change. A replica that has applied it is up to date.
	Latest int64 `json:"latest"`
}

// ListChangesInput selects the changes and how long to wait for one.
type ListChangesInput struct {
	After *int64 `json:"-" query:"after" minimum:"0" default:"0" doc:"the last change already received"`
	Limit *int64 `json:"-" query:"limit" minimum:"1" maximum:"500" default:"100" doc:"maximum number of changes"`
	Wait  *int64 `json:"-" query:"wait" minimum:"0" maximum:"25" default:"0" doc:"seconds to wait for a change if there is none yet"`
	Epoch string `json:"-" query:"epoch" doc:"the epoch of the last change; any other epoch fails with CHANGES_GONE"`
}

// Patience is how long the caller will wait for the response.
func (in *ListChangesInput) Patience() time.Duration {
	if in.Wait == nil {
		return 0
	}
	return time.Duration(*in.Wait) * time.Second
}

// A Patient input lets the service delay the response.
type Patient interface{ Patience() time.Duration }

// A Stock is a balance with the details a replica needs.
type Stock struct {
	Balance Balance `json:"balance"`
	// Seq is the newest change of the balance. All changes up to it are included.
	Seq int64 `json:"seq"`
	// Backed is the reserved, committed and incoming quantity that open documents hold.
	Backed Quantities `json:"backed"`
	// Lots are the quantities by lot; the rest has no lot.
	Lots []LotStock `json:"lots"`
	// Pieces is the number of serials on hand.
	Pieces int64 `json:"pieces"`
}

// A LotStock is the stock of one lot in a balance.
type LotStock struct {
	LotID ID `json:"lotId"`
	Quantities
}

// A SnapshotPage is one page of the data a replica holds.
//
// Each page is read at its own sequence number, Seq; the service keeps no state
// between pages. Since is the sequence number of the first page, carried in the
// cursor. After the last page, a replica reads the changes after Since: it
// replaces documents, replaces balances with a newer version, and adds the
// movements after the Stock's own Seq to lots. Once it has applied the change
// Latest, it equals the service: rows written after a page was read are in the
// changes.
type SnapshotPage struct {
	Epoch     string     `json:"epoch"`
	Since     int64      `json:"since"`
	Seq       int64      `json:"seq"`
	Documents []Document `json:"documents"`
	Balances  []Stock    `json:"balances"`
	// NextCursor is the cursor of the next page, nil on the last page.
	NextCursor *string `json:"nextCursor"`
}

// SnapshotInput selects a page of the snapshot.
type SnapshotInput struct {
	Limit  *int64 `json:"-" query:"limit" minimum:"1" maximum:"1000" default:"500" doc:"maximum number of documents and balances"`
	Cursor string `json:"-" query:"cursor" doc:"the cursor from the previous page"`
}

// Capabilities are the features of the service beyond the base interface.
type Capabilities struct {
	Service string `json:"service"`
	// Version is the version of the interface.
	Version string `json:"version"`
	// Operations are the IDs of the supported operations.
	Operations []string `json:"operations"`
	// KeysKept is the number of days idempotency keys are kept; 0 means forever.
	KeysKept int64  `json:"idempotencyKeyDays"`
	MaxWait  int64  `json:"maxWaitSeconds"`
	Epoch    string `json:"epoch"`
	Latest   int64  `json:"latest"`
}

// CapabilitiesInput has no parameters.
type CapabilitiesInput struct{}

var (
	// GetCapabilities returns the features of the service.
	GetCapabilities = operation[CapabilitiesInput, Capabilities](Spec{
		ID: "getCapabilities", Method: "GET", Path: "/capabilities", Scope: InventoryRead,
		Discovery: true,
		Summary:   "Get the service's capabilities", Extension: true})
	// ListChanges returns the changes after a position in the feed. Documents include
	// transfers and reservations only if the caller may read them.
	ListChanges = operation[ListChangesInput, Changes](Spec{
		ID: "listChanges", Method: "GET", Path: "/changes", Scope: InventoryRead,
		ServiceOnly: true,
		Example:     Example{"after": 0, "wait": 25},
		Summary:     "Follow the change feed", Extension: true})
	// GetSnapshot returns a page of the data a replica starts with: the catalog,
	// open documents, serials in stock and balances.
	GetSnapshot = operation[SnapshotInput, SnapshotPage](Spec{
		ID: "getSnapshot", Method: "GET", Path: "/snapshot", Scope: InventoryRead,
		ServiceOnly: true,
		Summary:     "Read the initial snapshot for a replica", Extension: true})
)
