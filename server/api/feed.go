package api

import "time"

// MaxWait is how long a request for changes may ask to wait, in seconds.
const MaxWait = 25

// DocumentKind tells what a Document is.
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

// Values lists the kinds of documents.
func (DocumentKind) Values() []string {
	return toStrings([]DocumentKind{DocProduct, DocLocation, DocOwner, DocChannel, DocLot, DocSerial,
		DocInbound, DocOutbound, DocTransfer, DocReservation})
}

// A Document is a resource as it stands when it is read. Data is the resource
// without its embedded references, and with what the service keeps beside it:
// what a transfer has under way, by which lots an outbound holds its stock.
type Document struct {
	Kind DocumentKind `json:"kind"`
	ID   ID           `json:"id"`
	Data Metadata     `json:"data"`
}

// A Change is what one operation did. Seq rises by one from change to change
// within the organization and environment.
type Change struct {
	Seq int64 `json:"seq"`
	// Key is the idempotency key of the operation.
	Key       string     `json:"key"`
	Operation string     `json:"operation"`
	Movements []Movement `json:"movements"`
	// Balances are as the operation left them.
	Balances []Balance `json:"balances"`
	// Stocks are the same balances as they stand now, with what a replica must
	// know of them: they may be ahead of Balances, as Documents may.
	Stocks []Stock `json:"stocks"`
	// Documents are what the operation made or changed, as they stand now: they
	// may be ahead of Balances until all changes up to Latest are read.
	Documents []Document `json:"documents"`
	// Actor is whose key did it, CreatedBy the person beside it.
	Actor     Actor     `json:"actor"`
	CreatedBy *Actor    `json:"createdBy,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
}

// Changes are the changes after a place in the feed, oldest first, without a gap.
type Changes struct {
	// Epoch is another one after the service's data was restored from a backup:
	// what was read before it may be more than the service has now.
	Epoch string   `json:"epoch"`
	Items []Change `json:"items"`
	// Latest is the newest change there is. Items that end at it leave a
	// replica whole.
	Latest int64 `json:"latest"`
}

// ListChangesInput says which changes, and how long to wait for one.
type ListChangesInput struct {
	After *int64 `json:"-" query:"after" minimum:"0" default:"0" doc:"the last change that is known"`
	Limit *int64 `json:"-" query:"limit" minimum:"1" maximum:"500" default:"100" doc:"most changes to answer"`
	Wait  *int64 `json:"-" query:"wait" minimum:"0" maximum:"25" default:"0" doc:"seconds to wait for a change where there is none yet"`
	Epoch string `json:"-" query:"epoch" doc:"the epoch of what is known; another one is refused with CHANGES_GONE"`
}

// Patience is how long the caller is ready to wait for the answer.
func (in *ListChangesInput) Patience() time.Duration {
	if in.Wait == nil {
		return 0
	}
	return time.Duration(*in.Wait) * time.Second
}

// A Patient input lets the service hold the answer back for a while.
type Patient interface{ Patience() time.Duration }

// A Stock is a balance with what a replica of it must know.
type Stock struct {
	Balance Balance `json:"balance"`
	// Seq is the newest change that moved it. Changes up to it are in it.
	Seq int64 `json:"seq"`
	// Backed is what open documents hold of reserved, committed and incoming.
	Backed Quantities `json:"backed"`
	// Lots are what it holds by lot; the rest is in no lot.
	Lots []LotStock `json:"lots"`
	// Pieces is how many of it on hand have a serial number.
	Pieces int64 `json:"pieces"`
}

// A LotStock is what a balance holds of one lot.
type LotStock struct {
	LotID ID `json:"lotId"`
	Quantities
}

// A SnapshotPage is a part of all that a replica holds.
//
// Each page is read at its own counter, Seq, and nothing is held for the pages
// to come. Since is the counter of the first page, and the cursor carries it
// on. A replica that has taken all pages reads the changes after Since: it sets
// documents, and balances whose version is greater than the one it has, and
// adds to lots the movements of changes beyond the Stock's own Seq. Once it has
// the change Latest it equals the service: a row that a page was too early for
// is in a change.
type SnapshotPage struct {
	Epoch     string     `json:"epoch"`
	Since     int64      `json:"since"`
	Seq       int64      `json:"seq"`
	Documents []Document `json:"documents"`
	Balances  []Stock    `json:"balances"`
	// NextCursor leads to the next page, nil at the end.
	NextCursor *string `json:"nextCursor"`
}

// SnapshotInput asks for a page of the snapshot.
type SnapshotInput struct {
	Limit  *int64 `json:"-" query:"limit" minimum:"1" maximum:"1000" default:"500" doc:"most documents and balances to answer"`
	Cursor string `json:"-" query:"cursor" doc:"the cursor from the previous page"`
}

// Capabilities tell what the service can do beyond the interface.
type Capabilities struct {
	Service string `json:"service"`
	// Version is of the interface.
	Version string `json:"version"`
	// Operations are the IDs of those it performs.
	Operations []string `json:"operations"`
	// KeysKept tells for how many days an idempotency key is known; 0 is for ever.
	KeysKept int64  `json:"idempotencyKeyDays"`
	MaxWait  int64  `json:"maxWaitSeconds"`
	Epoch    string `json:"epoch"`
	Latest   int64  `json:"latest"`
}

// CapabilitiesInput asks nothing more.
type CapabilitiesInput struct{}

var (
	// GetCapabilities answers what the service can do.
	GetCapabilities = operation[CapabilitiesInput, Capabilities](Spec{
		ID: "getCapabilities", Method: "GET", Path: "/capabilities", Scope: InventoryRead,
		Summary: "Tell what the service can do", Extension: true})
	// ListChanges answers what happened after a place in the feed. Transfers
	// and reservations are among the documents for callers who may read them.
	ListChanges = operation[ListChangesInput, Changes](Spec{
		ID: "listChanges", Method: "GET", Path: "/changes", Scope: InventoryRead,
		Summary: "Follow the changes, waiting for the next one", Extension: true})
	// GetSnapshot answers a part of what a replica begins with: the catalogue,
	// the open documents, the pieces at hand, the balances.
	GetSnapshot = operation[SnapshotInput, SnapshotPage](Spec{
		ID: "getSnapshot", Method: "GET", Path: "/snapshot", Scope: InventoryRead,
		Summary: "Read all that a replica begins with", Extension: true})
)
